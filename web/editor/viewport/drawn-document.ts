/** The only door to what the view keeps private: the document as it has drawn it. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { commonEnds } from '../../../schema/diff/ends.ts'
import type { Ends } from './told-selection.ts'

/** A node as the view has drawn it. */
interface Drawn {
  readonly size: number
  readonly node?: Node
}

interface DrawnDocument {
  readonly node: Node
  readonly children: readonly Drawn[]
  readonly posAtStart: number
  posBeforeChild(child: Drawn): number
  updateChildren(view: EditorView, pos: number): void
  setSelection(anchor: number, head: number, ...rest: unknown[]): void
}

const drawnIn = (view: EditorView): DrawnDocument =>
  (view as unknown as { readonly docView: DrawnDocument }).docView

/**
 * Asked when the document is drawn and the browser is about to be given a selection: what it is to
 * be given.
 */
export function beforeSelecting(view: EditorView, tell: (whole: Ends) => Ends): void {
  const top = drawnIn(view)
  const select = top.setSelection
  top.setSelection = (anchor, head, ...rest) => {
    const told = tell({ anchor, head })
    select.call(top, told.anchor, told.head, ...rest)
  }
}

/** Runs before very many of the blocks that are drawn are taken away at once. */
export function beforeMassRemoval(view: EditorView, run: () => void): void {
  const top = drawnIn(view)
  const draw = top.updateChildren
  top.updateChildren = (...of) => {
    const drawn = top.children.map(({ node }) => node)
    if (goneOf(drawn, top.node.children) >= massRemoval) run()
    draw.apply(top, of)
  }
}

const massRemoval = 500

/** How many of these blocks are not drawn on as they are, nor as what became of them. */
function goneOf(drawn: readonly (Node | undefined)[], next: readonly Node[]): number {
  const { front, back } = commonEnds(drawn, next)
  if (drawn.length - front - back < massRemoval) return 0
  const kept = new Map(
    next.slice(front, next.length - back).map((node) => [node.attrs['id'], node]),
  )
  const middle = drawn.slice(front, drawn.length - back)
  return middle.filter((node) => kept.get(node?.attrs['id'])?.type !== node?.type).length
}

/**
 * For each block that it draws anew the view adds up the sizes of all before it: of ten thousand
 * changed at once that was the larger part of the time. Asked in order, each is found from the one
 * before.
 */
export function countPositionsOnce(view: EditorView): void {
  const top = drawnIn(view)
  let last = { of: top.node, index: 0, child: top.children[0], pos: 0 }
  top.posBeforeChild = (child) => {
    const { node, children } = top
    const isAhead = last.of === node && children[last.index] === last.child
    let { index, pos } = isAhead ? last : { index: 0, pos: top.posAtStart }
    const begun = index
    while (index < children.length && children[index] !== child) pos += children[index++]?.size ?? 0
    if (index === children.length) {
      index = 0
      pos = top.posAtStart
      while (index < begun && children[index] !== child) pos += children[index++]?.size ?? 0
    }
    last = { of: node, index, child, pos }
    return pos
  }
}
