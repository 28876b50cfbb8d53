/** The only door to what the view keeps private: the document as it has drawn it. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { commonEnds } from '../../../schema/diff/ends.ts'
import { clearsAll } from './grouped-children.ts'
import type { Ends } from './told-selection.ts'

/** A node as the view has drawn it. */
interface Drawn {
  readonly size: number
  readonly node?: Node
  destroy(): void
}

interface DrawnParent {
  readonly node?: Node
  readonly posAtStart: number
  readonly contentDOM: HTMLElement | null
  children: Drawn[]
  dirty: number
  posBeforeChild(child: Drawn): number
  updateChildren(view: EditorView, pos: number): void
}

/** Elements of a node do not stand as its children are. */
const contentDirty = 2

interface DrawnDocument extends DrawnParent {
  readonly node: Node
  setSelection(anchor: number, head: number, ...rest: unknown[]): void
}

const drawnIn = (view: EditorView): DrawnDocument =>
  (view as unknown as { readonly docView: DrawnDocument }).docView

/** Where what this element draws begins. */
export const startOfDrawn = (element: Element): number | undefined =>
  (element as { readonly pmViewDesc?: { readonly posBefore: number } }).pmViewDesc?.posBefore

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

const massRemoval = 500

/**
 * Where very many blocks, or most of very many items, are taken away at once, all are taken off
 * the page by one call, and what goes is gone before others come. One by one the browser looks for
 * each at what is behind it; the view puts each that comes in front of all that are still to go,
 * and what becomes another kind of block keeps its text only where it is the next that is drawn.
 */
export function removeMassesAtOnce(view: EditorView): void {
  const drawn = prototypeWith(drawnIn(view), 'updateChildren')
  if (removing.has(drawn)) return
  removing.add(drawn)
  const draw = drawn.updateChildren
  drawn.updateChildren = function (this: DrawnParent, of, pos) {
    if (this.children.length >= massRemoval && !of.composing) removeMasses(this)
    draw.call(this, of, pos)
  }
}

/** Prototypes of what the view draws that do so. */
const removing = new WeakSet<object>()

function removeMasses(drawn: DrawnParent): void {
  const { node, children } = drawn
  if (!node || node.inlineContent) return
  const blocks = children.map((child) => child.node)
  const { front, back } = commonEnds<Node | undefined>(blocks, node.children)
  const end = children.length - back
  if (end - front < massRemoval) return
  const next = new Map(
    node.children.slice(front, node.childCount - back).map((child) => [idOf(child), child]),
  )
  const middle = children.slice(front, end).map((child) => {
    return { child, was: child.node, is: next.get(idOf(child.node)) }
  })
  // Drawn on neither as they are nor as what became of them.
  const goneCount = middle.filter(({ was, is }) => was?.type !== is?.type).length
  const clear = clearsAll(drawn.contentDOM)
  if (goneCount < (clear ? massRemoval : Math.max(massRemoval, children.length / 2))) return
  if (clear) clear()
  else drawn.contentDOM?.replaceChildren()
  const staying: Drawn[] = []
  for (const { child, was, is } of middle) {
    const isText = was?.isTextblock === true && is?.isTextblock === true
    if (was?.type === is?.type || isText) staying.push(child)
    else child.destroy()
  }
  drawn.children = [...children.slice(0, front), ...staying, ...children.slice(end)]
  drawn.dirty = contentDirty
}

const idOf = (node: Node | undefined): unknown => node?.attrs['id']

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
