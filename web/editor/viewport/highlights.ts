/**
 * Tints stretches of text by the CSS Custom Highlight API: the text's elements stay as they are. A
 * browser without it shows no tint, and nothing else is missing there.
 */
import type { EditorView } from 'prosemirror-view'

/** Lets `::highlight(name)` cover these ranges and no others. */
export function setHighlight(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}

/** The stretch of the page's text between two positions. */
export function domRange(view: EditorView, from: number, to: number): Range {
  const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)]
  const range = document.createRange()
  range.setStart(start.node, start.offset)
  range.setEnd(end.node, end.offset)
  return range
}
