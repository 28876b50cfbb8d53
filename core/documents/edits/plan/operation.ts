/**
 * What one edit does to the document: stretches of top-level blocks that give way to others, and
 * the text that this makes. Pure values; an edit that cannot be made is an outcome, not an error.
 */
import type { Node } from 'prosemirror-model'
import type { Comparing } from '../../../../schema/diff/comparing.ts'
import {
  type Correspondence,
  complete,
  type Part,
  pairMoved,
} from '../../../../schema/diff/correspondence.ts'
import { commonEnds } from '../../../../schema/diff/ends.ts'
import { nameBlocks } from '../../../../schema/diff/naming.ts'
import { type ErrorCode, Refusal } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'

/** Blocks that one edit moves, wraps or converts: each is written again, half a millisecond. */
const movedBlocksPerEdit = 10_000

/** A change of blocks that was planned. */
export interface DraftOperation {
  /** Ascending, apart from one another, counted in the text before the operation. */
  readonly parts: readonly BlockSplice[]
  /** The text after the operation. */
  readonly text: DocumentText
}

/** Changes that belong together: what one takes out, another may put in (a moved block). */
export interface Operation extends DraftOperation {
  /** What became of the blocks and words of the parts. */
  readonly correspondence: Correspondence
}

export type OperationResult =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string }

export const unchanged: OperationResult = { kind: 'unchanged' }

export const refused = (code: ErrorCode, reason: string): OperationResult => ({
  kind: 'refused',
  code,
  reason,
})

export function draftOf(text: DocumentText, parts: readonly BlockSplice[]): DraftOperation {
  let after = text
  for (const { from, to, nodes } of parts.toReversed()) after = after.splice(from, to, nodes)
  return { parts, text: after }
}

export const changeOf = ({ from, row }: Part): BlockSplice => ({
  from,
  to: from + row.old.length,
  nodes: row.next.map(({ node }) => node),
})

/**
 * The parts with the ids of the blocks that they are from then on, so that a later edit of the same
 * request can name them, and what is anchored in them follows. Refuses BROAD_REWRITE when too many
 * blocks moved: each of them is written again.
 */
export function nameParts(parts: readonly Part[]): Part[] {
  const moved = pairMoved(parts)
  if (moved > movedBlocksPerEdit) {
    throw new Refusal('BROAD_REWRITE', { reason: 'moves_too_many_blocks' })
  }
  return parts.map(({ from, row }) => ({ from, row: nameBlocks(row) }))
}

/** The operation whose draft was found good; compares the words. */
export function operationOf(
  draft: DraftOperation,
  parts: readonly Part[],
  comparing: Comparing,
): OperationResult {
  const correspondence = complete(parts, comparing)
  return { kind: 'operation', operation: { ...draft, correspondence } }
}

/** The nodes that a change takes away. */
export const nodesIn = (text: DocumentText, from: number, to: number): Node[] =>
  Array.from({ length: to - from }, (_, index) => text.node(from + index))

/** The same changes without what stays at their ends; neighbouring ones joined. */
export function trimmedParts(
  text: DocumentText,
  changes: readonly BlockSplice[],
): readonly BlockSplice[] {
  const joined: BlockSplice[] = []
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

const changesAnything = ({ from, to, nodes }: BlockSplice): boolean => to > from || nodes.length > 0

function trimmed(text: DocumentText, { from, to, nodes }: BlockSplice): BlockSplice {
  const { front, back } = commonEnds(nodesIn(text, from, to), nodes)
  return { from: from + front, to: to - back, nodes: nodes.slice(front, nodes.length - back) }
}
