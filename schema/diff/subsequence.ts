/**
 * The common subsequence of two rows of tokens, by patience: tokens that occur once on both sides
 * are aligned first (longest increasing run of them), what lies between is aligned the same way,
 * and small rests exactly. The result is always a common subsequence, in order; on large repetitive
 * rests it may not be the longest. Invariant: time grows with the rows alone, also where each
 * stretch that is divided gives way to one that is hardly shorter. It knows nothing of what a token
 * stands for.
 */

/** A token of the old row and its partner in the new row. */
export type Pair = readonly [oldIndex: number, newIndex: number]

/** Cells of the exact table; larger rests without a unique token stay unaligned. */
const tableMaxCells = 262_144
/** Of all exact tables of two rows. */
const cellsMax = 8 * tableMaxCells
/** How often a token is looked at, on average; then the rest stays unaligned. Short rows never. */
const looksPerToken = 8
const looksMin = 262_144

interface RangePair {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
}

/** Pairs of equal tokens, increasing on both sides. Tokens are compared with `===`. */
export function commonSubsequence(a: readonly unknown[], b: readonly unknown[]): Pair[] {
  const pairs: Pair[] = []
  const rest: RangePair[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }]
  let looks = Math.max(looksMin, looksPerToken * (a.length + b.length))
  let cells = cellsMax
  for (let stretch = rest.pop(); stretch !== undefined; stretch = rest.pop()) {
    const inner = trim(a, b, stretch, pairs)
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue
    looks -= inner.aEnd - inner.a + inner.bEnd - inner.b
    if (looks < 0) continue
    const anchors = increasing(uniquePairs(a, b, inner))
    if (anchors.length === 0) {
      if (cellsOf(inner) <= Math.min(cells, tableMaxCells)) {
        exact(a, b, inner, pairs)
        cells -= cellsOf(inner)
      }
      continue
    }
    let { a: atA, b: atB } = inner
    for (const [i, j] of anchors) {
      pairs.push([i, j])
      rest.push({ a: atA, aEnd: i, b: atB, bEnd: j })
      atA = i + 1
      atB = j + 1
    }
    rest.push({ a: atA, aEnd: inner.aEnd, b: atB, bEnd: inner.bEnd })
  }
  return pairs.sort((x, y) => x[0] - y[0])
}

function trim(
  a: readonly unknown[],
  b: readonly unknown[],
  { a: from, aEnd, b: into, bEnd }: RangePair,
  pairs: Pair[],
): RangePair {
  let [i, j, m, n] = [from, into, aEnd, bEnd]
  while (i < m && j < n && a[i] === b[j]) pairs.push([i++, j++])
  while (i < m && j < n && a[m - 1] === b[n - 1]) pairs.push([--m, --n])
  return { a: i, aEnd: m, b: j, bEnd: n }
}

function uniquePairs(a: readonly unknown[], b: readonly unknown[], stretch: RangePair): Pair[] {
  const seen = new Map<unknown, { countA: number; countB: number; at: number }>()
  for (let j = stretch.b; j < stretch.bEnd; j++) {
    const entry = seen.get(b[j])
    if (entry === undefined) seen.set(b[j], { countA: 0, countB: 1, at: j })
    else entry.countB++
  }
  for (let i = stretch.a; i < stretch.aEnd; i++) {
    const entry = seen.get(a[i])
    if (entry !== undefined) entry.countA++
  }
  const pairs: Pair[] = []
  for (let i = stretch.a; i < stretch.aEnd; i++) {
    const entry = seen.get(a[i])
    if (entry?.countA === 1 && entry.countB === 1) pairs.push([i, entry.at])
  }
  return pairs
}

/** The longest run of `pairs` (increasing in the first) that increases in the second too. */
function increasing(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = []
  const before: number[] = []
  for (const [k, pair] of pairs.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      const tail = pairs[tails[middle] ?? 0]
      if (tail !== undefined && tail[1] < pair[1]) low = middle + 1
      else high = middle
    }
    before[k] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = k
  }
  const run: Pair[] = []
  for (let k = tails.at(-1) ?? -1; k >= 0; k = before[k] ?? -1) {
    const pair = pairs[k]
    if (pair !== undefined) run.push(pair)
  }
  return run.reverse()
}

const cellsOf = ({ a, aEnd, b, bEnd }: RangePair): number => (aEnd - a) * (bEnd - b)

function exact(
  a: readonly unknown[],
  b: readonly unknown[],
  stretch: RangePair,
  pairs: Pair[],
): void {
  const rows = stretch.aEnd - stretch.a
  const columns = stretch.bEnd - stretch.b
  const same = (i: number, j: number) => (a[stretch.a + i] === b[stretch.b + j] ? 1 : 0)
  for (const [i, j] of pairHeaviest(rows, columns, same)) {
    pairs.push([stretch.a + i, stretch.b + j])
  }
}

/**
 * The increasing pairs of `rows` × `columns` with the greatest sum of weights; weight 0 never
 * pairs.
 */
export function pairHeaviest(
  rows: number,
  columns: number,
  weight: (row: number, column: number) => number,
): Pair[] {
  const width = columns + 1
  const best = new Float64Array((rows + 1) * width)
  const at = (i: number, j: number): number => best[i * width + j] ?? 0
  const weights = new Float64Array(rows * columns)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const own = weight(i, j)
      weights[i * columns + j] = own
      const paired = own > 0 ? own + at(i + 1, j + 1) : 0
      best[i * width + j] = Math.max(paired, at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Pair[] = []
  let i = 0
  let j = 0
  while (i < rows && j < columns) {
    const own = weights[i * columns + j] ?? 0
    if (own > 0 && at(i, j) === own + at(i + 1, j + 1)) pairs.push([i++, j++])
    else if (at(i, j) === at(i + 1, j)) i++
    else j++
  }
  return pairs
}
