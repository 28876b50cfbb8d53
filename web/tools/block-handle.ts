/**
 * The handle of the block under the mouse: which block it is for, its menu, and the drag that moves
 * the block. By keys the menu opens for the selected blocks. Positions follow the document.
 */
import { NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Doors } from '../editor/commands/doors.ts'
import { moveUnitsTo, selectedUnits, type UnitSpan } from '../editor/commands/moving.ts'
import { createStore, type Readable } from '../store.ts'
import { perform } from './perform.ts'
import { type DropPlace, dropPlace, elementAt, unitAtHeight } from './units-on-page.ts'

export interface HandleState {
  readonly element: HTMLElement
  readonly isOpen: boolean
}

export interface BlockHandle {
  readonly plugin: Plugin
  readonly state: Readable<HandleState | undefined>
  /** Where the block begins now. */
  pos(view: EditorView): number | undefined
  /** Where the block that is dragged would go. */
  readonly drop: Readable<DropPlace | undefined>
  open(view: EditorView): void
  close(view: EditorView): void
  /** The mouse left the handle itself for another part of the page. */
  leave(view: EditorView, to: EventTarget | null): void
  startDrag(view: EditorView, data: DataTransfer): void
  endDrag(view: EditorView): void
}

interface Held {
  readonly at?: number | undefined
  readonly isOpen?: boolean
  readonly dragged?: UnitSpan | undefined
}

const key = new PluginKey<Held>('block-handle')

function next(tr: Transaction, held: Held): Held {
  const meta = tr.getMeta(key) as Held | undefined
  const { at, dragged } = held
  const mapped = tr.docChanged ? { ...held, at: map(tr, at), dragged: mapSpan(tr, dragged) } : held
  return meta === undefined ? mapped : { ...mapped, ...meta }
}

function mapSpan(tr: Transaction, span: UnitSpan | undefined): UnitSpan | undefined {
  if (span === undefined) return undefined
  const [from, to] = [tr.mapping.map(span.from, 1), tr.mapping.map(span.to, -1)]
  return from < to ? { from, to } : undefined
}

function map(tr: Transaction, pos: number | undefined): number | undefined {
  const mapped = pos === undefined ? undefined : tr.mapping.mapResult(pos)
  return mapped === undefined || mapped.deletedAfter ? undefined : mapped.pos
}

export function createBlockHandle(doors: Doors): BlockHandle {
  const shown = createStore<HandleState | undefined>(undefined)
  const drop = createStore<DropPlace | undefined>(undefined)
  let frame: number | undefined
  const set = (view: EditorView, change: Held) => {
    const held = key.getState(view.state) ?? {}
    const isSame = Object.entries(change).every(([name, value]) => held[name as 'at'] === value)
    if (!isSame) view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))
  }
  const look = (view: EditorView, y: number) => {
    frame = undefined
    if (view.isDestroyed || !view.editable) return
    const { isOpen, dragged } = key.getState(view.state) ?? {}
    if (isOpen !== true && dragged === undefined) set(view, { at: unitAtHeight(view, y) })
  }
  const hide = (view: EditorView) => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    if (key.getState(view.state)?.isOpen !== true) set(view, { at: undefined })
  }
  const plugin = new Plugin<Held>({
    key,
    state: { init: () => ({}), apply: next },
    props: {
      handleDOMEvents: {
        mousemove(view, event) {
          if (event.buttons > 0 || frame !== undefined) return false
          const { clientY } = event
          frame = requestAnimationFrame(() => look(view, clientY))
          return false
        },
        mouseleave(view, event) {
          const to = event.relatedTarget
          if (!(to instanceof Element && to.closest('.handle'))) hide(view)
          return false
        },
        keydown: (view) => {
          hide(view)
          return false
        },
        dragover(view, event) {
          if (key.getState(view.state)?.dragged === undefined) return false
          event.preventDefault()
          drop.set(dropPlace(view, event.clientY))
          return true
        },
        drop(view, event) {
          const dragged = key.getState(view.state)?.dragged
          if (dragged === undefined) return false
          event.preventDefault()
          const place = dropPlace(view, event.clientY)
          set(view, { dragged: undefined, at: undefined })
          drop.set(undefined)
          if (place !== undefined) perform(view, moveUnitsTo(dragged, place.target))
          return true
        },
      },
    },
    view(view) {
      const stop = doors.answer('block-menu', () => {
        const range = view.editable ? selectedUnits(view.state) : undefined
        if (range !== undefined) set(view, { at: range.start, isOpen: true })
      })
      return {
        update(updated) {
          const { at: pos, isOpen = false } = key.getState(updated.state) ?? {}
          const element = pos === undefined ? undefined : elementAt(updated, pos)
          const old = shown.get()
          if (element === undefined) shown.set(undefined)
          else if (old?.element !== element || old.isOpen !== isOpen) {
            shown.set({ element, isOpen })
          }
        },
        destroy() {
          if (frame !== undefined) cancelAnimationFrame(frame)
          stop()
          shown.set(undefined)
        },
      }
    },
  })
  return {
    plugin,
    state: shown,
    pos: (view) => key.getState(view.state)?.at,
    drop,
    open(view) {
      const pos = key.getState(view.state)?.at
      if (pos === undefined) return
      selectAt(view, pos)
      set(view, { isOpen: true })
    },
    close: (view) => set(view, { isOpen: false, at: undefined }),
    leave(view, to) {
      if (!(to instanceof Element && view.dom.contains(to))) hide(view)
    },
    startDrag(view, data) {
      const pos = key.getState(view.state)?.at
      const element = pos === undefined ? undefined : elementAt(view, pos)
      if (pos === undefined || element === undefined) return
      selectAt(view, pos)
      const { dom, text } = view.serializeForClipboard(view.state.selection.content())
      data.setData('text/html', dom.innerHTML)
      data.setData('text/plain', text)
      data.effectAllowed = 'copyMove'
      data.setDragImage(element, 0, 0)
      const range = selectedUnits(view.state)
      set(view, { dragged: { from: range?.start ?? pos, to: range?.end ?? pos } })
      document.body.classList.add('is-moving-block')
    },
    endDrag(view) {
      document.body.classList.remove('is-moving-block')
      drop.set(undefined)
      set(view, { dragged: undefined, at: undefined })
    },
  }
}

function selectAt(view: EditorView, pos: number): void {
  const { selection, doc, tr } = view.state
  const range = selectedUnits(view.state)
  const isWithin = !selection.empty && range !== undefined && range.start <= pos && pos < range.end
  if (!isWithin) view.dispatch(tr.setSelection(NodeSelection.create(doc, pos)))
}
