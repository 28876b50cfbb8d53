/**
 * What one edit does to the document: stretches of top-level blocks that give way to others, and
 * the text that this makes. Pure values; an edit that cannot be made is an outcome, not an error.
 */
import type { Node } from 'prosemirror-model'
import type { ErrorCode } from '../../../schema/errors.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'

/** The top-level blocks [from, to) give way to `nodes`. */
export interface BlockChange {
  readonly from: number
  readonly to: number
  readonly nodes: readonly Node[]
}

/** Changes that belong together: what one takes out, another may put in (a moved block). */
export interface EditStep {
  /** Ascending, apart from one another, counted in the text before the step. */
  readonly parts: readonly BlockChange[]
  /** The text after the step. */
  readonly text: DocumentText
}

export type Made =
  | { readonly kind: 'step'; readonly step: EditStep }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string }

export const unchanged: Made = { kind: 'unchanged' }

export const refusedStep = (code: ErrorCode, reason: string): Made => ({
  kind: 'refused',
  code,
  reason,
})

export function stepOf(text: DocumentText, parts: readonly BlockChange[]): EditStep {
  let after = text
  for (const { from, to, nodes } of parts.toReversed()) after = after.splice(from, to, nodes)
  return { parts, text: after }
}

/** The nodes that a change takes away. */
export const nodesIn = (text: DocumentText, from: number, to: number): Node[] =>
  Array.from({ length: to - from }, (_, index) => text.node(from + index))

/** The same changes without what stays at their ends; neighbouring ones joined. */
export function trimmedParts(
  text: DocumentText,
  changes: readonly BlockChange[],
): readonly BlockChange[] {
  const joined: BlockChange[] = []
  for (const change of changes) {
    const last = joined.at(-1)
    if (last?.to === change.from) {
      joined[joined.length - 1] = {
        from: last.from,
        to: change.to,
        nodes: [...last.nodes, ...change.nodes],
      }
    } else joined.push(change)
  }
  return joined.map((change) => trimmed(text, change)).filter(changesAnything)
}

const changesAnything = ({ from, to, nodes }: BlockChange): boolean => to > from || nodes.length > 0

function trimmed(text: DocumentText, { from, to, nodes }: BlockChange): BlockChange {
  let [start, end, first, last] = [from, to, 0, nodes.length]
  while (start < end && first < last && text.node(start) === nodes[first]) {
    start++
    first++
  }
  while (end > start && last > first && text.node(end - 1) === nodes[last - 1]) {
    end--
    last--
  }
  return { from: start, to: end, nodes: nodes.slice(first, last) }
}
