/**
 * The handle of the block under the mouse: which block it is for, its menu, and the drag that moves
 * the block. By keys the menu opens for the selected blocks. Positions follow the document.
 */
import { NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { moveUnitsTo, selectedUnits } from '../editor/commands/moving.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { perform } from './perform.ts'
import { type DropTarget, dropTarget, elementAt, unitAtHeight } from './units-on-page.ts'

export interface HandleState {
  readonly element: HTMLElement
  readonly isOpen: boolean
}

interface Held {
  readonly at?: number | undefined
  readonly isOpen?: boolean
  readonly dragged?: DocRange | undefined
}

const key = new PluginKey<Held>('block-handle')

function next(tr: Transaction, held: Held): Held {
  const meta = tr.getMeta(key) as Held | undefined
  const { at, dragged } = held
  const mapped = tr.docChanged ? { ...held, at: map(tr, at), dragged: mapSpan(tr, dragged) } : held
  return meta === undefined ? mapped : { ...mapped, ...meta }
}

function mapSpan(tr: Transaction, span: DocRange | undefined): DocRange | undefined {
  if (span === undefined) return undefined
  const [from, to] = [tr.mapping.map(span.from, 1), tr.mapping.map(span.to, -1)]
  return from < to ? { from, to } : undefined
}

function map(tr: Transaction, pos: number | undefined): number | undefined {
  const mapped = pos === undefined ? undefined : tr.mapping.mapResult(pos)
  return mapped === undefined || mapped.deletedAfter ? undefined : mapped.pos
}

const heldIn = (view: EditorView): Held => key.getState(view.state) ?? {}

function hold(view: EditorView, change: Held): void {
  const held = heldIn(view)
  const isSame = Object.entries(change).every(([name, value]) => held[name as 'at'] === value)
  if (!isSame) view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))
}

export class BlockHandle {
  readonly plugin: Plugin
  readonly #actions: PageActions
  readonly #shown = createStore<HandleState | undefined>(undefined)
  readonly #drop = createStore<DropTarget | undefined>(undefined)
  #frame: number | undefined

  constructor(actions: PageActions) {
    this.#actions = actions
    this.plugin = this.#makePlugin()
  }

  get state(): Readable<HandleState | undefined> {
    return this.#shown
  }

  /** Where the block that is dragged would go. */
  get drop(): Readable<DropTarget | undefined> {
    return this.#drop
  }

  /** Where the block begins now. */
  pos(view: EditorView): number | undefined {
    return heldIn(view).at
  }

  open(view: EditorView): void {
    const pos = this.pos(view)
    if (pos === undefined) return
    selectAt(view, pos)
    hold(view, { isOpen: true })
  }

  close(view: EditorView): void {
    hold(view, { isOpen: false, at: undefined })
  }

  /** The mouse left the handle itself for another part of the page. */
  leave(view: EditorView, to: EventTarget | null): void {
    if (!(to instanceof Element && view.dom.contains(to))) this.#hide(view)
  }

  startDrag(view: EditorView, data: DataTransfer): void {
    const pos = this.pos(view)
    const element = pos === undefined ? undefined : elementAt(view, pos)
    if (pos === undefined || element === undefined) return
    selectAt(view, pos)
    const { dom, text } = view.serializeForClipboard(view.state.selection.content())
    data.setData('text/html', dom.innerHTML)
    data.setData('text/plain', text)
    data.effectAllowed = 'copyMove'
    data.setDragImage(element, 0, 0)
    const range = selectedUnits(view.state)
    hold(view, { dragged: { from: range?.start ?? pos, to: range?.end ?? pos } })
    document.body.classList.add('is-moving-block')
  }

  endDrag(view: EditorView): void {
    document.body.classList.remove('is-moving-block')
    this.#drop.set(undefined)
    hold(view, { dragged: undefined, at: undefined })
  }

  #look(view: EditorView, y: number): void {
    this.#frame = undefined
    if (view.isDestroyed || !view.editable) return
    const { isOpen, dragged } = heldIn(view)
    if (isOpen !== true && dragged === undefined) hold(view, { at: unitAtHeight(view, y) })
  }

  #hide(view: EditorView): false {
    this.#stopLooking()
    if (heldIn(view).isOpen !== true) hold(view, { at: undefined })
    return false
  }

  #stopLooking(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
  }

  #show(view: EditorView): void {
    const { at: pos, isOpen = false } = heldIn(view)
    const element = pos === undefined ? undefined : elementAt(view, pos)
    const old = this.#shown.get()
    if (element === undefined) this.#shown.set(undefined)
    else if (old?.element !== element || old.isOpen !== isOpen) this.#shown.set({ element, isOpen })
  }

  #onMove(view: EditorView, { buttons, clientY }: MouseEvent): false {
    if (buttons === 0) this.#frame ??= requestAnimationFrame(() => this.#look(view, clientY))
    return false
  }

  #onDragOver(view: EditorView, event: DragEvent): boolean {
    if (heldIn(view).dragged === undefined) return false
    event.preventDefault()
    this.#drop.set(dropTarget(view, event.clientY))
    return true
  }

  #onDrop(view: EditorView, event: DragEvent): boolean {
    const { dragged } = heldIn(view)
    if (dragged === undefined) return false
    event.preventDefault()
    const target = dropTarget(view, event.clientY)
    // The grip is taken off the page with this: its own `dragend` is never heard.
    this.endDrag(view)
    if (target !== undefined) perform(view, moveUnitsTo(dragged, target.pos))
    return true
  }

  #makePlugin(): Plugin<Held> {
    return new Plugin<Held>({
      key,
      state: { init: () => ({}), apply: next },
      props: {
        handleDOMEvents: {
          mousemove: (view, event) => this.#onMove(view, event),
          mouseleave: (view, { relatedTarget: to }) =>
            to instanceof Element && to.closest('.handle') ? false : this.#hide(view),
          keydown: (view) => this.#hide(view),
          dragover: (view, event) => this.#onDragOver(view, event),
          drop: (view, event) => this.#onDrop(view, event),
        },
      },
      view: (view) => {
        const stop = this.#actions.handle('block-menu', () => {
          const range = view.editable ? selectedUnits(view.state) : undefined
          if (range !== undefined) hold(view, { at: range.start, isOpen: true })
        })
        return {
          update: (updated) => this.#show(updated),
          destroy: () => {
            this.#stopLooking()
            stop()
            this.#shown.set(undefined)
          },
        }
      },
    })
  }
}

function selectAt(view: EditorView, pos: number): void {
  const { selection, doc, tr } = view.state
  const range = selectedUnits(view.state)
  const isWithin = !selection.empty && range !== undefined && range.start <= pos && pos < range.end
  if (!isWithin) view.dispatch(tr.setSelection(NodeSelection.create(doc, pos)))
}
