/**
 * How a change that brings an earlier text back is stored: what it puts in is copied from a text
 * that the history stores whole. So a revert stores a few numbers, however long the text is. Knows
 * texts and changes, no documents.
 */
import type { TextChange } from '../text/text-change.ts'
import type { CopiedChange, CopiedPiece, CopiedSplice } from './history-row.ts'
import type { Former } from './history-text.ts'

/**
 * `splices` lead to the text of `former`. Text that `former` does not share with its original is
 * stored as it is.
 */
export function copiedChange(splices: TextChange, { original, change }: Former): CopiedChange {
  const segments = segmentsOf(change)
  let shift = 0
  const copied = splices.map(({ at, remove, insert }): CopiedSplice => {
    const from = at + shift
    shift += insert.length - remove
    return [at, remove, piecesBetween(segments, from, { to: from + insert.length, text: insert })]
  })
  return { original, splices: copied }
}

/** A former revision that is stored whole itself. */
export const wholeOf = ({ revision, text }: Former): Former => {
  return { revision, text, original: revision, change: [] }
}

/** How much of a change is stored as it is. */
export function storedChars({ splices }: CopiedChange): number {
  let chars = 0
  for (const [, , pieces] of splices) {
    for (const piece of pieces) chars += typeof piece === 'string' ? piece.length : 0
  }
  return chars
}

/** A stretch of a text that the original has at `origin`; `undefined`: that it does not have. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly origin: number | undefined
}

function segmentsOf(change: TextChange): readonly Segment[] {
  const segments: Segment[] = []
  let [read, at] = [0, 0]
  const add = (length: number, origin: number | undefined) => {
    if (length > 0) segments.push({ from: at, to: at + length, origin })
    at += length
  }
  for (const splice of change) {
    add(splice.at - read, read)
    add(splice.insert.length, undefined)
    read = splice.at + splice.remove
  }
  add(Number.POSITIVE_INFINITY, read)
  return segments
}

function piecesBetween(
  segments: readonly Segment[],
  from: number,
  { to, text }: { readonly to: number; readonly text: string },
): readonly CopiedPiece[] {
  const pieces: CopiedPiece[] = []
  for (let at = firstEndingAfter(segments, from); at < segments.length; at++) {
    const segment = segments[at]
    if (segment === undefined || segment.from >= to) break
    const [start, end] = [Math.max(from, segment.from), Math.min(to, segment.to)]
    const { origin } = segment
    const isCopied = origin !== undefined && end - start >= copiedFromChars
    if (isCopied) pieces.push([origin + start - segment.from, origin + end - segment.from])
    else pieces.push(text.slice(start - from, end - from))
  }
  return pieces
}

/** Two positions take as many characters as a shorter stretch. */
const copiedFromChars = 16

function firstEndingAfter(segments: readonly Segment[], at: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.to ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
