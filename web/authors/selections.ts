/** The others' selections, each in the hue of whose it is; the text's elements stay as they are. */
import type { EditorView } from 'prosemirror-view'
import { domRange, setHighlight } from '../editor/viewport/highlights.ts'
import { hueCount } from './hues.ts'

export interface TintedRange {
  readonly hue: number
  readonly from: number
  readonly to: number
}

/** The others' selections and no others: `::highlight(selection-<hue>)`. */
export function showSelections(view: EditorView, selections: readonly TintedRange[]): void {
  for (let hue = 0; hue < hueCount; hue++) {
    const own = selections.filter((selection) => selection.hue === hue)
    setHighlight(
      `selection-${hue}`,
      own.map(({ from, to }) => domRange(view, from, to)),
    )
  }
}
