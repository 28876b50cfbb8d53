/**
 * Which child of one node became which child of another. Children that are the same object, or
 * carry the same block id in the same order, are pairs; what stands between pairs was taken away
 * or came. So a block that moves is one that goes and one that comes, and its neighbours stay.
 */
import type { Node } from 'prosemirror-model'
import { commonEnds } from '../../../schema/diff/ends.ts'

/** Children [from, to) of the old node gave way to [start, end) of the new one. */
export interface Exchange {
  readonly kind: 'exchange'
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** A child that stayed, perhaps changed within. */
export interface Pair {
  readonly kind: 'pair'
  readonly from: number
  readonly start: number
}

/** What differs, in document order; children that are the same object are passed over. */
export function matchChildren(old: Node, next: Node): readonly (Pair | Exchange)[] {
  const { front: head, back } = commonEnds(old.children, next.children)
  const [oldEnd, nextEnd] = [old.childCount - back, next.childCount - back]
  const found: (Pair | Exchange)[] = []
  let [from, start] = [head, head]
  const close = (to: number, end: number) => {
    if (from < to || start < end) found.push({ kind: 'exchange', from, to, start, end })
  }
  for (const kept of keptPairs(old, next, { head, oldEnd, nextEnd })) {
    close(kept.from, kept.start)
    if (old.child(kept.from) !== next.child(kept.start)) found.push({ kind: 'pair', ...kept })
    from = kept.from + 1
    start = kept.start + 1
  }
  close(oldEnd, nextEnd)
  return found
}

interface Middle {
  readonly head: number
  readonly oldEnd: number
  readonly nextEnd: number
}

/** An old child and the new one that it became. */
interface Kept {
  readonly from: number
  readonly start: number
}

/** The pairs of the middle: as many as can be without two of them crossing. */
function keptPairs(old: Node, next: Node, { head, oldEnd, nextEnd }: Middle): readonly Kept[] {
  if (head === oldEnd || head === nextEnd) return []
  if (isInPlace(old, next, { head, oldEnd, nextEnd })) {
    return Array.from({ length: oldEnd - head }, (_, at) => ({ from: head + at, start: head + at }))
  }
  const indices = new Map<unknown, number>()
  for (let index = head; index < oldEnd; index++) {
    const child = old.child(index)
    indices.set(child, index)
    const id: unknown = child.attrs['id'] ?? undefined
    if (id !== undefined) indices.set(id, index)
  }
  const pairs: Kept[] = []
  const isEven = oldEnd - head === nextEnd - head
  for (let start = head; start < nextEnd; start++) {
    const child = next.child(start)
    const id: unknown = child.attrs['id'] ?? undefined
    // What has no id (cells) is itself where it stands.
    const inPlace = isEven && id === undefined && isUnnamed(old.child(start)) ? start : undefined
    const from = indices.get(child) ?? (id === undefined ? inPlace : indices.get(id))
    if (from !== undefined) pairs.push({ from, start })
  }
  return longestRising(pairs, ({ from, start }) => old.child(from) === next.child(start))
}

/** Whether each child of the middle has its name where it had it before. */
function isInPlace(old: Node, next: Node, { head, oldEnd, nextEnd }: Middle): boolean {
  if (oldEnd !== nextEnd) return false
  for (let index = head; index < oldEnd; index++) {
    const id: unknown = next.child(index).attrs['id'] ?? undefined
    if (id === undefined || id !== old.child(index).attrs['id']) return false
  }
  return true
}

const isUnnamed = (node: Node): boolean => (node.attrs['id'] ?? null) === null

/**
 * The longest row of pairs whose old children rise, as their new ones do; of several the one
 * with the most that `isSame`. Of two neighbours that changed places the one that came anew moved,
 * and who writes in the other stays there.
 */
function longestRising(pairs: readonly Kept[], isSame: (pair: Kept) => boolean): readonly Kept[] {
  if (pairs.every(({ from }, at) => from > (pairs[at - 1]?.from ?? -1))) return pairs
  const ranks = new Map(
    pairs
      .map(({ from }) => from)
      .sort((a, b) => a - b)
      .map((from, rank) => [from, rank + 1]),
  )
  const same = 1 / (pairs.length + 1)
  const weights: number[] = []
  const before: number[] = []
  /** A Fenwick tree over the old children: the pair that ends the best row up to there. */
  const best: number[] = new Array(pairs.length + 1).fill(-1)
  const weightOf = (index: number) => weights[index] ?? 0
  let last = -1
  for (const [index, pair] of pairs.entries()) {
    const rank = ranks.get(pair.from) ?? 0
    let found = -1
    for (let at = rank - 1; at > 0; at -= at & -at) {
      if (weightOf(best[at] ?? -1) >= weightOf(found)) found = best[at] ?? -1
    }
    before[index] = found
    weights[index] = weightOf(found) + 1 + (isSame(pair) ? same : 0)
    for (let at = rank; at < best.length; at += at & -at) {
      if (weightOf(index) >= weightOf(best[at] ?? -1)) best[at] = index
    }
    if (weightOf(index) >= weightOf(last)) last = index
  }
  const row: Kept[] = []
  for (let index = last; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) row.push(pair)
  }
  return row.reverse()
}
