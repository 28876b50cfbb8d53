/**
 * Characters written as references so that what surrounds them is read as meant: the outer
 * neighbour of a delimiter that could not flank otherwise (`**a:**&#98;`), and Unicode blanks at
 * the ends of the block, which would be lost.
 */
import { characterAfter, characterBefore, flankOf } from './escapes.ts'
import type { Delimiter, InlineChange, InlineOutput } from './inline-output.ts'
import type { Segment } from './printed.ts'
import { flanksAt } from './tokenizer.ts'

/** The changes to make, ascending, each within one text segment. */
export function encodedNeighbours(output: InlineOutput): InlineChange[] {
  const { md, segments } = output
  const places = new Set<number>()
  if (isWideBlank(md.charAt(0))) places.add(0)
  if (md.length > 1 && isWideBlank(md.charAt(md.length - 1))) places.add(md.length - 1)
  for (const delimiter of output.delimiters) {
    const place = troubledNeighbour(md, delimiter)
    if (place !== -1) places.add(place)
  }
  return [...places]
    .sort((a, b) => a - b)
    .filter((at) => isInText(segments, at))
    .map((at) => {
      const char = characterAfter(md, at)
      return { at, length: char.length, replacement: `&#${char.codePointAt(0)};` }
    })
}

const isWideBlank = (char: string): boolean => /[^\S \t\n]/.test(char)

/** Where the outer neighbour begins that keeps a delimiter from opening or closing, or -1. */
function troubledNeighbour(md: string, delimiter: Delimiter): number {
  const char = md.charAt(delimiter.from)
  let from = delimiter.from
  let to = delimiter.to
  while (from > 0 && md[from - 1] === char && !isEscaped(md, from - 1)) from--
  while (md[to] === char) to++
  const before = characterBefore(md, from)
  const outer = delimiter.opens ? before : characterAfter(md, to)
  if (flankOf(outer) !== 'word') return -1
  const flanks = flanksAt(md, from)
  if (delimiter.opens ? flanks.opens : flanks.closes) return -1
  return delimiter.opens ? from - before.length : to
}

function isEscaped(md: string, at: number): boolean {
  let backslashes = 0
  while (md[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Whether the character at `at` is one that stands for itself. */
function isInText(segments: readonly Segment[], at: number): boolean {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.md ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const segment = segments[low - 1]
  return segment !== undefined && at < segment.md + segment.mdLength && isExact(segment)
}

const isExact = (segment: Segment): boolean => segment.mdLength === segment.length
