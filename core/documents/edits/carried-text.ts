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
import { lengthOf, type Passages, passagesOf, textOf } from './passages.ts'
import { commonEnds, regionsAroundMoved, successionsOf } from './shared-ends.ts'
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
    const { own, ...best } = yield* carrying(passages)
    for (const { target, source } of passages.next) {
      const found = source && target === source ? own.get(source) : undefined
      if (source && found) regions.set(source, found)
    }
    for (const one of best.carried) carried.push(one)
  }
  return { regions, carried }
}

interface Carrying {
  readonly own: Own
  readonly carried: readonly Carried[]
  /** Units that are neither kept nor carried. */
  readonly written: number
  readonly compared: number
}

/** What it costs to compare where texts stand, in characters that are written. */
const weightOfPassage = 8

/**
 * Each block is compared with what it was. Where blocks were joined or divided, what all texts
 * begin and end with stayed in place, in whatever block it is: that counts if it explains more.
 */
function* carrying(passages: Passages): Generator<number, Carrying> {
  const successions = successionsOf(passages)
  yield weightOfPassage * (passages.old.length + passages.next.length)
  const own = new Map<Y.XmlElement, readonly Region[]>()
  for (const { old, next } of successions) {
    own.set(old.element, diffInline(inlineRow(old.node), inlineRow(next.node)))
    yield old.node.nodeSize + next.node.nodeSize
  }
  const alone = carryingBeside(passages, own)
  yield alone.compared
  const ends = commonEnds(textOf(passages.old), textOf(passages.next))
  const around = regionsAroundMoved(successions, ends)
  if (around.size === 0) return alone
  const joined = carryingBeside(passages, new Map([...own, ...around]))
  yield joined.compared
  return joined.written < alone.written ? joined : alone
}

/** What is carried, beside what blocks keep of their own. */
function carryingBeside(passages: Passages, own: Own): Carrying {
  const lost = lostOf(passages, own)
  const gained = gainedOf(passages, own)
  const rest = { lost: new Set(lost), gained: new Set(gained) }
  const carried: Carried[] = []
  for (const pair of equalPairs(lost, gained)) {
    carried.push(...carry([pair.lost], [pair.gained], pair))
    rest.lost.delete(pair.lost)
    rest.gained.delete(pair.gained)
  }
  const [from, into] = [[...rest.lost], [...rest.gained]]
  for (const kept of keptIn(linesOf(from), linesOf(into))) {
    const length = kept.to - kept.from
    carried.push(...carry(from, into, { from: kept.from, at: kept.nextFrom, length }))
  }
  const size = lengthOf(gained)
  const found = carried.reduce((sum, { from: start, to }) => sum + to - start, 0)
  return { own, carried, written: size - found, compared: lengthOf(lost) + size }
}

/**
 * What was a block, or is one, and stands elsewhere now, in whatever order. A line that joins a
 * block or leaves one has a line end more, or one less.
 */
function equalPairs(
  lost: readonly Stretch<Y.XmlElement>[],
  gained: readonly Stretch<Y.XmlElement | AddedBlock>[],
) {
  const byLine = new Map<string, Stretch<Y.XmlElement>[]>()
  for (const one of lost.toReversed()) {
    const { line } = lineIn(one.text)
    const same = byLine.get(line)
    if (same) same.push(one)
    else byLine.set(line, [one])
  }
  return gained.flatMap((one) => {
    const { line, at } = lineIn(one.text)
    const same = /[\p{L}\p{N}]/u.test(line) ? byLine.get(line) : undefined
    const index = same?.findLastIndex((each) => each.isWhole || one.isWhole) ?? -1
    const [source] = index < 0 ? [] : (same?.splice(index, 1) ?? [])
    if (source === undefined) return []
    const isAll = source.text === one.text
    const part = isAll ? { from: 0, at: 0 } : { from: lineIn(source.text).at, at }
    return [{ lost: source, gained: one, ...part, length: (isAll ? one.text : line).length }]
  })
}

/** A text without line ends around it, and where that begins. */
function lineIn(text: string): { line: string; at: number } {
  let [at, end] = [0, text.length]
  while (at < end && text[at] === '\n') at++
  while (end > at && text[end - 1] === '\n') end--
  return { line: text.slice(at, end), at }
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

/** With a line end behind each but the last, so that words stay apart. */
const linesOf = (all: readonly { readonly text: string }[]): string =>
  all.map(({ text }) => text).join('\n')

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
  old.flatMap(({ element, text }) => {
    const all = own.get(element) ?? [{ from: 0, to: text.length }]
    return all.flatMap(({ from, to }) => stretch(element, text, { from, to }))
  })

const gainedOf = ({ next }: Passages, own: Own): Stretch<Y.XmlElement | AddedBlock>[] =>
  next.flatMap(({ target, source, text }) => {
    const regions = source && own.get(source)
    const all = regions ?? [{ nextFrom: 0, nextTo: text.length }]
    return all.flatMap(({ nextFrom, nextTo }) =>
      stretch(target, text, { from: nextFrom, to: nextTo }),
    )
  })

/** None where there is no unit: in its place would stand a line end that belongs to nobody. */
const stretch = <Holder>(
  holder: Holder,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Stretch<Holder>[] =>
  from === to
    ? []
    : [{ holder, from, text: text.slice(from, to), isWhole: to - from === text.length }]

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
