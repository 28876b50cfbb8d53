/** Ranges of positions in a document. */
import type { Selection } from 'prosemirror-state'

/** The positions [from, to) of a document, `from` never behind `to`. */
export interface DocRange {
  readonly from: number
  readonly to: number
}

/** From the first to the last of what is selected, also of several cells of a table. */
export const spanOf = ({ ranges }: Pick<Selection, 'ranges'>): DocRange => ({
  from: Math.min(...ranges.map(({ $from }) => $from.pos)),
  to: Math.max(...ranges.map(({ $to }) => $to.pos)),
})
