/**
 * The stretch of a text that is nearest to a wanted one: the fewest symbols to change, add or leave
 * out. Symbols are characters or words, whatever the caller compares. Time and memory: one cell for
 * each pair of symbols, counted by the caller.
 */

/** The stretch [from, to) of the symbols searched in. */
export interface Aligned {
  readonly from: number
  readonly to: number
  /** How many symbols of the wanted text or of the stretch have no equal in the other. */
  readonly distance: number
}

/** Of equally near stretches the longest, and of these the first. */
export function align(wanted: Int32Array, within: Int32Array): Aligned {
  const width = within.length + 1
  /** For each end in `within`: the distance so far, and where that stretch begins. */
  let costs = new Int32Array(width)
  let starts = Int32Array.from(costs.keys())
  let nextCosts = new Int32Array(width)
  let nextStarts = new Int32Array(width)
  for (let row = 0; row < wanted.length; row++) {
    const symbol = wanted[row]
    nextCosts[0] = row + 1
    nextStarts[0] = 0
    let left = row + 1
    let leftStart = 0
    let corner = costs[0] ?? 0
    let cornerStart = starts[0] ?? 0
    for (let at = 1; at < width; at++) {
      const above = costs[at] ?? 0
      const aboveStart = starts[at] ?? 0
      let least = within[at - 1] === symbol ? corner : corner + 1
      let start = cornerStart
      if (above + 1 < least) {
        least = above + 1
        start = aboveStart
      }
      if (left + 1 < least) {
        least = left + 1
        start = leftStart
      }
      corner = above
      cornerStart = aboveStart
      left = least
      leftStart = start
      nextCosts[at] = least
      nextStarts[at] = start
    }
    ;[costs, nextCosts] = [nextCosts, costs]
    ;[starts, nextStarts] = [nextStarts, starts]
  }
  let to = 0
  const lengthTo = (at: number) => at - (starts[at] ?? 0)
  for (let at = 1; at < width; at++) {
    const nearer = (costs[to] ?? 0) - (costs[at] ?? 0)
    if (nearer > 0 || (nearer === 0 && lengthTo(at) > lengthTo(to))) to = at
  }
  return { from: starts[to] ?? 0, to, distance: costs[to] ?? 0 }
}

/**
 * The symbols that differ: of each pair that is changed both, of an added or missing one itself.
 */
export function differing(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [string | undefined, string | undefined])[] {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (const [row, symbol] of a.entries()) {
    const above = rows[row] ?? []
    const next = [row + 1]
    for (let at = 1; at <= b.length; at++) {
      const changed = (above[at - 1] ?? 0) + (b[at - 1] === symbol ? 0 : 1)
      next.push(Math.min(changed, (above[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    rows.push(next)
  }
  const found: (readonly [string | undefined, string | undefined])[] = []
  let [row, at] = [a.length, b.length]
  while (row > 0 || at > 0) {
    const here = rows[row]?.[at] ?? 0
    const [left, right] = [a[row - 1], b[at - 1]]
    if (row > 0 && at > 0 && here === (rows[row - 1]?.[at - 1] ?? 0) + (left === right ? 0 : 1)) {
      if (left !== right) found.push([left, right])
      row--
      at--
    } else if (row > 0 && here === (rows[row - 1]?.[at] ?? 0) + 1) {
      found.push([left, undefined])
      row--
    } else {
      found.push([undefined, right])
      at--
    }
  }
  return found.reverse()
}
