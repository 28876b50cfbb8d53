/**
 * Which lines of one stretch became which of another: those that share most of their words, in
 * order. Of a stretch with too many lines nothing is told.
 */
import { type Pair, pairHeaviest } from '../../schema/diff/subsequence.ts'

/** Lines of both sides, multiplied. */
const cellsMax = 4096
/** What a longer line says further on is not looked at. */
const lookedAtChars = 1024
/** Of the words of both: with less in common one went and another came. */
const likeFrom = 0.4

export function pairLikeLines(a: readonly string[], b: readonly string[]): Pair[] {
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
