/**
 * Where others inserted since a base revision, in offsets of the text as it is now (interface §4.5,
 * stale rule 6): whoever inserts behind an anchor that several write behind comes after those
 * who came first. Computed from the change between the two texts; pure.
 */
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextChange } from '../../../text/text-change.ts'

interface Inserted {
  readonly from: number
  readonly to: number
}

export class InsertedSince {
  readonly #ranges: readonly Inserted[]

  /** From the text of the base to the text now. Text that took the place of other text is none. */
  constructor(change: TextChange) {
    let shift = 0
    this.#ranges = change.flatMap(({ at, remove, insert }) => {
      const from = at + shift
      shift += insert.length - remove
      return remove === 0 ? [{ from, to: from + insert.length }] : []
    })
  }

  /** The end of what was inserted at this very offset, by however many, or the offset. */
  endAt(offset: number, text: DocumentText): number {
    let end = offset
    for (const range of this.#ranges) {
      if (range.from >= end) end = this.#endOf(range, end, text)
    }
    return end
  }

  /**
   * The end of a range that is inserted at the offset, or the offset. A change says where text came
   * only up to what repeats at its ends (`\n- new` in front of a line end is `- new\n` behind it).
   */
  #endOf({ from, to }: Inserted, offset: number, text: DocumentText): number {
    const slide = from - offset
    if (slide > slideMaxChars || slide > to - from) return offset
    const end = to - slide
    return text.slice(offset, from) === text.slice(end, to) ? end : offset
  }
}

const slideMaxChars = 64
