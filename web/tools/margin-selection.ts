/**
 * Whole blocks are selected by drawing along the margin beside them. What is selected is text, for
 * all that acts on selections; Backspace and Delete take the blocks away, not only their words.
 */
import { Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { selectedUnits, unitsOf } from '../editor/commands/moving.ts'
import { deleteUnits } from '../editor/commands/units.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { perform } from './perform.ts'
import { unitAtHeight } from './units-on-page.ts'

/** Whether the selection is of whole blocks. */
const key = new PluginKey<boolean>('margin-selection')

const drawnFromPx = 4
/** So near to an edge of the window the page scrolls. */
const edgePx = 48
/** A longer selection is shown as text alone. */
const litMax = 500

export function marginSelection(): Plugin<boolean> {
  return new Plugin<boolean>({
    key,
    state: {
      init: () => false,
      apply: (tr, isWhole) =>
        (tr.getMeta(key) as boolean | undefined) ?? (isWhole && !tr.selectionSet),
    },
    props: {
      decorations(state) {
        const range = key.getState(state) === true ? selectedUnits(state) : undefined
        if (range === undefined || range.endIndex - range.startIndex > litMax) return null
        let pos = range.start
        const lit = unitsOf(range).map((unit) => {
          pos += unit.nodeSize
          return Decoration.node(pos - unit.nodeSize, pos, { class: 'is-whole' })
        })
        return DecorationSet.create(state.doc, lit)
      },
      handleKeyDown(view, event) {
        const isRemoval = event.key === 'Backspace' || event.key === 'Delete'
        if (!isRemoval || key.getState(view.state) !== true || !view.editable) return false
        perform(view, deleteUnits)
        return true
      },
    },
    view: (view) => {
      const leave = new AbortController()
      const onDown = (event: MouseEvent) => {
        if (event.button === 0 && isMargin(event.target)) begin(view, event, leave.signal)
      }
      document.addEventListener('mousedown', onDown, { signal: leave.signal })
      return { destroy: () => leave.abort() }
    },
  })
}

const isMargin = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('main.page, main.page > .column')

/** Until the mouse is let go. */
function begin(view: EditorView, down: MouseEvent, closed: AbortSignal): void {
  const first = unitAt(view, down.clientY)
  if (first === undefined) return
  // Neither does the browser select from here, nor the text lose the focus.
  down.preventDefault()
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, closed])
  let [y, isDrawn] = [down.clientY, false]
  let frame: number | undefined
  const look = () => {
    frame = undefined
    const last = unitAt(view, y)
    if (last !== undefined) view.dispatch(selecting(view.state.tr, first, last))
    const speed = scrollSpeed(y)
    if (speed === 0) return
    window.scrollBy({ top: speed, behavior: 'instant' })
    frame = requestAnimationFrame(look)
  }
  const onMove = (event: MouseEvent) => {
    y = event.clientY
    isDrawn ||= Math.abs(y - down.clientY) >= drawnFromPx
    if (isDrawn) frame ??= requestAnimationFrame(look)
  }
  const end = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    done.abort()
    if (isDrawn) view.focus()
  }
  document.addEventListener('mousemove', onMove, { signal })
  document.addEventListener('mouseup', end, { signal })
  closed.addEventListener('abort', end, { signal: done.signal })
}

function scrollSpeed(y: number): number {
  if (y < 2 * edgePx) return (y - 2 * edgePx) / 4
  const over = y - (window.innerHeight - edgePx)
  return over > 0 ? over / 4 : 0
}

/** The block beside this height; above and below the text its first and its last. */
function unitAt(view: EditorView, y: number): DocRange | undefined {
  const { top, bottom } = view.dom.getBoundingClientRect()
  const lastBottom = view.dom.lastElementChild?.getBoundingClientRect().bottom ?? bottom
  const pos = unitAtHeight(view, Math.max(top + 1, Math.min(y, lastBottom - 2)))
  const unit = pos === undefined ? null : view.state.doc.nodeAt(pos)
  return pos === undefined || unit === null ? undefined : { from: pos, to: pos + unit.nodeSize }
}

function selecting(tr: Transaction, first: DocRange, last: DocRange): Transaction {
  const { doc } = tr
  const isDown = first.from <= last.from
  const [from, to] = [Math.min(first.from, last.from), Math.max(first.to, last.to)]
  const [start, end] = [doc.resolve(from), doc.resolve(Math.min(to, doc.content.size))]
  const selection = isDown
    ? TextSelection.between(start, end, 1)
    : TextSelection.between(end, start, -1)
  return tr.setSelection(selection).setMeta(key, true)
}
