/**
 * Words that go from one block to another: where blocks are joined or divided, what stood before
 * and behind that position stands elsewhere, and is still the same words. The texts of one row are
 * compared in reading order: what they have in common was carried or stayed.
 */
import type { Node } from 'prosemirror-model'
import type { BlockRow } from './blocks.ts'
import { type Comparing, compareTexts, diffBy } from './comparing.ts'
import { textEnds } from './ends.ts'
import { type Kept, keptBetween, plainRow, type Region, type UnitRange } from './inline-row.ts'
import {
  lengthOf,
  type NewText,
  type OldText,
  type Passages,
  passagesOf,
  textOf,
} from './passages.ts'
import { regionsAroundMoved, successionsOf } from './shared-ends.ts'

/** The units from `sourceFrom` on of what `source` was are the units [from, to) of `target`. */
export interface Carried {
  readonly source: OldText
  readonly sourceFrom: number
  readonly target: NewText
  readonly from: number
  readonly to: number
}

export interface Words {
  /** What is rewritten in a text that goes on, in its own block or in one that takes it over. */
  readonly regions: ReadonlyMap<NewText, readonly Region[]>
  readonly carried: readonly Carried[]
}

/** What became of the words of the rows. */
export function compareWords(rows: readonly BlockRow[], comparing: Comparing): Words {
  const regions = new Map<NewText, readonly Region[]>()
  const carried: Carried[] = []
  for (const passages of passagesOf(rows)) {
    const { own, ...best } = carry(passages, comparing)
    for (const { block, node, source } of passages.next) {
      if (source) regions.set(block, own.get(source) ?? regionsOf(source, node, comparing))
    }
    for (const one of best.carried) carried.push(one)
  }
  return { regions, carried }
}

const regionsOf = (source: OldText, node: Node, comparing: Comparing): readonly Region[] =>
  compareTexts(source.kind === 'stays' ? source.old : source.node, node, comparing)

interface Carrying {
  readonly own: Own
  readonly carried: readonly Carried[]
  /** Units that are neither kept nor carried. */
  readonly written: number
}

/**
 * Each block is compared with what it was. Where blocks were joined or divided, what all texts
 * begin and end with stayed in place, in whatever block it is: that counts if it explains more.
 */
function carry(passages: Passages, comparing: Comparing): Carrying {
  const successions = successionsOf(passages)
  const own = new Map<OldText | NewText, readonly Region[]>()
  for (const { old, next } of successions) {
    own.set(old.block, compareTexts(old.node, next.node, comparing))
  }
  const alone = carryAdjacent(passages, own, comparing)
  const ends = textEnds(textOf(passages.old), textOf(passages.next))
  const around = regionsAroundMoved(successions, ends, comparing)
  if (around.size === 0) return alone
  const joined = carryAdjacent(
    passages,
    new Map<OldText | NewText, readonly Region[]>([...own, ...around]),
    comparing,
  )
  return joined.written < alone.written ? joined : alone
}

/** What is carried, beside what blocks keep of their own. */
function carryAdjacent(passages: Passages, own: Own, comparing: Comparing): Carrying {
  const lost = lostOf(passages, own)
  const gained = gainedOf(passages, own)
  const rest = { lost: new Set(lost), gained: new Set(gained) }
  const carried: Carried[] = []
  for (const pair of equalPairs(lost, gained)) {
    carried.push(...carryUnits([pair.lost], [pair.gained], pair))
    rest.lost.delete(pair.lost)
    rest.gained.delete(pair.gained)
  }
  const [from, into] = [[...rest.lost], [...rest.gained]]
  for (const kept of keptIn(from, into, comparing)) {
    const length = kept.to - kept.from
    carried.push(...carryUnits(from, into, { from: kept.from, at: kept.nextFrom, length }))
  }
  const size = lengthOf(gained)
  const found = carried.reduce((sum, { from: start, to }) => sum + to - start, 0)
  return { own, carried, written: size - found }
}

/**
 * What was a block, or is one, and stands elsewhere now, in whatever order. A line that joins a
 * block or leaves one has a line end more, or one less.
 */
function equalPairs(
  lost: readonly TextblockUnits<OldText>[],
  gained: readonly TextblockUnits<NewText>[],
) {
  const byLine = new Map<string, TextblockUnits<OldText>[]>()
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

function keptIn(
  lost: readonly TextblockUnits<OldText>[],
  gained: readonly TextblockUnits<NewText>[],
  comparing: Comparing,
): readonly Kept[] {
  const [old, next] = [linesOf(lost), linesOf(gained)]
  if (old.length + next.length <= comparedMaxChars) {
    const row = plainRow(old)
    const choice = { wholeWords: comparing.wholeWords, unnamed: unnamedIn(lost, comparing) }
    return keptBetween(row, diffBy(row, plainRow(next), choice))
  }
  const { front, back } = textEnds(old, next)
  const end = { from: old.length - back, to: old.length, nextFrom: next.length - back }
  return [{ from: 0, to: front, nextFrom: 0 }, end]
}

/** Of what was lost, the units in its lines that were not replaced. */
function unnamedIn(lost: readonly TextblockUnits<OldText>[], { unnamed }: Comparing): UnitRange[] {
  let start = 0
  return lost.flatMap(({ block, from, text }) => {
    const shift = start - from
    const [first, end] = [start, start + text.length]
    start = end + 1
    const own = unnamed(block.kind === 'stays' ? block.old : block.node)
    const moved = own.map((one) => ({
      from: Math.max(first, one.from + shift),
      to: Math.min(end, one.to + shift),
    }))
    return moved.filter((one) => one.from < one.to)
  })
}

/** With a line end behind each but the last, so that words stay apart. */
const linesOf = (all: readonly { readonly text: string }[]): string =>
  all.map(({ text }) => text).join('\n')

/** Units of one textblock. */
interface TextblockUnits<Text> {
  readonly block: Text
  readonly from: number
  readonly text: string
  /** It is all that the textblock says. */
  readonly isWhole: boolean
}

type Own = ReadonlyMap<OldText | NewText, readonly Region[]>

const lostOf = ({ old }: Passages, own: Own): TextblockUnits<OldText>[] =>
  old.flatMap(({ block, text }) => {
    const all = own.get(block) ?? [{ from: 0, to: text.length }]
    return all.flatMap(({ from, to }) => stretch(block, text, { from, to }))
  })

const gainedOf = ({ next }: Passages, own: Own): TextblockUnits<NewText>[] =>
  next.flatMap(({ block, source, text }) => {
    const regions = source && own.get(source)
    const all = regions ?? [{ nextFrom: 0, nextTo: text.length }]
    return all.flatMap(({ nextFrom, nextTo }) =>
      stretch(block, text, { from: nextFrom, to: nextTo }),
    )
  })

/** None where there is no unit: in its place would stand a line end that belongs to nobody. */
const stretch = <Text>(
  block: Text,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): TextblockUnits<Text>[] =>
  from === to
    ? []
    : [{ block, from, text: text.slice(from, to), isWhole: to - from === text.length }]

/**
 * The same `length` units, from `from` on in the lines of what was lost and from `at` on in those of
 * what was gained.
 */
function carryUnits(
  lost: readonly TextblockUnits<OldText>[],
  gained: readonly TextblockUnits<NewText>[],
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
      const from = now.from + b
      carried.push({
        source: old.block,
        sourceFrom: old.from + a,
        target: now.block,
        from,
        to: from + length,
      })
      done += length
    }
  }
  return carried
}
