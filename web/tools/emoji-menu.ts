/** Emoji by `:` and a name: a list after two letters, or the whole name with a second `:`. */
import type { EditorView } from 'prosemirror-view'
import { keepPlace, takePlace } from '../editor/binding/pending-places.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import type { Emoji } from './emoji.ts'
import { createTypedMenu, type TypedMenu } from './typed-menu.ts'

export type EmojiMenu = TypedMenu<Emoji>

const listedFrom = 2

export function createEmojiMenu(): EmojiMenu {
  let book: typeof import('./emoji.ts') | undefined
  const load = async (view: EditorView) => {
    if (book !== undefined) return
    book = await import('./emoji.ts')
    if (!view.isDestroyed) menu.refresh(view)
  }
  /** A name that was typed to its end before there was a book. */
  const late = async (view: EditorView, typed: string, from: number) => {
    const place = keepPlace(view, { from, to: from + typed.length })
    await load(view).catch(() => undefined)
    if (view.isDestroyed) return
    const range = takePlace(view, place)
    const isThere = view.state.doc.textBetween(range.from, range.to) === typed
    const meant = isThere && book?.emojiNamed(typed.slice(1, -1).toLowerCase())
    if (!meant) return
    beginUndoStep(view.state)
    view.dispatch(view.state.tr.insertText(meant.emoji, range.from, range.to))
    beginUndoStep(view.state)
  }
  const menu: EmojiMenu = createTypedMenu<Emoji>({
    name: 'emoji',
    sign: ':',
    itemsFor(filter) {
      if (!/^[\w+-]*$/.test(filter)) return undefined
      if (filter.length < listedFrom || book === undefined) return []
      return book.emojiFor(filter)
    },
    // Where they cannot be had there is no list.
    onOpen: (view) => void load(view).catch(() => undefined),
    closedBy(filter, view, from) {
      if (book !== undefined) return book.emojiNamed(filter.toLowerCase())
      // Behind the sign that is being typed.
      queueMicrotask(() => void late(view, `:${filter}:`, from))
      return undefined
    },
    run(view, { emoji }) {
      view.dispatch(view.state.tr.insertText(emoji))
      view.focus()
    },
  })
  return menu
}
