/**
 * Which block or item a height of the page belongs to, and where it stands there. Works on the line
 * that is there, so that an item within an item is found wherever the mouse is on its line.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { holdsUnits, isList, nodes } from '../editor/model/nodes.ts'

/** The text's column without the gutter that belongs to it. */
export function columnOf(view: EditorView): { readonly left: number; readonly right: number } {
  const { left, right } = view.dom.getBoundingClientRect()
  const style = getComputedStyle(view.dom)
  return {
    left: left + Number.parseFloat(style.paddingLeft),
    right: right - Number.parseFloat(style.paddingRight),
  }
}

/** Where the block or item on the line at `y` begins; undefined beside all text. */
export function unitAtHeight(view: EditorView, y: number): number | undefined {
  const { left, right } = columnOf(view)
  const found = view.posAtCoords({ left: Math.max(left + 1, right - 24), top: y })
  if (found === null) return undefined
  const { doc } = view.state
  const node = found.inside < 0 ? null : doc.nodeAt(found.inside)
  const isLeaf = node?.isBlock === true && node.isAtom
  const $pos = doc.resolve(isLeaf ? found.inside : found.pos)
  for (let depth = $pos.depth; depth >= 0; depth--) {
    if (!holdsUnits($pos.node(depth))) continue
    const pos = depth === $pos.depth ? $pos.pos : $pos.before(depth + 1)
    const unit = doc.nodeAt(pos)
    return unit === null || unit.type === nodes.front_matter ? undefined : pos
  }
  return undefined
}

export function elementAt(view: EditorView, pos: number): HTMLElement | undefined {
  const dom = view.nodeDOM(pos)
  return dom instanceof HTMLElement ? dom : undefined
}

/** The box of the first line of the block at `pos`, in the window. */
export function firstLine(view: EditorView, pos: number): DOMRect | undefined {
  const element = elementAt(view, pos)
  const node = view.state.doc.nodeAt(pos)
  if (element === undefined || node === null) return undefined
  const rect = element.getBoundingClientRect()
  const inside = textStart(node)
  if (inside === undefined)
    return new DOMRect(rect.left, rect.top, rect.width, Math.min(rect.height, 40))
  const { top, bottom } = view.coordsAtPos(pos + inside)
  return new DOMRect(rect.left, top, rect.width, bottom - top)
}

/** How far into a block its first text begins; undefined where it has none. */
function textStart(node: Node): number | undefined {
  let inside = 0
  for (let at: Node | null = node; at !== null; at = at.firstChild) {
    inside++
    if (at.isTextblock) return inside
  }
  return undefined
}

/** Where what is dropped at `y` goes, and the line that shows it. */
export interface DropTarget {
  readonly pos: number
  readonly line: { readonly left: number; readonly top: number; readonly width: number }
}

export function dropTarget(view: EditorView, y: number): DropTarget | undefined {
  const pos = unitAtHeight(view, y)
  const element = pos === undefined ? undefined : elementAt(view, pos)
  const unit = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos === undefined || element === undefined || unit === null) return undefined
  const { left, top, bottom } = element.getBoundingClientRect()
  const line = { left, width: columnOf(view).right - left }
  const own = ownBox(view, pos, unit) ?? { top, bottom }
  if (y < (own.top + own.bottom) / 2) return { pos, line: { ...line, top } }
  const nested = nestedList(unit)
  const inside = nested === undefined ? unit.nodeSize : nested
  return { pos: pos + inside, line: { ...line, top: own.bottom } }
}

/** The box of an item's own text, without the items in it. */
function ownBox(view: EditorView, pos: number, unit: Node) {
  if (unit.type !== nodes.list_item) return undefined
  return elementAt(view, pos + 1)?.getBoundingClientRect()
}

/** How far into an item the list right below its text begins. */
function nestedList(unit: Node): number | undefined {
  if (unit.type !== nodes.list_item) return undefined
  const [first, second] = unit.children
  return first !== undefined && second !== undefined && isList(second)
    ? 1 + first.nodeSize + 1
    : undefined
}
