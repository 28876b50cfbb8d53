/**
 * Finds the text that an edit names (interface §4.5). Five stages, the first with a hit decides:
 * the exact bytes; the text in the escape view; the view of the text there; its
 * meaning; the only place that is the same in Unicode's composed form.
 * Invariants: hits are whole units (no escape, reference or marker of a block is cut), and every
 * occurrence is counted, overlapping ones too. It does not choose among several.
 */
import { occurrencesInPieces } from '../occurrences.ts'
import { lastAtMost } from './bisect.ts'
import type { DocumentText } from './document-text.ts'
import { markdownOffset, viewOf, viewOfChunk, wholeUnit } from './escape-view.ts'
import { cutsMarker } from './markers.ts'
import { findMeant, type Meant } from './meaning.ts'
import type { TextRange } from './printed.ts'
import { composed, composedChunk, writtenOffset } from './unicode-form.ts'

/** Of all texts sought by a request that are in the document neither as they are nor escaped. */
export const soughtAsMarkdownMaxChars = 128 * 1024

export type MatchStage = 'exact' | 'view' | 'wanted-view' | 'meaning' | 'composed' | 'none'

export type { TextRange } from './printed.ts'

/** Where it was found by what it means, how a new text goes there. */
export type Match = TextRange & Partial<Meant>

export interface TextMatches {
  readonly stage: MatchStage
  /** How often the text occurs, listed or not. */
  readonly total: number
  /** The first occurrences, ascending. */
  readonly matches: readonly Match[]
  /** The occurrence at the offset that was asked for, listed or not. */
  readonly chosen?: Match
}

const matchesListedMax = 1000

/** How much several searches may still read as markdown: UTF-16 units of what is sought. */
export interface Reading {
  left: number
}

export const readingOf = (): Reading => ({ left: soughtAsMarkdownMaxChars })

/**
 * Occurrences of `wanted`; `at` is the offset of the one to choose, as listed or as in the text.
 */
export function findText(
  text: DocumentText,
  wanted: string,
  {
    at,
    reading = readingOf(),
  }: { readonly at?: number | undefined; readonly reading?: Reading } = {},
): TextMatches {
  const exact = findExact(text, wanted, at)
  if (exact.total > 0) return { stage: 'exact', ...exact }
  const inView = isItsView(text) ? exact : findInView(text, wanted, at)
  if (inView.total > 0) return { stage: 'view', ...inView }
  const view = viewOf(wanted).text
  const viewed = view === wanted ? inView : findInView(text, view, at)
  if (viewed.total > 0) return { stage: 'wanted-view', ...viewed }
  const meant = findMeant(text, wanted, { search: viewMatches, reading })
  if (meant.length === 0) return findComposed(text, wanted)
  const chosen = at === undefined ? undefined : meant.find(({ from }) => from === at)
  return { stage: 'meaning', total: meant.length, matches: meant, ...(chosen && { chosen }) }
}

const viewMatches = (text: DocumentText, wanted: string): readonly TextRange[] =>
  findInView(text, wanted, undefined).matches

/** The only place that reads the same in Unicode's composed form. */
function findComposed(text: DocumentText, wanted: string): TextMatches {
  const pieces = text.chunks.map((chunk) => composedChunk(chunk).text)
  const { text: sought } = composed(wanted)
  const isWritten = pieces.every((piece, index) => piece === text.chunks[index]?.text)
  if (isWritten && sought === wanted) return nothing
  const [place, another] = occurrencesInPieces(pieces, sought)
  if (place === undefined || another !== undefined) return nothing
  const places = startsOf(pieces)
  const offsets = startsOf(text.chunks.map((chunk) => chunk.text))
  const written = (at: number): number => {
    const index = Math.max(0, lastIndexAtMost(places, at))
    const chunk = text.chunks[index]
    const within = at - (places[index] ?? 0)
    return (offsets[index] ?? 0) + (chunk ? writtenOffset(composedChunk(chunk), within) : within)
  }
  const range = { from: written(place), to: written(place + sought.length) }
  return cutsMarker(text, range) ? nothing : { stage: 'composed', total: 1, matches: [range] }
}

/** How many places read as `wanted` does, however its control characters are written there. */
export function countAlike(text: DocumentText, wanted: string): number {
  return findInView(text, viewOf(wanted).text, undefined).total
}

/** Nothing is escaped in it. */
const isItsView = ({ chunks }: DocumentText): boolean =>
  chunks.every((chunk) => viewOfChunk(chunk).units.length === 0)

const nothing: TextMatches = { stage: 'none', total: 0, matches: [] }

type Hits = Omit<TextMatches, 'stage'>

/** Stretches of what is searched; `to` is excluded. */
interface Sought {
  readonly at: number | undefined
  /** Where a hit may begin that is the one at `at`. */
  readonly near: TextRange
  /** What only looks like a hit is left out. */
  readonly isHit: (range: TextRange) => boolean
}

/**
 * Counts hits in ascending order and lists the first; equal neighbours are one hit. Behind those
 * that are listed hits are but counted, for there may be millions.
 */
class HitList {
  readonly #sought: Sought
  readonly #matches: TextRange[] = []
  #total = 0
  #last: TextRange | undefined
  #chosen: TextRange | undefined

  constructor(sought: Sought) {
    this.#sought = sought
  }

  /** `place`: where the hit begins; `rangeOf`: the markdown that it is, in whole units. */
  add(place: number, rangeOf: (place: number) => TextRange): void {
    const { at, near } = this.#sought
    const isListed = this.#matches.length < matchesListedMax
    const mayBeChosen = at !== undefined && near.from <= place && place < near.to
    if (!isListed && !mayBeChosen) {
      this.#total++
      return
    }
    const range = rangeOf(place)
    if (this.#last?.from === range.from && this.#last.to === range.to) return
    this.#last = range
    if (!this.#sought.isHit(range)) return
    this.#total++
    if (isListed) this.#matches.push(range)
    if (mayBeChosen && (at === range.from || at === place)) this.#chosen ??= range
  }

  get hits(): Hits {
    const hits = { total: this.#total, matches: this.#matches }
    return this.#chosen ? { ...hits, chosen: this.#chosen } : hits
  }
}

const nowhere: TextRange = { from: 0, to: 0 }

/** The longest reference has 34 characters. */
const referenceMaxChars = 34

function findExact(text: DocumentText, wanted: string, at: number | undefined): Hits {
  const near = at === undefined ? nowhere : { from: at, to: at + referenceMaxChars + 1 }
  const list = new HitList({ at, near, isHit: (range) => !cutsMarker(text, range) })
  if (wanted === '') return list.hits
  const pieces = text.chunks.map((chunk) => chunk.text)
  const offsets = startsOf(pieces)
  const edge = (place: number, side: 'from' | 'to'): number => {
    const index = Math.max(0, lastIndexAtMost(offsets, place - 1))
    const [chunk, offset] = [text.chunks[index], offsets[index] ?? 0]
    if (!chunk || !mayCutUnit(chunk.text, place - offset)) return place
    return offset + wholeUnit(viewOfChunk(chunk), place - offset, side)
  }
  const rangeOf = (place: number): TextRange => ({
    from: edge(place, 'from'),
    to: edge(place + wanted.length, 'to'),
  })
  for (const place of occurrencesInPieces(pieces, wanted, sieve(text.chunks, wanted))) {
    list.add(place, rangeOf)
  }
  return list.hits
}

/** Whether an escape or a reference may lie across an offset: cheap, and mostly no. */
function mayCutUnit(md: string, at: number): boolean {
  const before = md.slice(Math.max(0, at - referenceMaxChars), at)
  return before.endsWith('\\') || before.includes('&')
}

/** Of a unit, in the view. */
const meaningMaxChars = 2

function findInView(text: DocumentText, wanted: string, at: number | undefined): Hits {
  const views = text.chunks.map(viewOfChunk)
  const pieces = views.map((view) => view.text)
  const places = startsOf(pieces)
  const offsets = startsOf(text.chunks.map((chunk) => chunk.text))
  const edge = (place: number, side: 'from' | 'to'): number => {
    const index = lastIndexAtMost(places, place)
    const view = views[index]
    const within = place - (places[index] ?? 0)
    return (offsets[index] ?? 0) + (view ? markdownOffset(view, within, side) : within)
  }
  const rangeOf = (place: number): TextRange => ({
    from: edge(place, 'from'),
    to: edge(place + wanted.length - 1, 'to'),
  })
  const near = at === undefined ? nowhere : nearIn(edge, at, text.length)
  const list = new HitList({ at, near, isHit: (range) => !cutsMarker(text, range) })
  if (wanted === '') return list.hits
  for (const place of occurrencesInPieces(pieces, wanted, sieve(views, wanted))) {
    list.add(place, rangeOf)
  }
  return list.hits
}

/** The places of a view that stand for the offset `at`. */
function nearIn(
  edge: (place: number, side: 'from') => number,
  at: number,
  length: number,
): TextRange {
  const from = 1 + lastAtMost(length, at - 1, (place) => edge(place, 'from'))
  return { from, to: from + meaningMaxChars }
}

const knownGrams = new WeakMap<object, Grams>()

/** Leaves out pieces without the words; in a short document looking at all of them is cheaper. */
function sieve(
  pieces: readonly { readonly text: string }[],
  wanted: string,
): (index: number) => boolean {
  if (pieces.length < sieveFromPieces) return () => true
  const slots = slotsOf(wanted)
  return (index) => {
    const piece = pieces[index]
    if (piece === undefined) return false
    let grams = knownGrams.get(piece)
    if (grams === undefined) {
      grams = gramsOf(piece.text)
      knownGrams.set(piece, grams)
    }
    return mayHold(grams, slots)
  }
}

const sieveFromPieces = 4

/** Where each piece begins in all of them joined. */
function startsOf(pieces: readonly string[]): readonly number[] {
  let length = 0
  return pieces.map((piece) => {
    length += piece.length
    return length - piece.length
  })
}

const lastIndexAtMost = (ascending: readonly number[], wanted: number): number =>
  lastAtMost(ascending.length, wanted, (index) => ascending[index] ?? 0)

export interface Snippet {
  /** The offset to send as `at`. */
  readonly offset: number
  readonly text: string
}

/** Each match with up to `around` UTF-16 units of text on either side, no character cut in two. */
export function snippets(
  text: DocumentText,
  matches: readonly TextRange[],
  around = 40,
): readonly Snippet[] {
  return matches.map(({ from, to }) => {
    const cut = text.slice(Math.max(0, from - around), Math.min(text.length, to + around))
    return { offset: from, text: cut.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '') }
  })
}

const bitsLog2 = 15
const bits = 1 << bitsLog2
const gramLength = 3

type Grams = Uint32Array

const slotOf = (text: string, at: number): number => {
  const low = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ text.charCodeAt(at + 1)
  const mixed = Math.imul(low, 0x85ebca6b) ^ text.charCodeAt(at + 2)
  return Math.imul(mixed, 0xc2b2ae35) >>> (32 - bitsLog2)
}

/**
 * Which three-character sequences a piece of text may hold: a small set with false positives and no
 * false negatives, so that a search leaves out the pieces that cannot have what it looks for. A
 * search in a long document then costs about what it costs in the one piece that has the words.
 */
function gramsOf(text: string): Grams {
  const set = new Uint32Array(bits / 32)
  for (let at = 0; at + gramLength <= text.length; at++) {
    const slot = slotOf(text, at)
    set[slot >>> 5] = (set[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }
  return set
}

/** The places to look at in a piece's set; at most 64, spread over the whole text. */
export function slotsOf(wanted: string): readonly number[] {
  const count = wanted.length - gramLength + 1
  const step = Math.max(1, Math.floor(count / 64))
  const slots: number[] = []
  for (let at = 0; at < count; at += step) slots.push(slotOf(wanted, at))
  return slots
}

export const mayHold = (grams: Grams, slots: readonly number[]): boolean =>
  slots.every((slot) => ((grams[slot >>> 5] ?? 0) >>> (slot & 31)) & 1)
