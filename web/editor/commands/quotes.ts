/** Quotes: around the selected blocks, or away from around them. */
import { lift } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import { nodes, withChildren } from '../model/nodes.ts'
import { withDistinctIds } from './distinct-ids.ts'
import { nodesOf, type Piece, split } from './lifting-blocks.ts'
import { isBlock } from './selected-blocks.ts'

type Touches = (node: Node, pos: number) => boolean

/** One quote around the children of `parent` from the first that is selected to the last. */
export function quoted(parent: Node, start: number, touches: Touches): Node {
  const chosen: number[] = []
  parent.forEach((child, offset, index) => {
    const mayBe = child.type !== nodes.front_matter
    if (mayBe && touches(child, start + offset)) chosen.push(index)
  })
  const [from = 0, to = chosen.at(-1) ?? 0] = [chosen[0], chosen.at(-1)]
  const among = parent.children.slice(from, to + 1)
  const isQuote = ({ type }: Node) => type === nodes.blockquote
  const id = (among.find(isQuote)?.attrs['id'] as string | null | undefined) ?? null
  const inner = among.flatMap((child) => (isQuote(child) ? child.children : [child]))
  const quote = nodes.blockquote.create({ id }, inner)
  const { children } = parent
  return withChildren(parent, [...children.slice(0, from), quote, ...children.slice(to + 1)])
}

/** The children of `parent`, the selected ones of the outermost quotes in it out of them. */
export function unquoted(parent: Node, start: number, touches: Touches): readonly Node[] {
  const row: Node[] = []
  parent.forEach((child, offset) => {
    const pos = start + offset
    if (!touches(child, pos) || isBlock(child) || child.isTextblock) row.push(child)
    else if (child.type !== nodes.blockquote) {
      row.push(withChildren(child, unquoted(child, pos + 1, touches)))
    } else {
      const inner: Piece[] = []
      child.forEach((node, within) => {
        inner.push({ node, isFree: touches(node, pos + 1 + within) })
      })
      row.push(...nodesOf(split(child, inner)))
    }
  })
  return row
}

/** Backspace at the start of a quote's first block takes that block out. */
export const unquoteAtStart: Command = withDistinctIds((state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || $from.depth < 2) return false
  if ($from.node(-1).type !== nodes.blockquote || $from.index(-1) > 0) return false
  return lift(state, dispatch)
})
