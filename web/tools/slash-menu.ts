/**
 * The slash menu's state. A `/` typed at the start of a block or behind a blank opens it; what is
 * typed on is the filter. It touches no text until something is chosen, which takes the filter away
 * in the same undo step. It remembers nothing.
 */
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { PageActions } from '../editor/commands/page-actions.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import { isInCode } from '../editor/model/nodes.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { itemsFor, type SlashItem } from './slash-items.ts'

export interface SlashState {
  /** Where the slash stands. */
  readonly from: number
  readonly filter: string
  readonly items: readonly SlashItem[]
  readonly selected: number
}

export const slashListId = 'slash-list'
export const slashOptionId = (index: number): string => `slash-option-${index}`

export interface SlashMenu {
  readonly plugin: Plugin
  readonly state: Readable<SlashState | undefined>
  choose(view: EditorView, item: SlashItem): void
  /** Writes a slash at the caret, as if it had been typed. */
  openAt(view: EditorView): void
}

type Meta = { readonly open: number } | { readonly select: number } | { readonly close: true }

const key = new PluginKey<SlashState | undefined>('slash')

function mayOpen({ selection: { $from } }: EditorState): boolean {
  if (!$from.parent.inlineContent || isInCode($from) || $from.depth === 0) return false
  return (
    $from.parentOffset === 0 || /\s$/.test($from.parent.textBetween(0, $from.parentOffset, '', '.'))
  )
}

function stateAt(from: number, state: EditorState, before?: SlashState): SlashState | undefined {
  const { $from, empty } = state.selection
  if (!empty || from < $from.start() || $from.pos <= from) return undefined
  const typed = state.doc.textBetween(from, $from.pos, '', '\ufffc')
  const filter = typed.slice(1)
  if (!typed.startsWith('/') || /^\s|\n|\ufffc/.test(filter)) return undefined
  const items = itemsFor(filter)
  if (items.length === 0 && /\s$/.test(filter)) return undefined
  if (before?.filter === filter) return before.from === from ? before : { ...before, from }
  return { from, filter, items, selected: 0 }
}

function next(tr: Transaction, open: SlashState | undefined, state: EditorState) {
  const meta = tr.getMeta(key) as Meta | undefined
  if (meta !== undefined && 'close' in meta) return undefined
  if (meta !== undefined && 'open' in meta) return stateAt(meta.open, state)
  if (open === undefined) return undefined
  if (meta !== undefined) return { ...open, selected: meta.select }
  if (!tr.docChanged && !tr.selectionSet) return open
  return stateAt(tr.mapping.map(open.from), state, open)
}

function choose(view: EditorView, item: SlashItem, actions: PageActions): void {
  const open = key.getState(view.state)
  if (open === undefined) return
  beginUndoStep(view.state)
  const tr = view.state.tr.delete(open.from, view.state.selection.from)
  view.dispatch(tr.setMeta(key, { close: true } satisfies Meta))
  if (typeof item.run === 'string') actions.run(item.run)
  else item.run(view.state, view.dispatch, view)
  beginUndoStep(view.state)
  if (typeof item.run !== 'string') view.focus()
}

const attributes: Readonly<Record<string, string>> = {
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  'aria-controls': slashListId,
}

function close(view: EditorView): void {
  view.dispatch(view.state.tr.setMeta(key, { close: true } satisfies Meta))
}

function select(view: EditorView, { items }: SlashState, wanted: number): void {
  const selected = (wanted + items.length) % Math.max(1, items.length)
  view.dispatch(view.state.tr.setMeta(key, { select: selected } satisfies Meta))
}

/** Writes a slash at the caret, as if it had been typed. */
function openAt(view: EditorView): void {
  const { from } = view.state.selection
  const before = from > 0 ? view.state.doc.textBetween(from - 1, from, '\n') : ''
  const lead = mayOpen(view.state) || before === '' ? '' : ' '
  const tr = view.state.tr.insertText(`${lead}/`)
  view.dispatch(tr.setMeta(key, { open: from + lead.length } satisfies Meta))
  view.focus()
}

type Answer = (view: EditorView, open: SlashState) => void

function keysWith(actions: PageActions): Readonly<Record<string, Answer>> {
  const take: Answer = (view, { items, selected }) => {
    const item = items[selected]
    if (item !== undefined) choose(view, item, actions)
  }
  return {
    ArrowDown: (view, open) => select(view, open, open.selected + 1),
    ArrowUp: (view, open) => select(view, open, open.selected - 1),
    Enter: take,
    Tab: take,
    Escape: close,
  }
}

export function createSlashMenu(actions: PageActions): SlashMenu {
  const shown = createStore<SlashState | undefined>(undefined)
  const keys = keysWith(actions)
  const plugin = new Plugin<SlashState | undefined>({
    key,
    state: {
      init: () => undefined,
      apply: (tr, open, _before, state) => next(tr, open, state),
    },
    props: {
      attributes: (state) => {
        const open = key.getState(state)
        if (open === undefined) return {} as Record<string, string>
        return { ...attributes, 'aria-activedescendant': slashOptionId(open.selected) }
      },
      handleTextInput(view, from, _to, text, insertion) {
        if (text !== '/' || view.composing || !mayOpen(view.state)) return false
        view.dispatch(insertion().setMeta(key, { open: from } satisfies Meta))
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
    choose: (view, item) => choose(view, item, actions),
    openAt,
  }
}
