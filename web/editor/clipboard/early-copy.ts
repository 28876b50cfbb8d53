/**
 * A copy or cut that came before what prints markdown. The browser takes the words at once, as it
 * must within the event; once the markdown is there it takes their place on the clipboard, unless
 * something else was copied since, here or (one has left the window) elsewhere.
 */
import type { Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { copyHtml } from '../../platform/clipboard.ts'

/** Call it within the event. */
export function copyAgain(view: EditorView, printing: Promise<(slice: Slice) => string>): void {
  const { selection } = view.state
  if (selection.empty) return
  const slice = selection.content()
  const html = view.serializeForClipboard(slice).dom.innerHTML
  const ends = new AbortController()
  const once = { signal: ends.signal, capture: true }
  const markdown = printing.then((print) => {
    ends.signal.throwIfAborted()
    return print(slice)
  })
  for (const kind of ['copy', 'cut']) document.addEventListener(kind, () => ends.abort(), once)
  window.addEventListener('blur', () => ends.abort(), once)
  // Where it may not, or cannot be printed, the words are what was copied.
  copyHtml(html, markdown)
    .catch(() => undefined)
    .finally(() => ends.abort())
}
