/** Emoji by `:` and a name: a list after two letters, or the whole name with a second `:`. */
import type { EditorView } from 'prosemirror-view'
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
    closedBy: (filter) => book?.emojiNamed(filter.toLowerCase()),
    run(view, { emoji }) {
      view.dispatch(view.state.tr.insertText(emoji))
      view.focus()
    },
  })
  return menu
}
