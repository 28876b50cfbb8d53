/**
 * Tints stretches of text by the CSS Custom Highlight API: the text's elements stay as they are. A
 * browser without it shows no tint, and nothing else is missing there.
 */
import type { EditorView } from 'prosemirror-view'
import { hueCount } from './hues.ts'

export interface TintedRange {
  readonly hue: number
  readonly from: number
  readonly to: number
}

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

/** The others' selections: `::highlight(selection-<hue>)`. */
export function showSelections(view: EditorView, selections: readonly TintedRange[]): void {
  for (let hue = 0; hue < hueCount; hue++) {
    const own = selections.filter((selection) => selection.hue === hue)
    setHighlight(
      `selection-${hue}`,
      own.map(({ from, to }) => domRange(view, from, to)),
    )
  }
}
