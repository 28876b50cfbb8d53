/**
 * The state of a menu that is opened by a sign typed in the text, at the start of a block or behind
 * a blank; what is typed on is the filter. It touches no text until something is chosen, which
 * takes the filter away in the same undo step. It remembers nothing.
 */
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import { isInCode } from '../editor/model/nodes.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface TypedMenuState<Item> {
  /** Where the sign stands. */
  readonly from: number
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
  closedBy?(filter: string): Item | undefined
}

export interface TypedMenu<Item> {
  readonly plugin: Plugin
  readonly state: Readable<TypedMenuState<Item> | undefined>
  readonly listId: string
  optionId(index: number): string
  choose(view: EditorView, item: Item): void
  /** Writes the sign at the caret, as if it had been typed. */
  openAt(view: EditorView): void
  /** There are other items now. */
  refresh(view: EditorView): void
}

type Meta =
  | { readonly open: number }
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

  const stateAt = (from: number, state: EditorState, before?: State): State | undefined => {
    const { $from, empty } = state.selection
    if (!empty || from < $from.start() || $from.pos <= from) return undefined
    const typed = state.doc.textBetween(from, $from.pos, '', '\ufffc')
    const filter = typed.slice(parts.sign.length)
    if (!typed.startsWith(parts.sign) || /^\s|\n|\ufffc/.test(filter)) return undefined
    if (before?.filter === filter) return before.from === from ? before : { ...before, from }
    const items = parts.itemsFor(filter)
    return items && { from, filter, items, selected: 0 }
  }
  const next = (tr: Transaction, open: State | undefined, state: EditorState) => {
    const meta = tr.getMeta(key) as Meta | undefined
    if (meta !== undefined && 'close' in meta) return undefined
    if (meta !== undefined && 'open' in meta) return stateAt(meta.open, state)
    if (open === undefined) return undefined
    if (meta !== undefined && 'select' in meta) return { ...open, selected: meta.select }
    if (meta !== undefined) return stateAt(open.from, state)
    if (!tr.docChanged && !tr.selectionSet) return open
    return stateAt(tr.mapping.map(open.from), state, open)
  }
  const tell = (view: EditorView, meta: Meta) => view.dispatch(view.state.tr.setMeta(key, meta))
  const close = (view: EditorView) => tell(view, { close: true })
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
    Escape: close,
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
        const meant = open && parts.closedBy?.(open.filter)
        if (meant !== undefined) choose(view, meant)
        else if (mayOpen(view.state)) {
          view.dispatch(insertion().setMeta(key, { open: from } satisfies Meta))
          parts.onOpen?.(view)
        } else return false
        return true
      },
      handleKeyDown(view, event) {
        const open = key.getState(view.state)
        const answer = keys[event.key]
        if (open === undefined || answer === undefined) return false
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
        if (open.items.length === 0 && event.key !== 'Escape') return false
        answer(view, open)
        return true
      },
      handleDOMEvents: {
        blur: (view) => {
          if (key.getState(view.state) !== undefined) close(view)
          return false
        },
      },
    },
    view: () => ({
      update: (view) => shown.set(key.getState(view.state)),
      destroy: () => shown.set(undefined),
    }),
  })
  return {
    plugin,
    state: shown,
    listId,
    optionId,
    choose,
    openAt(view) {
      const { from } = view.state.selection
      const before = from > 0 ? view.state.doc.textBetween(from - 1, from, '\n') : ''
      const lead = mayOpen(view.state) || before === '' ? '' : ' '
      const tr = view.state.tr.insertText(`${lead}${parts.sign}`)
      view.dispatch(tr.setMeta(key, { open: from + lead.length } satisfies Meta))
      view.focus()
    },
    refresh(view) {
      if (key.getState(view.state) !== undefined) tell(view, { refresh: true })
    },
  }
}
