/**
 * Shows for 1.2 s where somebody who is not here wrote, with their name, and scrolls nothing. Boxes
 * are laid over the text on the screen only; what is off the screen is the chip's (edit-chip.ts).
 */
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../editor/model/doc-range.ts'
import { domRange } from '../editor/viewport/highlights.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import type { AuthorBook } from './author-book.ts'
import type { Overlay } from './overlay.ts'

const flashMs = 1_200
const boxesMax = 200

export interface FlashParts {
  readonly view: EditorView
  readonly overlay: Overlay
  readonly book: AuthorBook
}

/** Draws now; the boxes go by themselves. With `actor`, in their hue and under their name. */
export function flash(parts: FlashParts, stretch: DocRange, actor: string | undefined): void {
  const { view, overlay, book } = parts
  const seen = visibleRange(view)
  const from = Math.max(stretch.from, seen.from)
  const to = Math.min(stretch.to, seen.to)
  const boxes = from <= to ? boxesOf(view, { from, to }) : []
  const [first] = boxes
  if (first === undefined) return
  const group = document.createElement('div')
  group.className = 'flash'
  const author = actor === undefined ? undefined : book.author(actor)
  if (author !== undefined) group.style.setProperty('--by', `var(--author-${author.hue})`)
  const origin = overlay.element.getBoundingClientRect()
  for (const box of boxes) {
    const element = document.createElement('div')
    element.className = 'flash-box'
    element.style.setProperty('left', `${box.left - origin.left}px`)
    element.style.setProperty('top', `${box.top - origin.top}px`)
    element.style.setProperty('width', `${box.right - box.left}px`)
    element.style.setProperty('height', `${box.bottom - box.top}px`)
    group.append(element)
  }
  const name = document.createElement('span')
  const write = () => {
    name.textContent = actor === undefined ? '' : book.author(actor).name
  }
  const stopWriting = book.changes.subscribe(write)
  if (author !== undefined) {
    write()
    name.className = 'flash-name'
    name.style.setProperty('left', `${first.left - origin.left}px`)
    name.style.setProperty('top', `${first.top - origin.top}px`)
    group.append(name)
  }
  overlay.element.append(group)
  window.setTimeout(() => {
    stopWriting()
    group.remove()
  }, flashMs)
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const pointPx = 4

/** Where something was: a bar between two characters, a line between two blocks. */
function pointBox(view: EditorView, pos: number): Box | undefined {
  const $pos = view.state.doc.resolve(pos)
  if ($pos.parent.inlineContent) {
    if ($pos.parent.content.size === 0) return blockBox(view, $pos.before())[0]
    const { left, top, bottom } = view.coordsAtPos(pos)
    return { left: left - pointPx / 2, top, right: left + pointPx / 2, bottom }
  }
  const before = $pos.nodeBefore
  const beside = before === null ? view.nodeDOM(pos) : view.nodeDOM(pos - before.nodeSize)
  if (!(beside instanceof HTMLElement)) return undefined
  const { left, right, top, bottom } = beside.getBoundingClientRect()
  const edge = before === null ? top - pointPx : bottom + pointPx
  return { left: left - 4, top: edge - pointPx / 2, right: right + 4, bottom: edge + pointPx / 2 }
}

/** One box for each text block that is covered whole, else one for each line of it. */
function boxesOf(view: EditorView, { from, to }: DocRange): Box[] {
  if (from === to) return [pointBox(view, from)].filter((box) => box !== undefined)
  const boxes: Box[] = []
  view.state.doc.nodesBetween(from, Math.max(to, from + 1), (node, pos) => {
    if (boxes.length >= boxesMax) return false
    if (!node.isTextblock && !node.isLeaf) return true
    const end = pos + node.nodeSize
    const isWhole = from <= pos + 1 && end - 1 <= to
    if (isWhole || node.content.size === 0) boxes.push(...blockBox(view, pos))
    else boxes.push(...lineBoxes(view, Math.max(from, pos + 1), Math.min(to, end - 1)))
    return false
  })
  return boxes
}

function blockBox(view: EditorView, pos: number): Box[] {
  const element = view.nodeDOM(pos)
  if (!(element instanceof HTMLElement)) return []
  const { left, top, right, bottom } = element.getBoundingClientRect()
  // A cell has its own room around the text.
  const room = element.matches('td, th') ? 0 : 4
  return [{ left: left - room, top, right: right + room, bottom }]
}

function lineBoxes(view: EditorView, from: number, to: number): Box[] {
  const boxes: Box[] = []
  const range = domRange(view, from, Math.max(from, to))
  for (const { left, top, right, bottom } of range.getClientRects()) {
    const last = boxes.at(-1)
    if (right - left < 1) continue
    const isSameLine = last !== undefined && Math.abs(last.bottom - bottom) < 4
    if (last !== undefined && isSameLine) {
      boxes[boxes.length - 1] = {
        left: Math.min(last.left, left),
        top: Math.min(last.top, top),
        right: Math.max(last.right, right),
        bottom: Math.max(last.bottom, bottom),
      }
    } else boxes.push({ left, top, right, bottom })
  }
  return boxes
}
