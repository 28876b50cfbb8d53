/**
 * A large block that is all new, written over several transactions: what a document is first filled
 * with is written the same way. At each yield the block is valid, only shorter than it will be.
 * It takes over no id and no words, so that nothing else has to be written with it.
 */
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import type { AddedBlock } from '../../../../schema/diff/blocks.ts'
import type { Carried } from '../../../../schema/diff/carried.ts'
import { limits } from '../../../../schema/limits.ts'
import type { Steps } from '../../../../schema/steps.ts'
import { type BuildOptions, buildShell } from '../../model/build.ts'
import { fillingElement, portionSize } from '../../model/fill.ts'

/** In how many transactions at most a block is written, for it is read and printed after each. */
const transactionsPerBlock = 160

/** The large ones among the added blocks that nothing of what goes is, or is in. */
export function largeBlocks(
  added: readonly AddedBlock[],
  carried: readonly Carried[],
): ReadonlySet<AddedBlock> {
  const targets = new Set<unknown>(carried.map(({ target }) => target))
  const isNew = (block: AddedBlock): boolean =>
    block.source === undefined && !targets.has(block) && block.children.every(isNew)
  return new Set(added.filter((block) => isLarge(block.node) && isNew(block)))
}

const isLarge = ({ nodeSize }: Node): boolean => nodeSize > portionSize

/** A block of which only the beginning is written. */
export interface Unfinished {
  readonly node: Node
  readonly rest: Steps<void>
}

/** The element, empty: to be inserted, and then begun before the transaction ends. */
export const shellOf = (node: Node, options: BuildOptions): Y.XmlElement =>
  buildShell(node, { ...options, keepIds: false, keepAuthors: false })

/** Writes the beginning of a block into its element. */
export function beginBlock(
  doc: Y.Doc,
  element: Y.XmlElement,
  { node, options }: { readonly node: Node; readonly options: BuildOptions },
): Unfinished {
  const own = { ...options, keepIds: false, keepAuthors: false }
  const rest = fillingElement(doc, element, { node, options: own })
  rest.next()
  return { node, rest }
}

/** Writes the rest; yields how much was written, in characters. */
export function* finishingBlock({ node, rest }: Unfinished): Generator<number, void> {
  const portions = Math.ceil(node.nodeSize / portionSize)
  const weight = limits.editWeightAtOnce / Math.ceil(portions / transactionsPerBlock)
  while (rest.next().done !== true) yield weight
}
