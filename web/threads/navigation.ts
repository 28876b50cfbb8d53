/** To the words of a thread, and from one thread to the next. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { rangesIn } from './highlights.ts'

/** Brings its words to where they are read; false: they are nowhere. */
export function showWords(view: EditorView, id: string): boolean {
  const range = rangesIn(view.state).get(id)
  if (range === undefined) return false
  scrollToPosition(view, range.isBlock ? range.from + 1 : range.from)
  return true
}

/** The focus goes back to the text, the caret to the words. */
export function goBackToText(view: EditorView, id: string): void {
  const range = rangesIn(view.state).get(id)
  if (range !== undefined) {
    const at = view.state.doc.resolve(range.isBlock ? range.from + 1 : range.from)
    view.dispatch(view.state.tr.setSelection(TextSelection.near(at)))
  }
  view.focus()
}

/**
 * The thread to go to next: from the open one, else from the caret on. `ids` are in order, those
 * before `order` begins have no words.
 */
export function nextFrom(
  view: EditorView,
  ids: readonly string[],
  { active, way }: { readonly active: string | undefined; readonly way: 1 | -1 },
): string | undefined {
  const open = active === undefined ? -1 : ids.indexOf(active)
  if (open >= 0) return ids[(open + way + ids.length) % ids.length]
  const ranges = rangesIn(view.state)
  const { head } = view.state.selection
  const isBehind = (id: string) => (ranges.get(id)?.from ?? -1) >= head
  if (way === 1) return ids.find(isBehind) ?? ids[0]
  return ids.findLast((id) => !isBehind(id)) ?? ids.at(-1)
}
