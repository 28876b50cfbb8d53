/**
 * Regions of a difference by whole words: a word that is not in both texts was replaced, and none
 * of its letters stay (interface §2.2, extensions §4). Words that somebody talks about are the
 * exception: they stay wherever the new text has them. Pure; marks and leaves are not looked at.
 */
import { someOccurrences } from '../occurrences.ts'
import type { InlineRow, Region, UnitRange } from './inline-row.ts'

/** How two texts are compared. */
export interface InlineChoice {
  /** Letters of a word that changed stay where somebody types; elsewhere they do not. */
  readonly wholeWords?: boolean
  /** Words of the old text that stay where the new text has them. */
  readonly commented?: readonly string[]
  /** What is no part of what was replaced: there letters stay. */
  readonly unnamed?: readonly UnitRange[]
}

const placesPerWord = 16
const wordsMax = 64

/** Where the words stand that somebody talks about, ascending by their beginning. */
export function commentedIn({ chars }: InlineRow, words: readonly string[] = []): UnitRange[] {
  const found = words
    .slice(0, wordsMax)
    .flatMap((word) =>
      someOccurrences(chars, word, placesPerWord).map((from) => ({ from, to: from + word.length })),
    )
  return found.sort((a, b) => a.from - b.from || b.to - a.to)
}

/** Those of them that are there once on both sides, in the order of both: they stay. */
export function stayingWords(
  old: InlineRow,
  next: InlineRow,
  words: readonly string[] = [],
): Region[] {
  const staying = words.slice(0, wordsMax).flatMap((word): Region[] => {
    const [from, again] = someOccurrences(old.chars, word, 2)
    const [nextFrom, nextAgain] = someOccurrences(next.chars, word, 2)
    if (from === undefined || nextFrom === undefined) return []
    if (again !== undefined || nextAgain !== undefined) return []
    const { length } = word
    return [{ from, to: from + length, nextFrom, nextTo: nextFrom + length }]
  })
  staying.sort((a, b) => a.from - b.from || b.to - a.to)
  const kept: Region[] = []
  for (const one of staying) {
    const last = kept.at(-1)
    if (!last || (last.to <= one.from && last.nextTo <= one.nextFrom)) kept.push(one)
  }
  return kept
}

/** Longer words change by letters. */
const wordMaxChars = 256

/** The regions, each reaching to the ends of words in both rows; what meets is one. */
export function ofWholeWords(
  regions: readonly Region[],
  rows: { readonly old: InlineRow; readonly next: InlineRow },
  staying: { readonly commented: readonly UnitRange[]; readonly unnamed: readonly UnitRange[] },
): Region[] {
  const { commented, unnamed } = staying
  const widened: Region[] = []
  for (const [index, region] of regions.entries()) {
    const last = widened.at(-1)
    const before = region.from - Math.max(last?.to ?? 0, lastBefore(unnamed, region.from))
    const end = regions[index + 1]?.from ?? rows.old.chars.length
    const behind = Math.min(end, firstBehind(unnamed, region.to)) - region.to
    const left = stepsToEdge(rows, region, { side: -1, most: before })
    const right = stepsToEdge(rows, region, { side: 1, most: behind })
    const isTalkedOf = (from: number, to: number): boolean =>
      commented.some((word) => word.from < to && from < word.to)
    const back = isTalkedOf(region.from - left, region.from) ? 0 : left
    const on = isTalkedOf(region.to, region.to + right) ? 0 : right
    const from = region.from - back
    const [to, nextTo] = [region.to + on, region.nextTo + on]
    if (last !== undefined && last.to === from)
      widened[widened.length - 1] = { ...last, to, nextTo }
    else widened.push({ from, to, nextFrom: region.nextFrom - back, nextTo })
  }
  return widened
}

/** Where the last of them ends that begins before an offset; no further than there. */
const lastBefore = (all: readonly UnitRange[], at: number): number =>
  all.reduce((last, { from, to }) => (from < at ? Math.max(last, Math.min(to, at)) : last), 0)

/** Where the first of them begins that ends behind an offset; no earlier than there. */
const firstBehind = (all: readonly UnitRange[], at: number): number =>
  all.reduce(
    (first, { from, to }) => (to > at ? Math.min(first, Math.max(from, at)) : first),
    Number.POSITIVE_INFINITY,
  )

/** How many units that stay lie between one side of a region and the end of the word there. */
function stepsToEdge(
  { old, next }: { readonly old: InlineRow; readonly next: InlineRow },
  region: Region,
  { side, most }: { readonly side: -1 | 1; readonly most: number },
): number {
  const [at, nextAt] = side < 0 ? [region.from, region.nextFrom] : [region.to, region.nextTo]
  for (let steps = 0; steps <= Math.min(most, wordMaxChars); steps++) {
    const [here, there] = [at + side * steps, nextAt + side * steps]
    if (!isInWord(old.chars, here) && !isInWord(next.chars, there)) return steps
  }
  return most <= wordMaxChars ? most : 0
}

/** A letter of a script that sets blanks between words. */
const letter = /[\p{L}\p{N}\p{M}_]/u
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const southEastAsian = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const isUnspaced = (unit: string): boolean => eastAsian.test(unit) || southEastAsian.test(unit)

const isLetter = (chars: string, at: number): boolean => {
  const unit = chars.charAt(at)
  return letter.test(unit) && !isUnspaced(unit)
}

const isInWord = (chars: string, at: number): boolean =>
  isLetter(chars, at - 1) && isLetter(chars, at)
