/**
 * Makes the inline content of one Yjs element read as another textblock's, by character splices:
 * text that stays is never written again, so its authors, and what somebody types there meanwhile,
 * stay. A text is divided (its shorter part cloned, credited through `cloned`) only where a leaf
 * lands inside. No XmlText is ever removed, for a keystroke may be on its way to it.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import {
  forRunsOf,
  type InlineRow,
  inlineRow,
  keptBetween,
  type Piece,
  piecesOf,
  type Region,
} from '../../../../schema/diff/inline-row.ts'
import type { Child } from '../../../../schema/yjs/children.ts'
import { structsOfText } from '../../../../schema/yjs/text-positions.ts'
import { buildElement } from '../../model/build.ts'
import type { WriteHost } from './host.ts'
import {
  changeAttributes,
  deleteTypes,
  type InlineChild,
  inlineChildren,
  markChange,
  textAttributes,
} from './y-text.ts'

/** `element` mirrors `old`; afterwards its content reads as that of `next`. */
export function applyText(
  host: WriteHost,
  element: Y.XmlElement,
  change: {
    readonly old: Node
    readonly next: Node
    /** What is rewritten. */
    readonly regions: readonly Region[]
  },
): void {
  const { old, next } = change
  const rows = { old: inlineRow(old), next: inlineRow(next) }
  const regions = affordable(change.regions, rows)
  const children = inlineChildren(element)
  if ((children.at(-1)?.to ?? 0) !== rows.old.chars.length) {
    throw new TypeError(`the Yjs content of a ${old.type.name} is not that of its node`)
  }
  const leaves = new Map(children.map(({ type, from }) => [from, type]))
  const formats: FormatChange[] = []
  for (const kept of keptBetween(rows.old, regions)) {
    forRunsOf(kept, rows, ({ from, to }, before, after) => {
      const leaf = before.leaf && after.leaf && leaves.get(from)
      if (leaf instanceof Y.XmlElement && before.leaf && after.leaf) {
        changeAttributes(leaf, before.leaf, after.leaf)
      } else {
        const own = markChange(before.marks, after.marks)
        if (own !== undefined) formats.push({ from, to, change: own })
      }
    })
  }
  formatUnits(children, formats)
  for (const region of regions.toReversed()) {
    const pieces = piecesOf(rows.next, region)
    if (pieces.some((piece) => piece.leaf)) {
      deleteUnits(host, inlineChildren(element), region.from, region.to)
      insertAroundLeaves(host, element, { at: region.from, pieces })
    } else spliceText(host, element, { region, pieces })
  }
}

/** Steps through the items of a text that its changes may cost together. */
const walkMax = 30_000_000

/**
 * Yjs finds each place of a text by walking to it. Where there are so many regions in so many runs
 * that this would take seconds, neighbouring regions are rewritten as one.
 */
function affordable(
  regions: readonly Region[],
  rows: { readonly old: InlineRow; readonly next: InlineRow },
): readonly Region[] {
  const items = 4 * (rows.old.runs.length + rows.next.runs.length) + 2 * regions.length
  const most = Math.max(1, Math.floor(walkMax / items))
  if (regions.length <= most) return regions
  const together = Math.ceil(regions.length / most)
  const joined: Region[] = []
  for (let at = 0; at < regions.length; at += together) {
    const first = regions[at] as Region
    const last = regions[Math.min(at + together, regions.length) - 1] as Region
    joined.push({ ...first, to: last.to, nextTo: last.nextTo })
  }
  return joined
}

interface FormatChange {
  readonly from: number
  readonly to: number
  readonly change: Readonly<Record<string, object | null>>
}

/** From so many changes of one text on, one walk makes all of them. */
const manyChanges = 8

/** The changes ascend. */
function formatUnits(children: readonly InlineChild[], changes: readonly FormatChange[]): void {
  let first = 0
  for (const { type, from: start, to: end } of children) {
    if (!(type instanceof Y.XmlText)) continue
    while ((changes[first]?.to ?? Number.POSITIVE_INFINITY) <= start) first++
    const own: FormatChange[] = []
    for (let index = first; (changes[index]?.from ?? end) < end; index++) {
      const { from, to, change } = changes[index] as FormatChange
      own.push({ from: Math.max(from, start) - start, to: Math.min(to, end) - start, change })
    }
    if (own.length < manyChanges) {
      for (const { from, to, change } of own) type.format(from, to - from, { ...change })
    } else type.applyDelta(formattingDelta(own))
  }
}

function formattingDelta(changes: readonly FormatChange[]): object[] {
  const delta: object[] = []
  let at = 0
  for (const { from, to, change } of changes) {
    if (from > at) delta.push({ retain: from - at })
    delta.push({ retain: to - from, attributes: { ...change } })
    at = to
  }
  return delta
}

function deleteUnits(
  host: WriteHost,
  children: readonly InlineChild[],
  from: number,
  to: number,
): void {
  for (const { type, from: start, to: end } of children) {
    if (end <= from || start >= to) continue
    const at = Math.max(from, start)
    if (type instanceof Y.XmlText) type.delete(at - start, Math.min(to, end) - at)
    else deleteTypes(host.doc, [type])
  }
}

/** Answers how much longer the text is. */
function insertPieces(
  host: WriteHost,
  text: Y.XmlText,
  { at, pieces }: { readonly at: number; readonly pieces: readonly Piece[] },
): number {
  const inserts = pieces.map((piece) => ({
    insert: piece.text,
    attributes: textAttributes(piece.marks, host.actor),
  }))
  if (inserts.length >= manyChanges)
    text.applyDelta(at > 0 ? [{ retain: at }, ...inserts] : inserts)
  let offset = at
  for (const { insert, attributes } of inserts) {
    if (inserts.length < manyChanges) text.insert(offset, insert, attributes)
    offset += insert.length
  }
  return offset - at
}

/**
 * Writes before it deletes, so that what is typed at the end of the old text lands after the new.
 */
function spliceText(
  host: WriteHost,
  element: Y.XmlElement,
  { region, pieces }: { readonly region: Region; readonly pieces: readonly Piece[] },
): void {
  const { from, to } = region
  const children = inlineChildren(element)
  let shifted: InlineChild[] = children
  if (pieces.length > 0) {
    const [text, start] = textAt(element, children, from)
    const length = insertPieces(host, text, { at: from - start, pieces })
    const shift = (at: number): number => at + length
    shifted = children.map((child) => {
      if (child.type === text) return { ...child, to: shift(child.to) }
      return child.from >= from ? { ...child, from: shift(child.from), to: shift(child.to) } : child
    })
    deleteUnits(host, shifted, from + length, to + length)
  } else deleteUnits(host, shifted, from, to)
}

/**
 * The text that can take units at `at` and its start: rather the one that ends there. Made if need
 * be.
 */
function textAt(
  element: Y.XmlElement,
  children: readonly InlineChild[],
  at: number,
): [Y.XmlText, number] {
  let before: InlineChild | undefined
  for (const child of children) {
    const { type, from, to } = child
    if (type instanceof Y.XmlText && from <= at && at <= to) return [type, from]
    if (to <= at) before = child
  }
  const made = new Y.XmlText()
  element.insertAfter(before?.type ?? null, [made])
  return [made, at]
}

/** New children with a leaf among them: texts at either end join the texts that stand there. */
function insertAroundLeaves(
  host: WriteHost,
  element: Y.XmlElement,
  { at, pieces }: { readonly at: number; readonly pieces: readonly Piece[] },
): void {
  const [left, right] = divideAt(host, element, at)
  const first = pieces.findIndex((piece) => piece.leaf)
  const last = pieces.findLastIndex((piece) => piece.leaf)
  const lead = pieces.slice(0, first)
  const trail = pieces.slice(last + 1)
  let inner = pieces.slice(first, last + 1)
  if (left instanceof Y.XmlText) insertPieces(host, left, { at: left.length, pieces: lead })
  else inner = [...lead, ...inner]
  if (right instanceof Y.XmlText) insertPieces(host, right, { at: 0, pieces: trail })
  else inner = [...inner, ...trail]
  element.insertAfter(left, childrenOf(host, inner))
}

function childrenOf(host: WriteHost, pieces: readonly Piece[]): Child[] {
  const made: Child[] = []
  let delta: object[] = []
  const flush = (): void => {
    if (delta.length === 0) return
    const text = new Y.XmlText()
    text.applyDelta(delta)
    made.push(text)
    delta = []
  }
  for (const { text, marks, leaf } of pieces) {
    if (leaf === undefined) {
      delta.push({ insert: text, attributes: textAttributes(marks, host.actor) })
      continue
    }
    flush()
    made.push(buildElement(leaf, { newId: host.newId, author: host.actor }))
  }
  flush()
  return made
}

/** The children on either side of the unit offset; a text that spans it is divided there. */
function divideAt(
  host: WriteHost,
  element: Y.XmlElement,
  at: number,
): [left: Child | null, right: Child | null] {
  const children = inlineChildren(element)
  let index = children.findIndex((child) => child.to >= at && (child.to > at || child.from === at))
  if (index < 0) index = children.length
  const child = children[index]
  const before = children[index - 1]?.type ?? null
  if (child === undefined || child.from >= at) return [before, child?.type ?? null]
  if (!(child.type instanceof Y.XmlText)) throw new TypeError('a leaf is one unit long')
  const offset = at - child.from
  if (offset * 2 < child.to - child.from) {
    return [moveText(host, child.type, { from: 0, to: offset, after: before }), child.type]
  }
  const end = child.to - child.from
  return [child.type, moveText(host, child.type, { from: offset, to: end, after: child.type })]
}

/** Clones a part of a text into a new sibling, credits it, deletes the original. */
function moveText(
  host: WriteHost,
  text: Y.XmlText,
  { from, to, after }: { from: number; to: number; after: Child | null },
): Y.XmlText {
  const clone = new Y.XmlText()
  const parent = text.parent
  if (!(parent instanceof Y.XmlElement)) throw new TypeError('a text has an element around it')
  const old = structsOfText(text, from, to)
  parent.insertAfter(after, [clone])
  let at = 0
  for (const { insert, attributes } of text.toDelta() as { insert: string; attributes: object }[]) {
    const start = Math.max(from, at)
    const end = Math.min(to, at + insert.length)
    if (start < end) {
      clone.insert(clone.length, insert.slice(start - at, end - at), { ...attributes })
    }
    at += insert.length
  }
  host.credit(old, structsOfText(clone, 0, to - from))
  text.delete(from, to - from)
  return clone
}
