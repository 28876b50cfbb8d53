/**
 * The state of a menu that is opened by a sign typed in the text, at the start of a block or behind
 * a blank, or by a button, which writes nothing; what is typed on is the filter. It touches no text
 * until something is chosen, which takes the filter away in the same undo step. Dismissed, a sign
 * that was typed stays; a filter without one goes, unless nothing is called that: then it is words.
 * It remembers nothing.
 */
import {
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isFromYjs } from '../editor/binding/change-origin.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import { isInCode } from '../editor/model/nodes.ts'
import { BackKey } from '../platform/back-key.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface TypedMenuState<Item> {
  /** Where the sign stands, or the filter where a button opened the menu. */
  readonly from: number
  /** Empty: a button opened it. */
  readonly sign: string
  readonly filter: string
  readonly items: readonly Item[]
  readonly selected: number
}

export interface TypedMenuParts<Item> {
  /** Names the list and its options. */
  readonly name: string
  readonly sign: string
  /** Undefined: what is typed is no filter, and the menu goes. */
  itemsFor(filter: string): readonly Item[] | undefined
  /** The sign and the filter are gone from the text. */
  run(view: EditorView, item: Item): void
  /** The sign was typed. */
  onOpen?(view: EditorView): void
  /** The sign was typed again, behind this filter: what is meant by it, if anything. */
  closedBy?(filter: string, view: EditorView, from: number): Item | undefined
}

export interface TypedMenu<Item> {
  readonly plugin: Plugin
  readonly state: Readable<TypedMenuState<Item> | undefined>
  readonly listId: string
  optionId(index: number): string
  choose(view: EditorView, item: Item): void
  /** Opens the menu at the caret, and writes nothing. */
  openAt(view: EditorView): void
  /** There are other items now. */
  refresh(view: EditorView): void
}

type Place = Pick<TypedMenuState<unknown>, 'from' | 'sign'>
type Meta =
  | { readonly open: Place }
  | { readonly select: number }
  | { readonly close: true }
  | { readonly refresh: true }

function mayOpen({ selection: { $from } }: EditorState): boolean {
  if (!$from.parent.inlineContent || isInCode($from) || $from.depth === 0) return false
  return (
    $from.parentOffset === 0 || /\s$/.test($from.parent.textBetween(0, $from.parentOffset, '', '.'))
  )
}

export function createTypedMenu<Item>(parts: TypedMenuParts<Item>): TypedMenu<Item> {
  type State = TypedMenuState<Item>
  const key = new PluginKey<State | undefined>(parts.name)
  const shown = createStore<State | undefined>(undefined)
  const listId = `${parts.name}-list`
  const optionId = (index: number) => `${parts.name}-option-${index}`

  const stateAt = (place: Place, state: EditorState, before?: State): State | undefined => {
    const { from, sign } = place
    const { $from, empty } = state.selection
    if (!empty || from < $from.start() || $from.pos < from + sign.length) return undefined
    const typed = state.doc.textBetween(from, $from.pos, '', '\ufffc')
    const filter = typed.slice(sign.length)
    if (!typed.startsWith(sign) || /^\s|\n|\ufffc/.test(filter)) return undefined
    if (before?.filter === filter) return before.from === from ? before : { ...before, from }
    const items = parts.itemsFor(filter)
    return items && { from, sign, filter, items, selected: 0 }
  }
  const next = (tr: Transaction, open: State | undefined, state: EditorState) => {
    const meta = tr.getMeta(key) as Meta | undefined
    if (meta !== undefined && 'close' in meta) return undefined
    if (meta !== undefined && 'open' in meta) return stateAt(meta.open, state)
    if (open === undefined) return undefined
    if (meta !== undefined && 'select' in meta) return { ...open, selected: meta.select }
    if (meta !== undefined) return stateAt(open, state)
    if (!tr.docChanged && !tr.selectionSet) return open
    const from = tr.mapping.map(open.from, open.sign === '' ? -1 : 1)
    const after = stateAt({ from, sign: open.sign }, state, open)
    // Where the caret went by itself, or another wrote, there are letters that are no filter.
    const isTyped = tr.docChanged && !isFromYjs(tr)
    return isTyped || after?.filter === open.filter ? after : undefined
  }
  const tell = (view: EditorView, meta: Meta) => view.dispatch(view.state.tr.setMeta(key, meta))
  /** The filter goes with a menu that is dismissed. */
  const withoutFilter = (tr: Transaction, { from, sign, filter, items }: State): Transaction =>
    sign === '' && items.length > 0 ? tr.delete(from, from + filter.length) : tr
  const dismiss = (view: EditorView, open: State) =>
    view.dispatch(withoutFilter(view.state.tr, open).setMeta(key, { close: true } satisfies Meta))
  const choose = (view: EditorView, item: Item) => {
    const open = key.getState(view.state)
    if (open === undefined) return
    beginUndoStep(view.state)
    const tr = view.state.tr.delete(open.from, view.state.selection.from)
    view.dispatch(tr.setMeta(key, { close: true } satisfies Meta))
    parts.run(view, item)
    beginUndoStep(view.state)
  }
  const select = (view: EditorView, { items }: State, wanted: number) =>
    tell(view, { select: (wanted + items.length) % Math.max(1, items.length) })
  const take = (view: EditorView, { items, selected }: State) => {
    const item = items[selected]
    if (item !== undefined) choose(view, item)
  }
  const keys: Readonly<Record<string, (view: EditorView, open: State) => void>> = {
    ArrowDown: (view, open) => select(view, open, open.selected + 1),
    ArrowUp: (view, open) => select(view, open, open.selected - 1),
    Enter: take,
    Tab: take,
    Escape: dismiss,
  }
  const attributes = { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' }

  const plugin = new Plugin<State | undefined>({
    key,
    state: {
      init: () => undefined,
      apply: (tr, open, _before, state) => next(tr, open, state),
    },
    props: {
      attributes(state) {
        const open = key.getState(state)
        if (open === undefined || open.items.length === 0) return {} as Record<string, string>
        const active = optionId(open.selected)
        return { ...attributes, 'aria-controls': listId, 'aria-activedescendant': active }
      },
      handleTextInput(view, from, _to, text, insertion) {
        if (text !== parts.sign || view.composing) return false
        const open = key.getState(view.state)
        const meant = open && parts.closedBy?.(open.filter, view, open.from)
        if (meant !== undefined) choose(view, meant)
        else if (mayOpen(view.state)) {
          const place = { from, sign: parts.sign }
          view.dispatch(insertion().setMeta(key, { open: place } satisfies Meta))
          parts.onOpen?.(view)
        } else return false
        return true
      },
      handleKeyDown(view, event) {
        const open = key.getState(view.state)
        const isBare = open?.sign === '' && open.filter === ''
        const answer = isBare && event.key === 'Backspace' ? dismiss : keys[event.key]
        if (open === undefined || answer === undefined) return false
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
        if (open.items.length === 0 && event.key !== 'Escape') return false
        answer(view, open)
        return true
      },
      handleDOMEvents: {
        blur: (view) => {
          const open = key.getState(view.state)
          if (open !== undefined) dismiss(view, open)
          return false
        },
      },
    },
    appendTransaction(trs, before, after) {
      const open = key.getState(before)
      const isLeft = open !== undefined && key.getState(after) === undefined
      if (!isLeft || trs.some((tr) => tr.docChanged || tr.getMeta(key) !== undefined)) return null
      return withoutFilter(after.tr, open)
    },
    view: (view) => {
      const back = new BackKey(() => {
        const open = key.getState(view.state)
        if (open !== undefined) dismiss(view, open)
      })
      return {
        update: () => {
          const open = key.getState(view.state)
          shown.set(open)
          back.listen(open !== undefined)
        },
        destroy: () => {
          shown.set(undefined)
          back.listen(false)
        },
      }
    },
  })
  return {
    plugin,
    state: shown,
    listId,
    optionId,
    choose,
    openAt(view) {
      const { tr, doc, selection } = view.state
      const from = selection.empty
        ? selection.from
        : Selection.near(doc.resolve(selection.to), -1).to
      tr.setSelection(TextSelection.create(doc, from))
      view.dispatch(tr.setMeta(key, { open: { from, sign: '' } } satisfies Meta))
      view.focus()
    },
    refresh(view) {
      if (key.getState(view.state) !== undefined) tell(view, { refresh: true })
    },
  }
}
