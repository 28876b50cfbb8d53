/** The headings of a document, as they stand between its blocks. */
import type { Node } from 'prosemirror-model'

export interface Heading {
  /** Null for a moment, where one has just been typed. */
  readonly id: string | null
  readonly pos: number
  /** 1…6. */
  readonly level: number
  readonly text: string
}

/** Those with words, in order. */
export function headingsOf(doc: Node): readonly Heading[] {
  const headings: Heading[] = []
  doc.forEach((block, pos) => {
    if (block.type.name !== 'heading') return
    const text = block.textContent.trim()
    const { id, level } = block.attrs as { id: string | null; level: number }
    if (text !== '') headings.push({ id, pos, level, text })
  })
  return headings
}

/** The last heading at or above `height` px of the window, by index; -1: before all of them. */
export function headingAbove(
  headings: readonly Heading[],
  topOf: (heading: Heading) => number | undefined,
  height: number,
): number {
  let [low, high] = [0, headings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const heading = headings[middle]
    const top = heading === undefined ? undefined : topOf(heading)
    if (top !== undefined && top <= height) low = middle + 1
    else high = middle
  }
  return low - 1
}
