/**
 * What the printing of a block depends on besides the block itself: its place and the block before
 * it. Two lists of a kind in a row would be read as one if their markers were the same; and what
 * stands behind a list may not be indented as far as its items' content.
 */
import type { Node } from 'prosemirror-model'
import { isFrontMatter } from './front-matter.ts'
import { isList } from './node-attributes.ts'
import type { PrintContext } from './printed.ts'
import { isIndentedCode, itemColumns, type ListPlace, markerPattern } from './spelling.ts'

/** The block that is all there is, front matter aside. */
export function soleBlock(blocks: readonly Node[]): Node | undefined {
  const [first, second] = blocks
  if (blocks.length !== 2) return blocks.length === 1 ? first : undefined
  const behindFrontMatter = first?.type.name === 'front_matter' && isFrontMatter(first.textContent)
  return behindFrontMatter ? second : undefined
}

/** A block and its place. */
export interface PrintedNeighbour extends ListPlace {
  readonly node: Node
}

/** Of blanks before a block: one more begins indented code. */
export const indentMax = 3

const ends = ['', '-', '*', '+', '.', ')']

/** Another for each context. */
export const contextKey = ({ first, only, avoid, indent }: PrintContext): number =>
  (first ? 1 : 0) + (only ? 2 : 0) + 4 * indent + 16 * ends.indexOf(avoid)

/** By their keys: many blocks are in each, so that `===` tells whether two places are alike. */
const contexts: readonly PrintContext[] = Array.from({ length: 16 * ends.length }, (_, key) => ({
  first: (key & 1) !== 0,
  only: (key & 2) !== 0,
  indent: (key >> 2) & 3,
  avoid: ends[key >> 4] as string,
}))

const contextAt = (context: PrintContext): PrintContext =>
  contexts[contextKey(context)] as PrintContext

/** Of a block among others that ask nothing of it. */
export const plainContext = contextAt({ first: false, only: false, avoid: '', indent: indentMax })

export function contextOf(
  previous: PrintedNeighbour | undefined,
  node: Node,
  only: boolean,
): PrintContext {
  const first = previous === undefined
  const [avoid, indent] = [avoidedEnd(previous, node), indentBehind(previous)]
  return contextAt({ first, only, avoid, indent })
}

/** What may not end the markers of a list; '' where anything may. */
export function avoidedEnd(previous: PrintedNeighbour | undefined, node: Node): string {
  if (!isList(node) || previous?.node.type !== node.type) return ''
  return markerPattern(previous.node, previous).end
}

/** How many blanks may stand before a block in its line. */
export function indentBehind(previous: PrintedNeighbour | undefined): number {
  if (previous === undefined) return indentMax
  const { node } = previous
  if (isIndentedCode(node)) return indentMax - 1
  return isList(node) ? Math.min(indentMax, itemColumns(node, previous) - 1) : indentMax
}
