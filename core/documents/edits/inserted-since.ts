/**
 * Where others inserted since a base revision, in offsets of the text as it is now (interface §4.5,
 * stale rule 6): whoever inserts behind an anchor that several write behind comes after those
 * who came first. Computed from the change between the two texts; pure.
 */
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TextChange } from '../records/text-change.ts'

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

  /**
   * The end of what was inserted at this very offset, or the offset. A change says where text came
   * only up to what repeats at its ends (`\n- new` in front of a line end is `- new\n` behind it).
   */
  endAt(offset: number, text: DocumentText): number {
    const next = this.#ranges.find((range) => range.from >= offset)
    if (next === undefined) return offset
    const slide = next.from - offset
    if (slide > slideMaxChars || slide > next.to - next.from) return offset
    const end = next.to - slide
    return text.slice(offset, next.from) === text.slice(end, next.to) ? end : offset
  }
}

const slideMaxChars = 64
