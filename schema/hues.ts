/**
 * The ten author hues (interface §2.6): which one an actor would have by itself, so that all who
 * have to guess guess the same, and which one it is given beside those who have theirs.
 */

/** They stand in a circle: 9 is beside 0. */
export const hueCount = 10

/** A hue is tried this far from the one before; has no divisor in common with their count. */
const stride = 3

/** By the hash of its id (FNV-1a, mixed once more). */
export function ownHue(actor: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < actor.length; at++) {
    hash = Math.imul(hash ^ actor.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) >>> 16) % hueCount
}

/**
 * The wanted hue, or the first behind it that fewer have; of those that as few have, one that
 * fewest stand beside. `given`: how many have each hue.
 */
export function freestHue(wanted: number, given: readonly number[]): number {
  const at = (hue: number) => given[(hue + hueCount) % hueCount] ?? 0
  const total = given.reduce((sum, count) => sum + count, 0)
  const cost = (hue: number) => at(hue) * (2 * total + 1) + at(hue - 1) + at(hue + 1)
  const tried = Array.from({ length: hueCount }, (_, turn) => (wanted + turn * stride) % hueCount)
  return tried.reduce((best, hue) => (cost(hue) < cost(best) ? hue : best), wanted % hueCount)
}
