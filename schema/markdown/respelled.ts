/**
 * The spelling of a textblock whose content was changed since it was written, by typing, a drag or
 * a split: what is still there keeps the characters that spelled it, what is new is written plainly
 * in between. Each change is tried in the few ways there are to place it among the markup around
 * it, and holds when the result reads back as the content; where none does, nothing is kept and the
 * block is printed in the canonical form. A function of the content and the source alone, so that
 * all who have both come to the same text.
 */
import type { Mark, Node } from 'prosemirror-model'
import { sameContent } from '../diff/content.ts'
import { commonEnds } from '../diff/ends.ts'
import { commonSubsequence } from '../diff/subsequence.ts'
import { documentSchema } from '../document-schema.ts'
import { printInline } from './inline.ts'
import type { InlineText } from './inline-output.ts'
import type { InlineShape } from './inline-runs.ts'
import {
  blanksAtLineEnds,
  hasUnits,
  keyOf,
  sameUnit,
  type Unit,
  unitsOf,
  withBlanksOutside,
} from './inline-units.ts'
import type { TextRange } from './printed.ts'
import type { TextblockSource } from './read-source.ts'

const { paragraph } = documentSchema.nodes

export interface Respelling {
  readonly node: Node
  readonly source: TextblockSource
  readonly shape: InlineShape
  /** Reads a text as the source was read. */
  read(md: string): TextblockSource | undefined
}

/** More stretches that changed are not looked at; nor, one by one, as many as these. */
const hunksMax = 256
const hunksOneByOneMax = 32
/** Characters that are read in search of a text that reads back. */
const readMaxChars = 256 * 1024

export function respelled({ node, source, shape, read }: Respelling): InlineText | undefined {
  if (sameInline(node, source.node)) return { md: source.md, segments: source.segments }
  const old = unitsOf(source.node)
  const { kept: now, hunks } = compared(old, unitsOf(node))
  if (hunks === undefined || hunks.length > hunksMax) return undefined
  const spans = spansOf(source, old.length)
  const changes = { source, spans, hunks, old, now, shape }
  const likeliest = read(likeliestText(changes))
  if (likeliest !== undefined) {
    const { md, segments } = likeliest
    if (sameInline(node, likeliest.node)) return { md, segments }
    if (hasUnits(likeliest.node, now)) return placed(likeliest, now)
  }
  if (hunks.length > hunksOneByOneMax) return undefined
  let current = source
  let left = readMaxChars
  const isPlaced = (hunk: Hunk): boolean => {
    const wanted = [...old.slice(0, hunk.a), ...now.slice(hunk.b)]
    const { md, from, to } = current
    const change = { md, bounds: { from, to }, spans, hunk, old, now, shape }
    return candidates(change).some((md) => {
      left -= md.length
      const found = left < 0 ? undefined : read(md)
      if (found === undefined || !hasUnits(found.node, wanted)) return false
      current = found
      return true
    })
  }
  for (const [index, hunk] of [...hunks.entries()].toReversed()) {
    const from = hunks[index - 1]?.aEnd ?? 0
    const to = hunks[index + 1]?.a ?? old.length
    if (!isPlaced(hunk) && !isPlaced(withMarkup(hunk, old, { from, to }))) return undefined
  }
  return placed(current, now)
}

const placed = (source: TextblockSource, now: readonly Unit[]): InlineText => ({
  md: source.md,
  segments: placedSegments(source, now),
})

interface Changes extends Pick<Change, 'spans' | 'old' | 'now' | 'shape'> {
  readonly source: TextblockSource
  readonly hunks: readonly Hunk[]
}

/**
 * Each change placed in the likeliest way, which mostly says what is meant and is read but once.
 */
function likeliestText({ source, hunks, ...change }: Changes): string {
  let { md, from, to } = source
  for (const hunk of hunks.toReversed()) {
    const [next = md] = candidates({ md, bounds: { from, to }, hunk, ...change })
    to += next.length - md.length
    md = next
  }
  return md
}

function sameInline(a: Node, b: Node): boolean {
  if (a.content.size !== b.content.size) return false
  const [one, other] = [a, b].map(({ content }) => paragraph.create(null, content)) as [Node, Node]
  return sameContent(one, other)
}

/** Units [a, aEnd) of the old content gave way to [b, bEnd) of the new. */
interface Hunk {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
}

/** With the marked text on either side, whose markup may not stand where it did. */
function withMarkup(
  { a, aEnd, b, bEnd }: Hunk,
  old: readonly Unit[],
  { from, to }: TextRange,
): Hunk {
  const isMarked = (unit: Unit | undefined) => unit !== undefined && unit.marks.length > 0
  let [left, right] = [0, 0]
  while (a - left > from && isMarked(old[a - left - 1])) left++
  while (aEnd + right < to && isMarked(old[aEnd + right])) right++
  return { a: a - left, aEnd: aEnd + right, b: b - left, bEnd: bEnd + right }
}

/** The stretches that differ; blanks that markdown does not keep are left out. */
function compared(old: readonly Unit[], all: readonly Unit[]) {
  const lost = blanksAtLineEnds(all)
  // Where there were some before, they are written as references, and stay.
  const isNone = lost.size === 0 || blanksAtLineEnds(old).size > 0
  const left = isNone ? all : all.filter((_, index) => !lost.has(index))
  const outside = withBlanksOutside(left)
  const kept = outside === left || withBlanksOutside(old) !== old ? left : outside
  const { front, back } = commonEnds(old, kept, sameUnit)
  const [oldEnd, keptEnd] = [old.length - back, kept.length - back]
  const pairs = commonSubsequence(
    old.slice(front, oldEnd).map(keyOf),
    kept.slice(front, keptEnd).map(keyOf),
  )
  const hunks: Hunk[] = []
  let [a, b] = [front, front]
  for (const [from, to] of [...pairs, [oldEnd - front, keptEnd - front] as const]) {
    const [nextA, nextB] = [front + from, front + to]
    if (nextA > a || nextB > b) hunks.push({ a, aEnd: nextA, b, bEnd: nextB })
    ;[a, b] = [nextA + 1, nextB + 1]
  }
  return { kept, hunks: front + back + pairs.length === 0 ? undefined : hunks }
}

/** Where each unit is written. What is written as one has all of it in its first unit. */
function spansOf({ segments, to }: TextblockSource, count: number): readonly TextRange[] {
  const spans: TextRange[] = []
  const fill = (until: number, at: number) => {
    while (spans.length < Math.min(until, count)) spans.push({ from: at, to: at })
  }
  for (const segment of segments) {
    fill(segment.pos, segment.md)
    const isPlain = segment.mdLength === segment.length
    for (let offset = 0; offset < segment.length && spans.length < count; offset++) {
      const end = segment.md + segment.mdLength
      if (isPlain) spans.push({ from: segment.md + offset, to: segment.md + offset + 1 })
      else spans.push(offset === 0 ? { from: segment.md, to: end } : { from: end, to: end })
    }
  }
  fill(count, to)
  return spans
}

interface Change {
  readonly md: string
  readonly bounds: TextRange
  readonly spans: readonly TextRange[]
  readonly hunk: Hunk
  readonly old: readonly Unit[]
  readonly now: readonly Unit[]
  readonly shape: InlineShape
}

/** The texts that may say the change, the likeliest first. */
function candidates(change: Change): readonly string[] {
  const { md, bounds, spans, hunk, old, now } = change
  const { a, aEnd, b, bEnd } = hunk
  const [before, after] = [old[a - 1], old[aEnd]]
  const begin = spans[a - 1]?.to ?? bounds.from
  const end = spans[aEnd]?.from ?? bounds.to
  const inserted = now.slice(b, bEnd)
  const [head, tail] = [md.slice(0, begin), md.slice(end)]
  const texts = insertedTexts(inserted, change, [before, after])
  const places = aEnd === a ? splits(md.slice(begin, end)) : leftovers(change, begin, end)
  const isAsBefore = inserted.length > 0 && sameMarks(inserted[0], before)
  const ordered = isAsBefore || inserted.length === 0 ? places : places.toReversed()
  const all = texts.flatMap((text) =>
    ordered.map(([left, right]) => head + left + text + right + tail),
  )
  const gone =
    aEnd > a ? { from: spans[a]?.from ?? begin, to: spans[aEnd - 1]?.to ?? end } : undefined
  const { from, to } = gone ?? { from: begin, to: begin }
  const isLink = isLinked(before) || (gone !== undefined && isLinked(old[a]))
  const labelled = isLink ? withLabel(md, from, to) : undefined
  if (labelled === undefined) return all
  return [...texts.map((text) => md.slice(0, from) + text + labelled), ...all]
}

const isLinked = (unit: Unit | undefined): boolean =>
  unit?.marks.some(({ type }) => type.name === 'link') === true

/** What follows a change in the text of a link that is its label too: the label goes behind it. */
function withLabel(md: string, begin: number, end: number): string | undefined {
  const [open, close] = [md.lastIndexOf('[', begin - 1), md.indexOf(']', end)]
  if (open < 0 || close < 0 || md[close + 1] === '(') return undefined
  const isCollapsed = md.startsWith('[]', close + 1)
  if (md[close + 1] === '[' && !isCollapsed) return undefined
  const behind = isCollapsed ? close + 3 : close + 1
  const label = md.slice(open + 1, close)
  return `${md.slice(end, close)}][${label}]${md.slice(behind)}`
}

type Around = readonly [left: string, right: string]

const splitMarkupMax = 64

/** Markup that stands where text is inserted, divided in every way. */
function splits(markup: string): readonly Around[] {
  if (markup.length > splitMarkupMax)
    return [
      ['', markup],
      [markup, ''],
    ]
  return Array.from({ length: markup.length + 1 }, (_, at) => [
    markup.slice(0, at),
    markup.slice(at),
  ])
}

/** What may stay of the markup around and in text that is gone. */
function leftovers({ md, spans, hunk: { a, aEnd } }: Change, begin: number, end: number): Around[] {
  const left = md.slice(begin, spans[a]?.from ?? begin)
  const right = md.slice(spans[aEnd - 1]?.to ?? end, end)
  let inner = ''
  for (let index = a + 1; index < aEnd; index++) {
    inner += md.slice(spans[index - 1]?.to, spans[index]?.from)
  }
  const all: Around[] = [
    [left, right],
    ['', ''],
    ['', right],
    [left, ''],
    [left + right, ''],
  ]
  if (inner !== '') all.push(['', inner + right], [left + inner, ''], [left, inner + right])
  return all
}

const sameMarks = (a: Unit | undefined, b: Unit | undefined): boolean =>
  a !== undefined && b !== undefined && JSON.stringify(a.marks) === JSON.stringify(b.marks)

/** Plain text as it is and escaped; with marks or leaves of its own as the printer writes it. */
function insertedTexts(
  units: readonly Unit[],
  { shape }: Change,
  around: readonly (Unit | undefined)[],
): readonly string[] {
  if (units.length === 0) return ['']
  const texts: string[] = []
  const isPlain = units.every((unit) => unit.text !== undefined && sameMarks(unit, units[0]))
  if (isPlain) {
    const text = units.map((unit) => unit.text).join('')
    texts.push(text, text.replace(/[\\`*_~[\]<>&|!#+=\-:]/g, '\\$&'))
    const first = /^\d{1,9}(?=[.)])/.exec(text)?.[0].length ?? 0
    texts.push(`${text.slice(0, first)}\\${text.slice(first)}`)
  }
  for (const open of [around[0]?.marks ?? [], around[1]?.marks ?? [], []]) {
    const printed = printedBetween(units, { open, shape, around })
    if (printed !== undefined && !texts.includes(printed)) texts.push(printed)
  }
  return texts
}

const letter = 'x'

interface Surroundings {
  readonly open: readonly Mark[]
  readonly shape: InlineShape
  readonly around: readonly (Unit | undefined)[]
}

/**
 * Printed between two letters, so that blanks and line starts are as inside a line; and between the
 * blanks or stops that are around it, since markup may not stand beside a letter.
 */
function printedBetween(
  units: readonly Unit[],
  { open, shape, around }: Surroundings,
): string | undefined {
  const nodes = units.map(({ node, marks, text }) => {
    if (text === undefined) return node
    return documentSchema.text(
      text,
      marks.filter((mark) => !mark.isInSet(open)),
    )
  })
  const [before, behind] = around.map((unit) => /^[ .,;]$/.exec(unit?.text ?? '')?.[0] ?? '')
  const [left, right] = [letter + before, behind + letter]
  const edges = [left, right].map((text) => documentSchema.text(text)) as [Node, Node]
  const { md } = printInline(paragraph.create(null, [edges[0], ...nodes, edges[1]]), shape)
  const isWhole = md.startsWith(left) && md.endsWith(right)
  return isWhole ? md.slice(left.length, -right.length) : undefined
}

/** The segments of what was read, at the positions of the units that it was read from. */
function placedSegments({ segments }: TextblockSource, units: readonly Unit[]) {
  const isSame = units.every(({ pos }, index) => pos === index)
  if (isSame) return segments
  return segments.flatMap((segment) => {
    const { md, mdLength, pos, length } = segment
    const first = units[pos]?.pos
    const last = units[pos + length - 1]?.pos
    if (first === undefined || last === undefined) return []
    if (last - first === length - 1) return [{ ...segment, pos: first }]
    if (mdLength !== length) return [{ ...segment, pos: first, length: last - first + 1 }]
    return Array.from({ length }, (_, offset) => {
      const place = units[pos + offset]?.pos ?? first
      return { md: md + offset, mdLength: 1, pos: place, length: 1 }
    })
  })
}
