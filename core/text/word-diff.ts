/**
 * How two texts differ, by words: lines that both have are told apart first, then the words of what
 * lies between. Bounded: of stretches too long to be compared all is another text.
 */
import { diffInline } from '../../schema/diff/inline.ts'
import { plainRow } from '../../schema/diff/inline-row.ts'
import { commonSubsequence } from '../../schema/diff/subsequence.ts'
import type { Steps } from '../../schema/steps.ts'
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

/** Ascending, no two touching; applied to `old` they make `next`. */
export function* diffingWords(old: string, next: string): Steps<Rewritten[]> {
  const whole = diffStrings(old, next)
  if (whole === undefined) return []
  const start = whole.at === 0 ? 0 : old.lastIndexOf('\n', whole.at - 1) + 1
  const [end, nextEnd] = lineEnds(old, next, whole.at + whole.remove)
  yield
  const [a, b] = [linesOf(old.slice(start, end)), linesOf(next.slice(start, nextEnd))]
  yield
  const pairs = commonSubsequence(a, b)
  yield
  const found: Rewritten[] = []
  let [i, j, at, nextAt] = [0, 0, start, start]
  for (const [stop, nextStop] of [...pairs, [a.length, b.length] as const]) {
    const from = a.slice(i, stop).join('')
    const to = b.slice(j, nextStop).join('')
    for (const region of rewritten(from, to)) {
      found.push({
        from: at + region.from,
        to: at + region.to,
        nextFrom: nextAt + region.nextFrom,
        nextTo: nextAt + region.nextTo,
      })
    }
    const both = a[stop]?.length ?? 0
    at += from.length + both
    nextAt += to.length + both
    ;[i, j] = [stop + 1, nextStop + 1]
    if (from !== to) yield
  }
  return joined(found, old, next)
}

/** Each with its line end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** The end of the line in which both begin to be alike for good. */
function lineEnds(old: string, next: string, at: number): [number, number] {
  const line = old.indexOf('\n', Math.max(0, at - 1))
  const end = line < 0 ? old.length : line + 1
  return [end, next.length - (old.length - end)]
}

function rewritten(from: string, to: string): readonly Rewritten[] {
  if (from === to) return []
  if (from === '' || to === '' || from.length + to.length > comparedMaxChars) {
    return [{ from: 0, to: from.length, nextFrom: 0, nextTo: to.length }]
  }
  return diffInline(plainRow(from), plainRow(to))
}

/** Each grown to whole words; those that meet become one. */
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
    if (last !== undefined && last.to >= one.from) {
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
