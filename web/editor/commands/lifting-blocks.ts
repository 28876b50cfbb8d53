/**
 * Selected blocks out of the lists and quotes around them, in order. An item stays with what stands
 * before its first block that leaves; what comes after that one leaves along, and lists among it
 * stay lists. The first part of a list or quote that is left keeps its id.
 */
import type { Node } from 'prosemirror-model'
import { isList, nodes, withChildren } from '../model/nodes.ts'
import { isBlock } from './selected-blocks.ts'

export interface Lifting {
  readonly touches: (node: Node, pos: number) => boolean
  /** What becomes of a selected block. */
  readonly turn: (block: Node) => readonly Node[]
  /** What is left. */
  readonly lists: boolean
  readonly quotes: boolean
}

/** A block, and whether it left what was around it. */
export interface Piece {
  readonly node: Node
  readonly isFree: boolean
}

const staying = (node: Node): Piece => ({ node, isFree: false })

/** The children of `parent`, whose content begins at `start`. */
export function lifted(parent: Node, start: number, leaving: Lifting): readonly Piece[] {
  const pieces: Piece[] = []
  parent.forEach((child, offset) => {
    const pos = start + offset
    if (!leaving.touches(child, pos)) pieces.push(staying(child))
    else if (isBlock(child)) {
      for (const node of leaving.turn(child)) pieces.push({ node, isFree: true })
    } else if (isList(child)) pieces.push(...outOfList(child, pos, leaving))
    else if (child.type === nodes.blockquote) pieces.push(...outOfQuote(child, pos, leaving))
    else pieces.push(staying(child))
  })
  return pieces
}

export const nodesOf = (pieces: readonly Piece[]): readonly Node[] => pieces.map(({ node }) => node)

function outOfList(list: Node, pos: number, leaving: Lifting): readonly Piece[] {
  const pieces: Piece[] = []
  let items: Node[] = []
  let kept = 0
  const close = () => {
    if (items.length === 0) return
    const last = pieces.at(-1)
    // The list of an item that left and the items below it are one.
    if (last?.isFree === false && last.node.type === list.type) {
      pieces[pieces.length - 1] = staying(
        withChildren(last.node, [...last.node.children, ...items]),
      )
    } else pieces.push(staying(part(list, items, kept)))
    kept += items.length
    items = []
  }
  list.forEach((item, offset) => {
    const inner = lifted(item, pos + 1 + offset + 1, leaving)
    const first = leaving.lists ? inner.findIndex(({ isFree }) => isFree) : -1
    const head = first < 0 ? inner : inner.slice(0, first)
    if (head.length > 0) items.push(withChildren(item, nodesOf(head)))
    if (first < 0) return
    close()
    for (const piece of inner.slice(first)) pieces.push(piece)
  })
  close()
  return pieces
}

/** A list that has `kept` items before it goes on with its number. */
function part(list: Node, items: readonly Node[], kept: number): Node {
  if (kept === 0) return withChildren(list, items)
  const order = list.attrs['order'] as number | undefined
  const attrs = order === undefined ? list.attrs : { ...list.attrs, order: order + kept }
  return list.type.create({ ...attrs, id: null }, [...items])
}

function outOfQuote(quote: Node, pos: number, leaving: Lifting): readonly Piece[] {
  const inner = lifted(quote, pos + 1, leaving)
  if (!leaving.quotes) return [staying(withChildren(quote, nodesOf(inner)))]
  return split(quote, inner)
}

/** A quote around each row of pieces that stay. */
export function split(quote: Node, inner: readonly Piece[]): readonly Piece[] {
  const pieces: Piece[] = []
  let stay: Node[] = []
  let isFirst = true
  const close = () => {
    if (stay.length === 0) return
    const whole = withChildren(quote, stay)
    const { attrs, content } = whole
    pieces.push(staying(isFirst ? whole : quote.type.create({ ...attrs, id: null }, content)))
    isFirst = false
    stay = []
  }
  for (const piece of inner) {
    if (!piece.isFree) {
      stay.push(piece.node)
      continue
    }
    close()
    pieces.push(piece)
  }
  close()
  return pieces
}
