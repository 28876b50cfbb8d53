/**
 * What all texts of a change begin and end with, before and after: where blocks are joined or
 * divided it stayed in place, though it may stand in another block now. Decides how the texts of
 * blocks that stay change then.
 */
import type { Node } from 'prosemirror-model'
import { type Comparing, compareTexts } from './comparing.ts'
import type { Ends } from './ends.ts'
import type { Region } from './inline-row.ts'
import {
  lengthOf,
  type NewPassage,
  type NewText,
  type OldPassage,
  type OldText,
  type Passages,
} from './passages.ts'

/** A block that goes on, and where its text stands among all of them, before and after. */
export interface Succession {
  readonly old: OldPassage
  readonly next: NewPassage
  readonly was: Span
  readonly is: Span
}

interface Span {
  readonly from: number
  readonly to: number
  /** Of all texts. */
  readonly size: number
}

export function successionsOf({ old, next }: Passages): Succession[] {
  const found = new Map<OldText, Pick<Succession, 'old' | 'was'>>(
    spansOf(old).map(([one, span]) => [one.block, { old: one, was: span }]),
  )
  return spansOf(next).flatMap(([one, is]) => {
    const before = one.source && found.get(one.source)
    return before ? [{ ...before, next: one, is }] : []
  })
}

function spansOf<T extends { readonly text: string }>(all: readonly T[]): [T, Span][] {
  const size = lengthOf(all)
  let to = 0
  return all.map((one) => {
    const from = to
    to += one.text.length
    return [one, { from, to, size }]
  })
}

/** The regions of each block that stays and from which, or into which, units at `ends` moved. */
export function regionsAroundMoved(
  successions: readonly Succession[],
  ends: Ends,
  comparing: Comparing,
): ReadonlyMap<NewText, readonly Region[]> {
  const around = new Map<NewText, readonly Region[]>()
  for (const { old, next, was, is } of successions) {
    if (next.block !== next.source) continue
    const [went, came] = [endsElsewhere(was, is, ends), endsElsewhere(is, was, ends)]
    if (went.front + went.back + came.front + came.back === 0) continue
    around.set(next.block, regionsAround(old.node, next.node, { went, came, comparing }))
  }
  return around
}

/** How many units at the ends of a text stand in another one on the other side. */
function endsElsewhere(here: Span, there: Span, ends: Ends): Ends {
  const front = unitsOutside(here.from, Math.min(here.to, ends.front), there)
  const [mine, other] = [fromEnd(here), fromEnd(there)]
  return { front, back: unitsOutside(mine.from, Math.min(mine.to - front, ends.back), other) }
}

const fromEnd = ({ from, to, size }: Span): Span => ({ from: size - to, to: size - from, size })

/** How many units from `at` up to `limit` come before the first one of `span`. */
function unitsOutside(at: number, limit: number, span: Span): number {
  const isBehind = span.from === span.to || at >= span.to
  return Math.max(0, (isBehind ? limit : Math.min(limit, span.from)) - at)
}

interface Around {
  readonly went: Ends
  readonly came: Ends
  readonly comparing: Comparing
}

/** What is between the units that went and came at the ends is compared. */
function regionsAround(
  old: Node,
  next: Node,
  { went, came, comparing }: Around,
): readonly Region[] {
  const [size, nextSize] = [old.content.size, next.content.size]
  const [end, nextEnd] = [size - went.back, nextSize - came.back]
  const between = [old.cut(went.front, end), next.cut(came.front, nextEnd)] as const
  const ofPart: Comparing = {
    ...comparing,
    unnamed: () =>
      comparing.unnamed(old).map((one) => ({
        from: one.from - went.front,
        to: one.to - went.front,
      })),
  }
  const regions: Region[] = [{ from: 0, to: went.front, nextFrom: 0, nextTo: came.front }]
  for (const region of compareTexts(...between, ofPart)) {
    const { from, to, nextFrom, nextTo } = region
    add(regions, {
      from: from + went.front,
      to: to + went.front,
      nextFrom: nextFrom + came.front,
      nextTo: nextTo + came.front,
    })
  }
  add(regions, { from: end, to: size, nextFrom: nextEnd, nextTo: nextSize })
  return regions.filter(({ from, to, nextFrom, nextTo }) => from < to || nextFrom < nextTo)
}

/** Regions never touch one another. */
function add(regions: Region[], region: Region): void {
  const last = regions.at(-1)
  if (last?.to === region.from && last.nextTo === region.nextFrom) {
    regions[regions.length - 1] = { ...last, to: region.to, nextTo: region.nextTo }
  } else regions.push(region)
}
