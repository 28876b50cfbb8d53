/**
 * The keys that are answered wherever the focus is. A key that writes a character is one only where
 * nothing can be written.
 */
import { keydownHandler } from 'prosemirror-keymap'
import type { EditorView } from 'prosemirror-view'
import { pageBindings } from '../editor/commands/keymap.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import { shortcutsWith } from '../editor/commands/shortcuts.ts'
import { isComposing } from '../platform/composing.ts'

/** Listens until the returned function is called. */
export function listenForPageKeys(view: EditorView, actions: PageActions): () => void {
  const answer = keydownHandler(pageBindings(shortcutsWith(actions)))
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return
    const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey
    if (isCharacter && isWritable(event.target)) return
    if (answer(view, event)) event.preventDefault()
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

function isWritable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}
