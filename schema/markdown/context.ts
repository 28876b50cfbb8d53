/**
 * What the printing of a top-level block depends on besides the block itself: its place in the
 * document and the list before it. Two lists of a kind in a row would be read as one, so the second
 * takes the other marker, the third the first again.
 */
import type { Node } from 'prosemirror-model'
import { isFrontMatter } from './front-matter.ts'
import { isList } from './node-attributes.ts'
import type { PrintContext } from './printed.ts'

/** The block that is all there is, front matter aside. */
export function soleBlock(blocks: readonly Node[]): Node | undefined {
  const [first, second] = blocks
  if (blocks.length !== 2) return blocks.length === 1 ? first : undefined
  const behindFrontMatter = first?.type.name === 'front_matter' && isFrontMatter(first.textContent)
  return behindFrontMatter ? second : undefined
}

/** A block and whether it was printed with the other marker. */
export interface PrintedNeighbour {
  readonly node: Node
  readonly alternate: boolean
}

export function contextOf(
  previous: PrintedNeighbour | undefined,
  node: Node,
  only: boolean,
): PrintContext {
  const alternate = takesOtherMarker(previous, node)
  return contexts[contextKey({ first: previous === undefined, only, alternate })] as PrintContext
}

/** Another for each context, 0 to 7. */
export const contextKey = ({ first, only, alternate }: PrintContext): number =>
  (first ? 1 : 0) + (only ? 2 : 0) + (alternate ? 4 : 0)

/** By their keys: many blocks are in each. */
const contexts: readonly PrintContext[] = Array.from({ length: 8 }, (_, key) => ({
  first: (key & 1) !== 0,
  only: (key & 2) !== 0,
  alternate: (key & 4) !== 0,
}))

export function takesOtherMarker(previous: PrintedNeighbour | undefined, node: Node): boolean {
  return isList(node) && previous?.node.type === node.type && !previous.alternate
}
