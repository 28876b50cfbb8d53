/**
 * Which of the new siblings is which of the old ones: identical nodes first, then nodes of the same
 * content, then nodes of one type by likeness, always in order. What stays without a partner was
 * added or removed (or moved, wrapped, converted: see pairing.ts).
 */
import type { Node } from 'prosemirror-model'
import { contentKey, likeness, sameContent } from './content.ts'
import { commonEnds } from './ends.ts'
import type { KnownTexts } from './known-texts.ts'
import { commonSubsequence, pairHeaviest } from './subsequence.ts'

/**
 * Pairs tried by likeness; beyond it, siblings of one type pair by their beginnings, then in order.
 */
const likenessMaxCells = 16_384
/**
 * What a partner of the same type is worth before any likeness: more than half of the most
 * likeness.
 */
const typeWorth = 0.6

/** For each new sibling the index of its old one; `undefined`: it has none. Increasing. */
type Partners = readonly (number | undefined)[]

/** `texts`: of all that changes, so that nobody pairs with what went or came from elsewhere. */
export function align(old: readonly Node[], next: readonly Node[], texts: KnownTexts): Partners {
  const rows = { old, next, texts }
  const partner = new Array<number | undefined>(next.length).fill(undefined)
  const whole = { a: 0, aEnd: old.length, b: 0, bEnd: next.length }
  const changed = trimmed(rows, whole, { same: Object.is, partner })
  const gap = trimmed(rows, changed, { same, partner })
  if (gap.a === gap.aEnd || gap.b === gap.bEnd) return partner
  const identical = pairUp(rows, gap, identityOf)
  for (const byIdentity of between([gap], identical, partner)) {
    const equal = pairUp(rows, byIdentity, contentKey)
    for (const rest of between([byIdentity], equal, partner)) {
      for (const [i, j] of byLikeness(rows, rest)) partner[j] = i
    }
  }
  return partner
}

interface Rows {
  readonly old: readonly Node[]
  readonly next: readonly Node[]
  readonly texts: KnownTexts
}

/** The gap without what both rows begin and end with there, which is paired. */
function trimmed(
  { old, next }: Rows,
  { a, aEnd, b, bEnd }: Gap,
  {
    same,
    partner,
  }: {
    readonly same: (a: Node, b: Node) => boolean
    readonly partner: (number | undefined)[]
  },
): Gap {
  const { front, back } = commonEnds(old.slice(a, aEnd), next.slice(b, bEnd), same)
  for (let at = 0; at < front; at++) partner[b + at] = a + at
  for (let behind = 1; behind <= back; behind++) partner[bEnd - behind] = aEnd - behind
  return { a: a + front, aEnd: aEnd - back, b: b + front, bEnd: bEnd - back }
}

const same = (a: Node, b: Node): boolean => sameContent(a, b) && compatibleIds(a, b)

/** An id that a new node names (it was moved or kept) pairs with that id only. */
const compatibleIds = (a: Node, b: Node): boolean =>
  a === b || (b.attrs['id'] ?? a.attrs['id']) === a.attrs['id']

const mayPair = (a: Node, b: Node, texts: KnownTexts): boolean =>
  a.type === b.type && compatibleIds(a, b) && !texts.separate(a, b)

const identityOf = (node: Node): unknown => node.attrs['id'] ?? node

interface Gap {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
}

function pairUp(
  { old, next, texts }: Rows,
  gap: Gap,
  token: (node: Node) => unknown,
): [number, number][] {
  return commonSubsequence(
    old.slice(gap.a, gap.aEnd).map(token),
    next.slice(gap.b, gap.bEnd).map(token),
  )
    .map(([i, j]): [number, number] => [gap.a + i, gap.b + j])
    .filter(([i, j]) => {
      const [a, b] = [old[i], next[j]]
      return a !== undefined && b !== undefined && mayPair(a, b, texts)
    })
}

/**
 * Enters `pairs` into `partner` and gives the stretches between them where both sides have nodes.
 */
function between(
  [gap]: readonly [Gap],
  pairs: readonly [number, number][],
  partner: (number | undefined)[],
): Gap[] {
  const gaps: Gap[] = []
  let { a, b } = gap
  for (const [i, j] of [...pairs, [gap.aEnd, gap.bEnd] as const]) {
    if (i > a && j > b) gaps.push({ a, aEnd: i, b, bEnd: j })
    if (j < gap.bEnd) partner[j] = i
    a = i + 1
    b = j + 1
  }
  return gaps
}

/** In a gap too large for likeness, blocks that begin alike divide it first. */
function byLikeness(rows: Rows, gap: Gap): [number, number][] {
  if (cellsOf(gap) <= likenessMaxCells) return byTable(rows, gap)
  const pairs = pairUp(rows, gap, openingOf)
  for (const rest of between([gap], pairs, [])) {
    const isSmall = cellsOf(rest) <= likenessMaxCells
    const own = isSmall ? byTable(rows, rest) : inOrder(rows, rest)
    for (const pair of own) pairs.push(pair)
  }
  return pairs
}

const cellsOf = (gap: Gap): number => (gap.aEnd - gap.a) * (gap.bEnd - gap.b)

const openingOf = (node: Node): string =>
  `${node.type.name} ${node.textBetween(0, Math.min(node.content.size, 32), ' ')}`

function byTable({ old, next, texts }: Rows, gap: Gap): [number, number][] {
  const isOnlyOne = cellsOf(gap) === 1
  const pairs = pairHeaviest(gap.aEnd - gap.a, gap.bEnd - gap.b, (i, j) => {
    const [a, b] = [old[gap.a + i], next[gap.b + j]]
    if (a === undefined || b === undefined || !mayPair(a, b, texts)) return 0
    return isOnlyOne ? 1 : typeWorth + likeness(a, b)
  })
  return pairs.map(([i, j]) => [gap.a + i, gap.b + j])
}

function inOrder({ old, next, texts }: Rows, gap: Gap): [number, number][] {
  const pairs: [number, number][] = []
  for (let i = gap.a, j = gap.b; i < gap.aEnd && j < gap.bEnd; i++, j++) {
    const [a, b] = [old[i], next[j]]
    if (a !== undefined && b !== undefined && mayPair(a, b, texts)) pairs.push([i, j])
  }
  return pairs
}
