/**
 * How two texts differ, by words: lines that both have are told apart first, then lines that are
 * alike, then their words; other lines went or came as they are. Bounded: of stretches too long to
 * be compared all is another text.
 */
import { textEnds } from '../../schema/diff/ends.ts'
import { diffInline } from '../../schema/diff/inline.ts'
import { plainRow } from '../../schema/diff/inline-row.ts'
import { commonSubsequence, type Pair, pairHeaviest } from '../../schema/diff/subsequence.ts'
import { diffStrings } from './text-diff.ts'

/** `from` [from, to) of the old text gave way to [nextFrom, nextTo) of the new one. */
export interface Rewritten {
  readonly from: number
  readonly to: number
  readonly nextFrom: number
  readonly nextTo: number
}

/** Of one stretch, on both sides together. */
const comparedMaxChars = 32 * 1024
/** Of a whole difference, without what stretches begin and end with in common. */
const comparedInAllChars = 256 * 1024

/** What may still be compared. */
interface ComparisonBudget {
  chars: number
}

/** Ascending, touching only where a line begins; applied to `old` they make `next`. */
export function diffWords(old: string, next: string): Rewritten[] {
  const whole = diffStrings(old, next)
  if (whole === undefined) return []
  const start = whole.at === 0 ? 0 : old.lastIndexOf('\n', whole.at - 1) + 1
  const [end, nextEnd] = lineEnds(old, next, whole.at + whole.remove)
  const [a, b] = [linesOf(old.slice(start, end)), linesOf(next.slice(start, nextEnd))]
  const pairs = commonSubsequence(a, b)
  const found: Rewritten[] = []
  const allowance = { chars: comparedInAllChars }
  let [i, j, at, nextAt] = [0, 0, start, start]
  for (const [stop, nextStop] of [...pairs, [a.length, b.length] as const]) {
    const lines = { old: a.slice(i, stop), next: b.slice(j, nextStop) }
    for (const region of rewriteLines(lines, allowance)) found.push(moved(region, at, nextAt))
    const both = a[stop]?.length ?? 0
    at += lengthOf(lines.old) + both
    nextAt += lengthOf(lines.next) + both
    ;[i, j] = [stop + 1, nextStop + 1]
  }
  return joined(found, old, next)
}

/** Each with its line end. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))

/** The end of the line in which both begin to be alike for good. */
function lineEnds(old: string, next: string, at: number): [number, number] {
  const line = old.indexOf('\n', Math.max(0, at - 1))
  const end = line < 0 ? old.length : line + 1
  return [end, next.length - (old.length - end)]
}

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length, 0)

const moved = (region: Rewritten, by: number, nextBy: number): Rewritten => ({
  from: region.from + by,
  to: region.to + by,
  nextFrom: region.nextFrom + nextBy,
  nextTo: region.nextTo + nextBy,
})

interface LineStretch {
  readonly old: readonly string[]
  readonly next: readonly string[]
}

/** Lines of which none stands on both sides. */
function rewriteLines(
  { old, next }: LineStretch,
  allowance: ComparisonBudget,
): readonly Rewritten[] {
  if (old.length === 0 && next.length === 0) return []
  if (allowance.chars < 0) return rewritten(old.join(''), next.join(''), allowance)
  const pairs = pairLikeLines(old, next)
  const found: Rewritten[] = []
  let [i, j, at, nextAt] = [0, 0, 0, 0]
  for (const [stop, nextStop] of [...pairs, [old.length, next.length] as const]) {
    const [gone, came] = [old.slice(i, stop).join(''), next.slice(j, nextStop).join('')]
    for (const region of rewritten(gone, came, allowance)) found.push(moved(region, at, nextAt))
    ;[at, nextAt] = [at + gone.length, nextAt + came.length]
    const [line = '', other = ''] = [old[stop], next[nextStop]]
    for (const region of rewritten(line, other, allowance)) found.push(moved(region, at, nextAt))
    ;[at, nextAt] = [at + line.length, nextAt + other.length]
    ;[i, j] = [stop + 1, nextStop + 1]
  }
  return found
}

function rewritten(from: string, to: string, allowance: ComparisonBudget): readonly Rewritten[] {
  if (from === to) return []
  const whole = { from: 0, to: from.length, nextFrom: 0, nextTo: to.length }
  if (from === '' || to === '' || from.length + to.length > comparedMaxChars) return [whole]
  const { front, back } = textEnds(from, to)
  allowance.chars -= from.length + to.length - 2 * (front + back)
  return allowance.chars < 0 ? [whole] : diffInline(plainRow(from), plainRow(to))
}

/** Each grown to whole words; those that meet within a line become one. */
function joined(regions: readonly Rewritten[], old: string, next: string): Rewritten[] {
  const grown: Rewritten[] = []
  for (const [index, region] of regions.entries()) {
    const last = grown.at(-1)
    const before = region.from - (last?.to ?? 0)
    const after = (regions[index + 1]?.from ?? old.length) - region.to
    const head = cutsWord(old, next, region) ? wordBefore(old, region.from, before) : 0
    const tail = cutsWord(old, next, region) ? wordBehind(old, region.to, after) : 0
    const one = {
      from: region.from - head,
      to: region.to + tail,
      nextFrom: region.nextFrom - head,
      nextTo: region.nextTo + tail,
    }
    const meets = last !== undefined && last.to >= one.from
    const isNewLine = old[one.from - 1] === '\n' && next[one.nextFrom - 1] === '\n'
    if (meets && !(isNewLine && last.to === one.from && last.nextTo === one.nextFrom)) {
      grown[grown.length - 1] = { ...last, to: one.to, nextTo: one.nextTo }
    } else grown.push(one)
  }
  return grown
}

const isLetter = (text: string, at: number): boolean => /[\p{L}\p{N}\p{M}_]/u.test(text[at] ?? '')

/** Whether what is other is part of a word on either side. */
function cutsWord(old: string, next: string, { from, to, nextFrom, nextTo }: Rewritten): boolean {
  const edges = [[old, from, to] as const, [next, nextFrom, nextTo] as const]
  return edges.some(
    ([text, start, end]) =>
      end > start &&
      ((isLetter(text, start) && isLetter(text, start - 1)) ||
        (isLetter(text, end - 1) && isLetter(text, end))),
  )
}

/** A word is no longer than this. */
const wordMaxChars = 64

function wordBefore(text: string, at: number, room: number): number {
  let length = 0
  const most = Math.min(room, wordMaxChars)
  while (length < most && isLetter(text, at - length - 1)) length++
  return length
}

function wordBehind(text: string, at: number, room: number): number {
  let length = 0
  const most = Math.min(room, wordMaxChars)
  while (length < most && isLetter(text, at + length)) length++
  return length
}

/** Pairs of lines that are compared. */
const cellsMax = 4096
/** What a longer line says further on is not looked at. */
const lookedAtChars = 1024
/** Of the words of both: with less in common one went and another came. */
const likeFrom = 0.4

/**
 * Which lines of one stretch became which of another: those that share most of their words, in
 * order. Of a stretch with too many lines nothing is told.
 */
function pairLikeLines(a: readonly string[], b: readonly string[]): Pair[] {
  if (a.length * b.length > cellsMax || a.length * b.length === 0) return []
  // Also where nothing is alike: one line that was written anew is still that line.
  if (a.length === 1 && b.length === 1) return [[0, 0]]
  const [old, next] = [a.map(wordsOf), b.map(wordsOf)]
  return pairHeaviest(a.length, b.length, (i, j) => likeness(old[i], next[j]))
}

type Bag = ReadonlyMap<string, number>

function wordsOf(line: string): Bag {
  const bag = new Map<string, number>()
  for (const [word] of line.slice(0, lookedAtChars).matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    bag.set(word, (bag.get(word) ?? 0) + 1)
  }
  return bag
}

const sizeOf = (bag: Bag): number => [...bag.values()].reduce((sum, count) => sum + count, 0)

function likeness(a: Bag | undefined, b: Bag | undefined): number {
  if (a === undefined || b === undefined) return 0
  const total = sizeOf(a) + sizeOf(b)
  if (total === 0) return 0
  let common = 0
  for (const [word, count] of a) common += Math.min(count, b.get(word) ?? 0)
  const like = (2 * common) / total
  return like < likeFrom ? 0 : like
}
