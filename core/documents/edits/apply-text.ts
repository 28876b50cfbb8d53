/**
 * Makes the inline content of one Yjs element read as another textblock's, by character splices:
 * text that stays is never written again, so its authors, and what somebody types there meanwhile,
 * stay. A text is divided (its shorter part cloned, credited through `cloned`) only where a leaf
 * lands inside. No XmlText is ever removed, for a keystroke may be on its way to it.
 */
import { Mark, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { buildElement } from '../tree/build.ts'
import type { Child } from '../tree/children.ts'
import {
  diffInline,
  forRunsOf,
  type InlineRow,
  inlineRow,
  keptBetween,
  type Region,
  runIndexAt,
} from './inline.ts'
import type { WriteHost } from './write-host.ts'
import {
  changeAttributes,
  deleteTypes,
  type InlineChild,
  inlineChildren,
  markChange,
  structsOfText,
  textAttributes,
} from './y-text.ts'

/** `element` mirrors `old`; afterwards its content reads as that of `next`. */
export function applyText(
  host: WriteHost,
  element: Y.XmlElement,
  change: {
    readonly old: Node
    readonly next: Node
    /** What is rewritten, where others than the block itself know better. */
    readonly regions: readonly Region[] | undefined
  },
): void {
  const { old, next } = change
  const rows = { old: inlineRow(old), next: inlineRow(next) }
  const regions = change.regions ?? diffInline(rows.old, rows.next)
  const children = inlineChildren(element)
  if ((children.at(-1)?.to ?? 0) !== rows.old.chars.length) {
    throw new TypeError(`the Yjs content of a ${old.type.name} is not that of its node`)
  }
  for (const kept of keptBetween(rows.old, regions)) {
    forRunsOf(kept, rows, ({ from, to }, before, after) => {
      if (before.leaf && after.leaf) changeLeaf(children, from, before.leaf, after.leaf)
      else formatUnits(children, from, to, markChange(before.marks, after.marks))
    })
  }
  for (const region of regions.toReversed()) {
    const pieces = piecesOf(rows.next, region)
    if (pieces.some((piece) => piece.leaf)) {
      deleteUnits(host, inlineChildren(element), region.from, region.to)
      insertAroundLeaves(host, element, { at: region.from, pieces })
    } else spliceText(host, element, { region, pieces })
  }
}

/** A stretch of new content: text with its marks, or a leaf. */
interface Piece {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly leaf?: Node
}

function piecesOf(row: InlineRow, { nextFrom, nextTo }: Region): Piece[] {
  const pieces: Piece[] = []
  for (let i = runIndexAt(row, nextFrom), at = nextFrom; at < nextTo; i++) {
    const run = row.runs[i]
    if (run === undefined) break
    const to = Math.min(run.to, nextTo)
    if (run.leaf) pieces.push({ text: '', marks: Mark.none, leaf: run.leaf })
    else pieces.push({ text: row.chars.slice(at, to), marks: run.marks })
    at = to
  }
  return pieces
}

function changeLeaf(children: readonly InlineChild[], at: number, before: Node, after: Node): void {
  const child = children.find((each) => each.from === at && each.to > at)
  if (child?.type instanceof Y.XmlElement) changeAttributes(child.type, before, after)
}

function formatUnits(
  children: readonly InlineChild[],
  from: number,
  to: number,
  change: Record<string, object | null> | undefined,
): void {
  if (change === undefined) return
  for (const { type, from: start, to: end } of children) {
    if (!(type instanceof Y.XmlText) || end <= from || start >= to) continue
    const at = Math.max(from, start)
    type.format(at - start, Math.min(to, end) - at, { ...change })
  }
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

function insertPieces(
  host: WriteHost,
  text: Y.XmlText,
  { at, pieces }: { readonly at: number; readonly pieces: readonly Piece[] },
): number {
  let offset = at
  for (const piece of pieces) {
    text.insert(offset, piece.text, textAttributes(piece.marks, host.actor))
    offset += piece.text.length
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
