/**
 * The link definitions of a document (`[label]: address "title"`): blocks of their own, which links
 * by reference in other blocks are resolved with. Immutable; the same object as long as no
 * definition changes, so that what was printed with it stays good.
 */
export interface LinkTarget {
  readonly href: string
  readonly title: string
}

export interface Definitions {
  /** By normalized label, without a prototype. */
  readonly targets: Readonly<Record<string, LinkTarget>>
}

const emptyRecord = (): Record<string, LinkTarget> =>
  Object.create(null) as Record<string, LinkTarget>

export const noDefinitions: Definitions = { targets: emptyRecord() }

/** Of several with one label the first counts. */
export function definitionsOf(entries: Iterable<readonly [string, LinkTarget]>): Definitions {
  const targets = emptyRecord()
  let isEmpty = true
  for (const [label, target] of entries) {
    targets[label] ??= target
    isEmpty = false
  }
  return isEmpty ? noDefinitions : { targets }
}
