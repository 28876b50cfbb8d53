/** Binary search over ascending keys: the one search that all offset tables here use. */

/** The last index below `count` whose key is at most `wanted`; -1 when there is none. */
export function lastAtMost(
  count: number,
  wanted: number,
  keyAt: (index: number) => number,
): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyAt(middle) <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}
