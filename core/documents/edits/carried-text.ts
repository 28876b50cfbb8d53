/**
 * Text that an edit carries from one block to another: where blocks are joined or divided, what
 * stood before and behind the place of the edit is written again elsewhere, and stays its authors'.
 * The texts of one part are compared in reading order: the words that they have in common were
 * carried or stayed. Reads Yjs, writes nothing.
 */
import type * as Y from 'yjs'
import type { Change } from './compare-blocks.ts'
import { diffInline, inlineRow, type Kept, keptBetween, plainRow, type Region } from './inline.ts'
import type { AddedBlock } from './pairing.ts'
import { type NewPassage, type OldPassage, type Passages, passagesOf } from './passages.ts'
import { inlineChildren, type StructRange, structsOfUnits } from './y-text.ts'

/** The units [from, to) of what `target` will be stand for these structs. */
export interface Carried {
  readonly structs: readonly StructRange[]
  /** Where they stood. */
  readonly holder: Y.XmlElement
  readonly target: Y.XmlElement | AddedBlock
  readonly from: number
  readonly to: number
}

export interface CarryPlan {
  /** How the text of a staying block changes, where that is not for the block alone to tell. */
  readonly regions: ReadonlyMap<Y.XmlElement, readonly Region[]>
  readonly carried: readonly Carried[]
}

/** To be asked before anything is written. */
export function* planCarrying(change: Change): Generator<number, CarryPlan> {
  const regions = new Map<Y.XmlElement, readonly Region[]>()
  const carried: Carried[] = []
  if (isOneText(change)) return { regions, carried }
  for (const passages of yield* passagesOf(change)) {
    const ends = commonEnds(textOf(passages.old), textOf(passages.next))
    const own = yield* ownRegions(passages, ends)
    for (const { target, source } of passages.next) {
      const found = source && target === source ? own.get(source) : undefined
      if (source && found) regions.set(source, found)
    }
    const lost = lostOf(passages, own)
    const gained = gainedOf(passages, own)
    const rest = { lost: new Set(lost), gained: new Set(gained) }
    for (const pair of equalPairs(lost, gained)) {
      carried.push(...carry([pair.lost], [pair.gained], { from: 0, at: 0, length: pair.length }))
      rest.lost.delete(pair.lost)
      rest.gained.delete(pair.gained)
    }
    const [from, into] = [[...rest.lost], [...rest.gained]]
    for (const kept of keptIn(linesOf(from), linesOf(into))) {
      const length = kept.to - kept.from
      carried.push(...carry(from, into, { from: kept.from, at: kept.nextFrom, length }))
    }
    yield lengthOf(lost) + lengthOf(gained)
  }
  return { regions, carried }
}

/** What was a block, or is one, and stands elsewhere now, in whatever order. */
function equalPairs(
  lost: readonly Stretch<Y.XmlElement>[],
  gained: readonly Stretch<Y.XmlElement | AddedBlock>[],
) {
  const byText = new Map<string, Stretch<Y.XmlElement>[]>()
  for (const one of lost.toReversed()) {
    const same = byText.get(one.text)
    if (same) same.push(one)
    else byText.set(one.text, [one])
  }
  return gained.flatMap((one) => {
    const same = /[\p{L}\p{N}]/u.test(one.text) ? byText.get(one.text) : undefined
    const at = same?.findLastIndex((each) => each.isWhole || one.isWhole) ?? -1
    const [source] = at < 0 ? [] : (same?.splice(at, 1) ?? [])
    return source ? [{ lost: source, gained: one, length: one.text.length }] : []
  })
}

/** Beyond it only what two texts have in common at their ends is sought. */
const comparedMaxChars = 16 * 1024

function keptIn(old: string, next: string): readonly Kept[] {
  if (old.length + next.length <= comparedMaxChars) {
    const row = plainRow(old)
    return keptBetween(row, diffInline(row, plainRow(next)))
  }
  const { front, back } = commonEnds(old, next)
  const end = { from: old.length - back, to: old.length, nextFrom: next.length - back }
  return [{ from: 0, to: front, nextFrom: 0 }, end]
}

/** Nothing but the text of one block changes: there is nowhere to carry it. */
const isOneText = ({ levels, texts }: Change): boolean =>
  texts.length < 2 &&
  levels.every(({ rows, removed, places }) => removed.length === 0 && places.length === rows.length)

const textOf = (all: readonly { readonly text: string }[]): string =>
  all.map(({ text }) => text).join('')
/** With a line end behind each but the last, so that words stay apart. */
const linesOf = (all: readonly { readonly text: string }[]): string =>
  all.map(({ text }) => text).join('\n')
const lengthOf = (all: readonly { readonly text: string }[]): number =>
  all.reduce((sum, { text }) => sum + text.length, 0)

interface Ends {
  readonly front: number
  readonly back: number
}

function commonEnds(old: string, next: string): Ends {
  const most = Math.min(old.length, next.length)
  let front = 0
  while (front < most && old[front] === next[front]) front++
  let back = 0
  while (back < most - front && old.at(-1 - back) === next.at(-1 - back)) back++
  return { front, back }
}

/** The regions of each block that has a successor, keyed by the old block. */
function* ownRegions({ old, next }: Passages, ends: Ends): Generator<number, Own> {
  const own = new Map<Y.XmlElement, readonly Region[]>()
  const [owners, size] = [new Owners(old), lengthOf(next)]
  const nodes = new Map(old.map(({ element, node }) => [element, node]))
  let start = 0
  for (const { node, target, source, text } of next) {
    const [from, to] = [start, start + text.length]
    start = to
    const was = source && nodes.get(source)
    if (!source || !was) continue
    let [front, back] = [0, 0]
    if (target === source) {
      while (from + front < Math.min(to, ends.front) && owners.at(from + front) !== source) front++
      const isForeign = (at: number): boolean =>
        at > from + front && size - at < ends.back && owners.fromEnd(size - at) !== source
      while (isForeign(to - back)) back++
    }
    own.set(source, regionsAround(was, node, { front, back }))
    yield was.nodeSize + node.nodeSize
  }
  return own
}

/** The element to which a unit of the old texts belongs. */
class Owners {
  readonly #old: readonly OldPassage[]
  readonly #size: number

  constructor(old: readonly OldPassage[]) {
    this.#old = old
    this.#size = lengthOf(old)
  }

  at(offset: number): Y.XmlElement | undefined {
    let start = 0
    for (const { element, text } of this.#old) {
      start += text.length
      if (offset < start) return element
    }
    return undefined
  }

  /** Of the unit with so many units behind it. */
  fromEnd(behind: number): Y.XmlElement | undefined {
    return this.at(this.#size - 1 - behind)
  }
}

/** The units at the ends of `next` came from other blocks; what is between is compared. */
function regionsAround(
  old: OldPassage['node'],
  next: NewPassage['node'],
  { front, back }: Ends,
): readonly Region[] {
  if (front === 0 && back === 0) return diffInline(inlineRow(old), inlineRow(next))
  const end = next.content.size - back
  const inner = diffInline(inlineRow(old), inlineRow(next.cut(front, end)))
  const size = old.content.size
  const regions = [
    { from: 0, to: 0, nextFrom: 0, nextTo: front },
    ...inner.map((region) => ({
      ...region,
      nextFrom: region.nextFrom + front,
      nextTo: region.nextTo + front,
    })),
    { from: size, to: size, nextFrom: end, nextTo: next.content.size },
  ]
  return regions.reduce<Region[]>(joined, [])
}

function joined(regions: Region[], region: Region): Region[] {
  const { from, to, nextFrom, nextTo } = region
  if (from === to && nextFrom === nextTo) return regions
  const last = regions.at(-1)
  if (last === undefined || last.to !== from || last.nextTo !== nextFrom)
    return [...regions, region]
  return [...regions.slice(0, -1), { ...last, to, nextTo }]
}

/** Units of one textblock. */
interface Stretch<Holder> {
  readonly holder: Holder
  readonly from: number
  readonly text: string
  /** It is all that the textblock says. */
  readonly isWhole: boolean
}

type Own = ReadonlyMap<Y.XmlElement, readonly Region[]>

const lostOf = ({ old }: Passages, own: Own): Stretch<Y.XmlElement>[] =>
  old.flatMap(({ element, text }) =>
    (own.get(element) ?? [{ from: 0, to: text.length }]).map(({ from, to }) => ({
      holder: element,
      from,
      text: text.slice(from, to),
      isWhole: to - from === text.length,
    })),
  )

const gainedOf = ({ next }: Passages, own: Own): Stretch<Y.XmlElement | AddedBlock>[] =>
  next.flatMap(({ target, source, text }) => {
    const regions = source && own.get(source)
    const all = regions ?? [{ nextFrom: 0, nextTo: text.length }]
    return all.map(({ nextFrom, nextTo }) => ({
      holder: target,
      from: nextFrom,
      text: text.slice(nextFrom, nextTo),
      isWhole: nextTo - nextFrom === text.length,
    }))
  })

/**
 * The same `length` units, from `from` on in the lines of what was lost and from `at` on in those of
 * what was gained.
 */
function carry(
  lost: readonly Stretch<Y.XmlElement>[],
  gained: readonly Stretch<Y.XmlElement | AddedBlock>[],
  same: { readonly from: number; readonly at: number; readonly length: number },
): Carried[] {
  const carried: Carried[] = []
  let [done, i, j, startOfOld, startOfNew] = [0, 0, 0, 0, 0]
  while (done < same.length) {
    const [old, now] = [lost[i], gained[j]]
    if (old === undefined || now === undefined) break
    const a = same.from + done - startOfOld
    const b = same.at + done - startOfNew
    if (a > old.text.length) {
      startOfOld += old.text.length + 1
      i++
    } else if (b > now.text.length) {
      startOfNew += now.text.length + 1
      j++
    } else if (a === old.text.length || b === now.text.length) done++
    else {
      const length = Math.min(old.text.length - a, now.text.length - b, same.length - done)
      const children = inlineChildren(old.holder)
      const structs = structsOfUnits(children, old.from + a, old.from + a + length)
      const from = now.from + b
      carried.push({ structs, holder: old.holder, target: now.holder, from, to: from + length })
      done += length
    }
  }
  return carried
}
