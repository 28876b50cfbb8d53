/**
 * Of what a suggestion makes of some blocks: the lists, tables and headings that would come, as
 * they will be, and what gives way to them. Pure.
 */
import { Fragment, type Node } from 'prosemirror-model'
import type { DocRange } from '../editor/model/doc-range.ts'
import { isAlike } from './changes.ts'

export interface ChangedBlocks extends DocRange {
  /** What would stand there: blocks, or items or rows of the list or table that stays. */
  readonly blocks: readonly Node[]
}

/** `start`: where the old ones begin. Undefined: it can be told in words where they stand. */
export function changedBlocks(
  old: readonly Node[],
  now: readonly Node[],
  start: number,
): ChangedBlocks | undefined {
  let first = 0
  while (first < Math.min(old.length, now.length) && isSame(old[first], now[first])) first += 1
  let last = 0
  const most = Math.min(old.length, now.length) - first
  while (last < most && isSame(old.at(-1 - last), now.at(-1 - last))) last += 1
  const gone = old.slice(first, old.length - last)
  const come = now.slice(first, now.length - last)
  const from = start + sizeOf(old.slice(0, first))
  const [before, after] = [gone[0], come[0]]
  const isOne = before && after && gone.length === 1 && come.length === 1
  if (isOne && isHolder(before) && isOfKind(before, after)) {
    return changedBlocks(before.children, after.children, from + 1)
  }
  if (come.every(isPlain) || isShapedAlike(gone, come)) return undefined
  return { from, to: from + sizeOf(gone), blocks: come }
}

const isSame = (one: Node | undefined, other: Node | undefined): boolean =>
  one !== undefined && other !== undefined && isAlike(Fragment.from(one), Fragment.from(other))

const sizeOf = (nodes: readonly Node[]): number =>
  nodes.reduce((size, { nodeSize }) => size + nodeSize, 0)

/** What stays where something in it is another. */
const isHolder = ({ type: { name } }: Node): boolean =>
  /_list$|^(?:table|list_item|blockquote)$/.test(name)

const isPlain = ({ type }: Node): boolean => type.name === 'paragraph'

/** Of one kind; a table with other columns is another one. */
const isOfKind = (one: Node, other: Node): boolean =>
  isSame(one.type.create(one.attrs), other.type.create(other.attrs)) &&
  (one.type.name !== 'table' || one.firstChild?.childCount === other.firstChild?.childCount)

/** But for words. */
const isShapedAlike = (one: readonly Node[], other: readonly Node[]): boolean =>
  one.length === other.length &&
  one.every((node, at) => {
    const now = other[at]
    const isKind = now !== undefined && isOfKind(node, now)
    return isKind && (node.inlineContent || isShapedAlike(node.children, now.children))
  })
