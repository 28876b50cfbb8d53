/**
 * Where in a long text a short one may stand that is not there as it is: pieces of the short one
 * are looked up, and each occurrence votes for the place at which the whole would begin. Rare
 * pieces count more; pieces that are everywhere tell nothing.
 */
import { someOccurrences } from '../occurrences.ts'

const seedsMax = 14
const hitsPerSeedMax = 400
const placesMax = 200

export interface LikelyPosition {
  /** About where the whole would begin. */
  readonly at: number
  /** How much speaks for it, compared with others of the same search. */
  readonly score: number
}

/** Where `needle` may stand in `text`, the likeliest first. */
export function likelyPositions(text: string, needle: string): readonly LikelyPosition[] {
  const width = Math.max(8, needle.length >> 2)
  const votes = new Map<number, { score: number; seed: number; at: number }>()
  for (const seed of seedsOf(needle)) {
    const hits = someOccurrences(text, needle.slice(seed.from, seed.to), hitsPerSeedMax)
    const weight = hits.length < hitsPerSeedMax ? 1 + Math.log(hitsPerSeedMax / hits.length) : 0.5
    for (const hit of hits) {
      const at = Math.max(0, hit - seed.from)
      const bucket = Math.floor(at / width)
      const known = votes.get(bucket)
      if (known === undefined) votes.set(bucket, { score: weight, seed: seed.from, at })
      else if (known.seed !== seed.from) {
        known.score += weight
        known.seed = seed.from
      }
    }
  }
  const scored = Array.from(votes, ([bucket, { score, at }]) => {
    return { at, score: score + (votes.get(bucket + 1)?.score ?? 0) / 2 }
  })
  scored.sort((a, b) => b.score - a.score || a.at - b.at)
  return scored.slice(0, placesMax)
}

/**
 * Pieces spread over the whole needle: at most `seedsMax`, as long as can be expected to be kept.
 */
function seedsOf(needle: string): readonly { readonly from: number; readonly to: number }[] {
  const length = Math.min(8, Math.max(3, needle.length >> 2), needle.length)
  const last = needle.length - length
  const count = Math.min(seedsMax, last + 1)
  return Array.from({ length: count }, (_, index) => {
    const from = count === 1 ? 0 : Math.round((index * last) / (count - 1))
    return { from, to: from + length }
  })
}
