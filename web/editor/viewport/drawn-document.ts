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

interface DrawnParent {
  readonly node?: Node
  readonly children: readonly Drawn[]
  readonly posAtStart: number
  posBeforeChild(child: Drawn): number
}

interface DrawnDocument extends DrawnParent {
  readonly node: Node
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

/** Of a parent the child that was asked for last, and how far behind the start it stands. */
interface Counted {
  readonly of: Node
  readonly index: number
  readonly child: Drawn
  readonly offset: number
}

const fewChildren = 20

/** Prototypes of what the view draws that count once. */
const counting = new WeakSet<object>()

/**
 * For each block that it draws anew the view adds up the sizes of all before it in its parent: of
 * ten thousand changed at once, in the document or in one list, that was the larger part of the
 * time. Asked in order, each is found from the one before.
 */
export function countPositionsOnce(view: EditorView): void {
  const drawn = prototypeWith(drawnIn(view), 'posBeforeChild')
  if (counting.has(drawn)) return
  counting.add(drawn)
  const counted = new WeakMap<DrawnParent, Counted>()
  const count = drawn.posBeforeChild
  drawn.posBeforeChild = function (this: DrawnParent, child) {
    const { node, children } = this
    // Drawn anew, a piece of a text may be another piece of the same.
    if (children.length <= fewChildren || !node || node.inlineContent)
      return count.call(this, child)
    const before = counted.get(this)
    const isAsBefore = before?.of === node && children[before.index] === before.child
    const found =
      (isAsBefore && countedTo(child, children, before)) ||
      countedTo(child, children, { index: 0, offset: 0 })
    if (!found) return count.call(this, child)
    counted.set(this, { of: node, child, ...found })
    return this.posAtStart + found.offset
  }
}

interface Place {
  readonly index: number
  readonly offset: number
}

/** Of a child at `from` or behind it. */
function countedTo(child: Drawn, children: readonly Drawn[], from: Place): Place | undefined {
  let { index, offset } = from
  for (; index < children.length; index++) {
    if (children[index] === child) return { index, offset }
    offset += children[index]?.size ?? 0
  }
  return undefined
}

function prototypeWith<Drawn extends object>(of: Drawn, name: keyof Drawn): Drawn {
  let found = of
  while (!Object.hasOwn(found, name)) found = Object.getPrototypeOf(found) as Drawn
  return found
}
