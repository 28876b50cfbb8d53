/**
 * The place where one reads stays while the text becomes larger, smaller, wider or narrower. The
 * browser keeps what it has laid out in its place; of what was never in sight it only guesses.
 */
import type { EditorView } from 'prosemirror-view'
import { textSize, textWidth } from '../platform/look.ts'
import { pagePane } from './panes.ts'
import { placeOf, showPlace } from './scroll-together.ts'

/** Until the returned function is called. */
export function keepScrollAnchor(view: EditorView): () => void {
  const page = pagePane(view)
  const keep = () => {
    if (!page.isShown()) return
    const place = placeOf(page)
    queueMicrotask(() => showPlace(page, place))
  }
  const stops = [textSize.subscribe(keep), textWidth.subscribe(keep)]
  return () => {
    for (const stop of stops) stop()
  }
}
