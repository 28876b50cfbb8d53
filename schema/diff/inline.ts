/**
 * The difference of two texts: the fewest regions that were rewritten. Kept units may have other
 * marks. Authors are no part of it: kept text keeps its own.
 */
import { Mark } from 'prosemirror-model'
import { sameAttributes } from './content.ts'
import {
  type InlineRow,
  type Region,
  type RowRun,
  runIndexAt,
  type UnitRange,
} from './inline-row.ts'
import { commonSubsequence } from './subsequence.ts'

/**
 * What changed from `old` to `next`, in order, never touching one another. Regions start and end on
 * code points. Words that stand on both sides of a larger rewrite are kept, so that their authors
 * and whatever is being typed in them stay: six letters or more in a row, and fewer where the
 * change before or behind them has fewer still, as where a link loses its markup around its text,
 * or where an edit did not name them.
 */
export function diffInline(old: InlineRow, next: InlineRow): Region[] {
  return diffWithin(old, next, { whole: wholeOf(old, next), commented: [] })
}

export interface Within {
  readonly whole: Region
  readonly commented: readonly UnitRange[]
  /** Units of the old row that were not replaced; an insertion stands between two stretches. */
  readonly unnamed?: readonly UnitRange[] | undefined
}

/** The same of a part of both, without the words of `commented` going by chance. */
export function diffWithin(
  old: InlineRow,
  next: InlineRow,
  { whole, commented, unnamed = [] }: Within,
): Region[] {
  const loose = trimmed(old, next, { whole, sameMarks: false, sameLeaves: false })
  if (isEmpty(loose)) return []
  const isRewrite = loose.from < loose.to && loose.nextFrom < loose.nextTo
  if (isRewrite) return aroundKeptWords(old, next, { region: loose, commented, unnamed })
  const named = ofNamed(old, next, { region: loose, whole, unnamed })
  return [named ?? ofWords(old, next, { region: loose, whole })]
}

interface OneWay {
  /** Units only went, or only came. */
  readonly region: Region
  readonly whole: Region
}

/**
 * The same change where the caller named it: of the equal letters at both ends of what went or came
 * those that were not named stay. Undefined where it does not end at what was named.
 */
function ofNamed(
  old: InlineRow,
  next: InlineRow,
  { region, whole, unnamed }: OneWay & { readonly unnamed: readonly UnitRange[] },
): Region | undefined {
  const behind = unnamed.find(({ from, to }) => 0 < from && from <= region.to && region.to <= to)
  if (behind === undefined) return undefined
  const back = region.to - behind.from
  const moved = movedBack(region, back)
  const isOutside = unnamed.some(({ from, to }) => moved.from < to && from < moved.to)
  if (isOutside || moved.from < whole.from || moved.nextFrom < whole.nextFrom) return undefined
  const [row, start, end] = changedIn(old, next, region)
  for (let steps = 1; steps <= back; steps++) {
    if (!isSameUnit(row, start - steps, end - steps)) return undefined
  }
  return moved
}

const movedBack = ({ from, to, nextFrom, nextTo }: Region, back: number): Region => ({
  from: from - back,
  to: to - back,
  nextFrom: nextFrom - back,
  nextTo: nextTo - back,
})

/** The row that has the units that went or came, and where they stand in it. */
const changedIn = (
  old: InlineRow,
  next: InlineRow,
  { from, to, nextFrom, nextTo }: Region,
): readonly [row: InlineRow, start: number, end: number] =>
  nextFrom === nextTo ? [old, from, to] : [next, nextFrom, nextTo]

/**
 * What only went or only came, as whole words where it may as well have been those: of “two three”
 * without “two ” it is that, and not “wo t”, so that no letter of a word passes for another’s.
 */
function ofWords(old: InlineRow, next: InlineRow, { region, whole }: OneWay): Region {
  const startMin = region.nextFrom === region.nextTo ? whole.from : whole.nextFrom
  const [row, start, end] = changedIn(old, next, region)
  for (let back = 0; back <= start - startMin && back < wordsBackMax; back++) {
    if (back > 0 && !isSameUnit(row, start - back, end - back)) break
    if (isWordEdge(row.chars, start - back) && isWordEdge(row.chars, end - back)) {
      return movedBack(region, back)
    }
  }
  return region
}

/** Longer words begin nowhere else. */
const wordsBackMax = 64

function isSameUnit({ chars, runs }: InlineRow, a: number, b: number): boolean {
  if (chars.charCodeAt(a) !== chars.charCodeAt(b)) return false
  const [one, other] = [a, b].map((at) => runs[runIndexAt({ chars, runs }, at)])
  if (one === undefined || other === undefined || one === other) return one === other
  return one.leaf === undefined && alike(one, other, { sameMarks: true, sameLeaves: true })
}

const isWordUnit = (unit: string | undefined): boolean =>
  unit !== undefined && /[\p{L}\p{N}\p{M}_\ud800-\udfff]/u.test(unit)

const isWordEdge = (chars: string, at: number): boolean =>
  !(isWordUnit(chars[at - 1]) && isWordUnit(chars[at]))

/**
 * The one region around all that differs but marks: where somebody typed. Other than above, a leaf
 * with other attributes is another leaf.
 */
export function leastRegion(old: InlineRow, next: InlineRow): Region[] {
  const whole = wholeOf(old, next)
  const region = trimmed(old, next, { whole, sameMarks: false, sameLeaves: true })
  return isEmpty(region) ? [] : [region]
}

const wholeOf = (old: InlineRow, next: InlineRow): Region => ({
  from: 0,
  to: old.chars.length,
  nextFrom: 0,
  nextTo: next.chars.length,
})

/** First marks count, so that of equal characters the one that was written is found. */
function trimmed(
  old: InlineRow,
  next: InlineRow,
  { whole, ...same }: Same & { readonly whole: Region },
): Region {
  const strict = trimRegion(old, next, { region: whole, sameMarks: true, sameLeaves: true })
  return trimRegion(old, next, { region: strict, ...same })
}

/** What counts beside the characters, and that a leaf is of one type. */
interface Same {
  readonly sameMarks: boolean
  readonly sameLeaves: boolean
}

const isEmpty = (region: Region): boolean =>
  region.from === region.to && region.nextFrom === region.nextTo

function trimRegion(old: InlineRow, next: InlineRow, { region, ...same }: Trim): Region {
  const head = commonStart(old, next, { region, ...same })
  const rest = { ...region, from: region.from + head, nextFrom: region.nextFrom + head }
  const tail = commonEnd(old, next, { region: rest, ...same })
  return { ...rest, to: rest.to - tail, nextTo: rest.nextTo - tail }
}

interface Trim extends Same {
  readonly region: Region
}

function alike(a: RowRun, b: RowRun, { sameMarks, sameLeaves }: Same): boolean {
  if (a.leaf === undefined || b.leaf === undefined) {
    return a.leaf === b.leaf && (!sameMarks || Mark.sameSet(a.marks, b.marks))
  }
  return a.leaf.type === b.leaf.type && (!sameLeaves || sameAttributes(a.leaf, b.leaf))
}

function commonStart(old: InlineRow, next: InlineRow, { region, ...same }: Trim): number {
  const max = Math.min(region.to - region.from, region.nextTo - region.nextFrom)
  let i = runIndexAt(old, region.from)
  let j = runIndexAt(next, region.nextFrom)
  let length = 0
  while (length < max) {
    const [a, b] = [old.runs[i], next.runs[j]]
    if (a === undefined || b === undefined || !alike(a, b, same)) break
    const stop = Math.min(max, a.to - region.from, b.to - region.nextFrom)
    while (
      length < stop &&
      old.chars.charCodeAt(region.from + length) === next.chars.charCodeAt(region.nextFrom + length)
    ) {
      length++
    }
    if (length < stop) break
    if (a.to - region.from === length) i++
    if (b.to - region.nextFrom === length) j++
  }
  const splits =
    insidePair(old.chars, region.from + length) || insidePair(next.chars, region.nextFrom + length)
  return length > 0 && splits ? length - 1 : length
}

function commonEnd(old: InlineRow, next: InlineRow, { region, ...same }: Trim): number {
  const max = Math.min(region.to - region.from, region.nextTo - region.nextFrom)
  let i = runIndexAt(old, region.to - 1)
  let j = runIndexAt(next, region.nextTo - 1)
  let length = 0
  while (length < max) {
    const [a, b] = [old.runs[i], next.runs[j]]
    if (a === undefined || b === undefined || !alike(a, b, same)) break
    const stop = Math.min(max, region.to - a.from, region.nextTo - b.from)
    while (
      length < stop &&
      old.chars.charCodeAt(region.to - 1 - length) ===
        next.chars.charCodeAt(region.nextTo - 1 - length)
    ) {
      length++
    }
    if (length < stop) break
    if (region.to - a.from === length) i--
    if (region.nextTo - b.from === length) j--
  }
  const splits =
    insidePair(old.chars, region.to - length) || insidePair(next.chars, region.nextTo - length)
  return length > 0 && splits ? length - 1 : length
}

/** Is `offset` between the halves of a surrogate pair, or of a CR LF? */
function insidePair(chars: string, offset: number): boolean {
  if (offset <= 0 || offset >= chars.length) return false
  const left = chars.charCodeAt(offset - 1)
  const right = chars.charCodeAt(offset)
  if (left === 13) return right === 10
  return left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000
}

interface Word {
  readonly from: number
  readonly to: number
  readonly token: string
  /** Units of a word or leaf that count towards keeping what stands on both sides. */
  readonly weight: number
}

/** Less than this in common is chance (`the`, `and`) between two rewrites, and goes with them. */
const keptMinWeight = 6

/** Tokens of both rows that are compared; of a larger rewrite nothing is kept. */
const comparedMaxWords = 100_000

/** Undefined: there are more than `most`. */
function wordsIn(
  row: InlineRow,
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): Word[] | undefined {
  const words: Word[] = []
  const text = row.chars.slice(from, to)
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}_]+|[\s\S]/gu)) {
    const at = from + match.index
    const leaf = match[0] === '\uFFFC' ? row.runs[runIndexAt(row, at)]?.leaf : undefined
    const token = leaf ? `${leaf.type.name}\n${JSON.stringify(leaf.attrs)}` : match[0]
    const isWord = /[\p{L}\p{N}]/u.test(match[0])
    const weight = leaf ? keptMinWeight : isWord ? match[0].length : 0
    words.push({ from: at, to: at + match[0].length, token, weight })
    if (words.length > most) return undefined
  }
  return words
}

/** Of the old row: what in common with the new one is no chance. */
interface KnownWords {
  readonly commented: readonly UnitRange[]
  readonly unnamed: readonly UnitRange[]
}

function aroundKeptWords(
  old: InlineRow,
  next: InlineRow,
  { region, ...known }: KnownWords & { readonly region: Region },
): Region[] {
  const a = wordsIn(old, { ...region, most: comparedMaxWords })
  const most = comparedMaxWords - (a?.length ?? 0)
  const b = a && wordsIn(next, { from: region.nextFrom, to: region.nextTo, most })
  if (a === undefined || b === undefined) return [region]
  const islands = commonIslands(a, b, known)
  const regions: Region[] = []
  let { from, nextFrom } = region
  const end = { from: region.to, to: region.to, nextFrom: region.nextTo, nextTo: region.nextTo }
  for (const island of [...islands, end]) {
    const gap = { from, to: island.from, nextFrom, nextTo: island.nextFrom }
    const rest = trimRegion(old, next, { region: gap, sameMarks: false, sameLeaves: false })
    if (!isEmpty(rest)) regions.push(rest)
    from = island.to
    nextFrom = island.nextTo
  }
  return regions
}

interface Island {
  /** In offsets of both rows. */
  region: Region
  weight: number
  /** The words [i, iEnd) of the old row are [j, jEnd) of the new one. */
  readonly i: number
  iEnd: number
  readonly j: number
  jEnd: number
}

/** Stretches of common words that weigh enough to be kept. */
function commonIslands(
  a: readonly Word[],
  b: readonly Word[],
  { commented, unnamed }: KnownWords,
): Region[] {
  const islands: Island[] = []
  const pairs = commonSubsequence(
    a.map((word) => word.token),
    b.map((word) => word.token),
  )
  for (const [i, j] of pairs) {
    const [old, next] = [a[i], b[j]]
    if (old === undefined || next === undefined) continue
    const last = islands.at(-1)
    if (last !== undefined && last.iEnd === i && last.jEnd === j) {
      last.region = { ...last.region, to: old.to, nextTo: next.to }
      last.weight += old.weight
      last.iEnd++
      last.jEnd++
    } else {
      const region = { from: old.from, to: old.to, nextFrom: next.from, nextTo: next.to }
      islands.push({ region, weight: old.weight, i, iEnd: i + 1, j, jEnd: j + 1 })
    }
  }
  for (const island of islands) {
    const { from, to } = island.region
    const isTalkedOf = commented.some((word) => word.from < to && from < word.to)
    const isUnnamed = island.weight > 0 && unnamed.some((one) => one.from <= from && to <= one.to)
    if (isTalkedOf || isUnnamed) island.weight += keptMinWeight
  }
  return withoutChance(islands, a, b).map(({ region }) => region)
}

/** The lightest go first: what surrounded them is one change then. */
function withoutChance(
  islands: readonly Island[],
  a: readonly Word[],
  b: readonly Word[],
): readonly Island[] {
  const [old, next] = [a, b].map(weightsUpTo) as [number[], number[]]
  const between = (left: Island | undefined, right: Island | undefined): number => {
    const [i, j] = [right?.i ?? a.length, right?.j ?? b.length]
    const removed = (old[i] ?? 0) - (old[left?.iEnd ?? 0] ?? 0)
    return removed + (next[j] ?? 0) - (next[left?.jEnd ?? 0] ?? 0)
  }
  let kept = islands
  for (let weight = 0; weight < keptMinWeight; weight++) {
    const left: Island[] = []
    for (const [index, island] of kept.entries()) {
      const change = Math.min(between(left.at(-1), island), between(island, kept[index + 1]))
      if (island.weight !== weight || weight > change) left.push(island)
    }
    kept = left
  }
  return kept
}

/** What the words before each one weigh together. */
function weightsUpTo(words: readonly Word[]): number[] {
  const sums = [0]
  for (const { weight } of words) sums.push((sums.at(-1) ?? 0) + weight)
  return sums
}
