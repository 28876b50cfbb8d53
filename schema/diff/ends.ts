/**
 * What two rows, or two texts, begin and end with in common: where every comparison starts. Nothing
 * is counted at both ends. Takes time linear in what is in common.
 */

/** How many at either end. */
export interface Ends {
  readonly front: number
  readonly back: number
}

/** Of two rows, by identity unless `same` says otherwise. */
export function commonEnds<T>(
  old: readonly T[],
  next: readonly T[],
  same: (a: T, b: T) => boolean = Object.is,
): Ends {
  const shorter = Math.min(old.length, next.length)
  let front = 0
  while (front < shorter && same(old[front] as T, next[front] as T)) front++
  let back = 0
  const isSame = (behind: number) =>
    same(old[old.length - behind] as T, next[next.length - behind] as T)
  while (back < shorter - front && isSame(back + 1)) back++
  return { front, back }
}

const comparedAtOnce = 4096

/** Of two texts, in UTF-16 units, never between the halves of a character. */
export function textEnds(old: string, next: string): Ends {
  const shorter = Math.min(old.length, next.length)
  let front = 0
  // Stretches are compared much faster than characters.
  for (let to = comparedAtOnce; to <= shorter; to += comparedAtOnce) {
    if (old.slice(front, to) !== next.slice(front, to)) break
    front = to
  }
  while (front < shorter && old.charCodeAt(front) === next.charCodeAt(front)) front++
  if (front < Math.max(old.length, next.length) && isHigh(old, front - 1)) front--
  let back = 0
  for (let to = comparedAtOnce; to <= shorter - front; to += comparedAtOnce) {
    const [a, b] = [old.length - to, next.length - to]
    if (old.slice(a, a + comparedAtOnce) !== next.slice(b, b + comparedAtOnce)) break
    back = to
  }
  const isSame = (behind: number) =>
    old.charCodeAt(old.length - behind) === next.charCodeAt(next.length - behind)
  while (back < shorter - front && isSame(back + 1)) back++
  if (isLow(old, old.length - back)) back--
  return { front, back }
}

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800
const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
