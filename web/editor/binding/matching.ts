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
  for (const [at, place] of kept(old, next, { head, oldEnd, nextEnd })) {
    close(at, place)
    if (old.child(at) !== next.child(place)) found.push({ kind: 'pair', from: at, start: place })
    from = at + 1
    start = place + 1
  }
  close(oldEnd, nextEnd)
  return found
}

interface Middle {
  readonly head: number
  readonly oldEnd: number
  readonly nextEnd: number
}

/** The pairs of the middle: as many as can be without two of them crossing. */
function kept(old: Node, next: Node, { head, oldEnd, nextEnd }: Middle): [number, number][] {
  if (head === oldEnd || head === nextEnd) return []
  const places = new Map<unknown, number>()
  for (let at = head; at < oldEnd; at++) {
    const child = old.child(at)
    places.set(child, at)
    const id: unknown = child.attrs['id'] ?? undefined
    if (id !== undefined) places.set(id, at)
  }
  const pairs: [number, number][] = []
  const isEven = oldEnd - head === nextEnd - head
  for (let start = head; start < nextEnd; start++) {
    const child = next.child(start)
    const id: unknown = child.attrs['id'] ?? undefined
    // What has no id (cells) is itself where it stands.
    const inPlace = isEven && id === undefined && isUnnamed(old.child(start)) ? start : undefined
    const at = places.get(child) ?? (id === undefined ? inPlace : places.get(id))
    if (at !== undefined) pairs.push([at, start])
  }
  return longestRising(pairs, ([at, start]) => old.child(at) === next.child(start))
}

const isUnnamed = (node: Node): boolean => (node.attrs['id'] ?? null) === null

/**
 * The longest row of pairs whose first numbers rise, as their second ones do; of several the one
 * with the most that `isSame`. Of two neighbours that changed places the one that came anew moved,
 * and who writes in the other stays there.
 */
function longestRising(
  pairs: readonly [number, number][],
  isSame: (pair: [number, number]) => boolean,
): [number, number][] {
  const ranks = new Map(
    pairs
      .map(([at]) => at)
      .sort((a, b) => a - b)
      .map((at, rank) => [at, rank + 1]),
  )
  const same = 1 / (pairs.length + 1)
  const worth: number[] = []
  const before: number[] = []
  /** A Fenwick tree over the first numbers: the pair that ends the best row up to there. */
  const best: number[] = new Array(pairs.length + 1).fill(-1)
  const worthOf = (index: number) => worth[index] ?? 0
  let last = -1
  for (const [index, pair] of pairs.entries()) {
    const rank = ranks.get(pair[0]) ?? 0
    let found = -1
    for (let at = rank - 1; at > 0; at -= at & -at) {
      if (worthOf(best[at] ?? -1) >= worthOf(found)) found = best[at] ?? -1
    }
    before[index] = found
    worth[index] = worthOf(found) + 1 + (isSame(pair) ? same : 0)
    for (let at = rank; at < best.length; at += at & -at) {
      if (worthOf(index) >= worthOf(best[at] ?? -1)) best[at] = index
    }
    if (worthOf(index) >= worthOf(last)) last = index
  }
  const row: [number, number][] = []
  for (let index = last; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) row.push(pair)
  }
  return row.reverse()
}
