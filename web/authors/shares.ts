/**
 * How much of a document each actor wrote, in characters of text. Counted once for each block and
 * remembered with it, nodes being immutable: after a change only changed blocks are counted.
 */
import type { Node } from 'prosemirror-model'

export interface Share {
  readonly actor: string
  readonly chars: number
  /** Of all text, 0…1. */
  readonly part: number
}

type Counts = ReadonlyMap<string, number>

const remembered = new WeakMap<Node, Counts>()

export function authorOf(node: Node): string | undefined {
  const mark = node.marks.find((one) => one.type.name === 'authored')
  return mark?.attrs['by'] as string | undefined
}

/** The most first. Text that nobody is credited with counts for nobody. */
export function sharesOf(doc: Node): readonly Share[] {
  const sums = new Map<string, number>()
  let all = 0
  doc.forEach((block) => {
    for (const [actor, chars] of countsOf(block)) {
      sums.set(actor, (sums.get(actor) ?? 0) + chars)
      all += chars
    }
  })
  const shares = [...sums].map(([actor, chars]) => ({ actor, chars, part: chars / all }))
  return shares.sort((a, b) => b.chars - a.chars || (a.actor < b.actor ? -1 : 1))
}

function countsOf(block: Node): Counts {
  const known = remembered.get(block)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  block.descendants((node) => {
    const by = node.isText ? authorOf(node) : undefined
    if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + node.nodeSize)
  })
  remembered.set(block, counts)
  return counts
}

/** `37 %`, and never 0 for somebody who wrote. */
export function percent(part: number): string {
  const rounded = Math.round(part * 100)
  return rounded === 0 ? '< 1 %' : `${rounded} %`
}
