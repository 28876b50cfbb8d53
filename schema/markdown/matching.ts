/**
 * Finds the text that an edit names (interface §4.5). Five stages, the first with a hit decides:
 * the exact bytes; the text in the escape view; the view of the text there; the view
 * of its canonical form; the only place that is the same in Unicode's composed form.
 * Invariants: hits are whole units (no escape, reference or marker of a block is cut), and every
 * occurrence is counted, overlapping ones too. It does not choose among several.
 */
import { Refusal } from '../errors.ts'
import { occurrencesInPieces } from '../occurrences.ts'
import { lastAtMost } from './bisect.ts'
import { DocumentText } from './document-text.ts'
import { markdownOffset, type TextRange, viewOf, viewOfChunk, wholeUnit } from './escape-view.ts'
import { type Grams, gramsOf, mayHold, slotsOf } from './grams.ts'
import { columnOf, cutsMarker, opensBlock } from './markers.ts'
import { parseMarkdown } from './parser.ts'
import { composed, composedChunk, writtenOffset } from './unicode-form.ts'

/** Of all texts sought by a request that are in the document neither as they are nor escaped. */
export const soughtAsMarkdownMaxChars = 128 * 1024

export type MatchStage = 'exact' | 'view' | 'wanted-view' | 'canonical' | 'composed' | 'none'

export type { TextRange } from './escape-view.ts'

export interface TextMatches {
  readonly stage: MatchStage
  /** How often the text occurs, listed or not. */
  readonly total: number
  /** The first occurrences, ascending. */
  readonly matches: readonly TextRange[]
  /** The occurrence at the offset that was asked for, listed or not. */
  readonly chosen?: TextRange
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
  const canonical = canonicalView(wanted, reading)
  if (canonical === undefined || canonical === view) return findComposed(text, wanted)
  const isBlock = opensBlock(canonical.trimStart())
  const likewise = findInView(text, canonical, at, (range) => !isBlock || beginsBlock(text, range))
  if (likewise.total > 0) return { stage: 'canonical', ...likewise }
  return findComposed(text, wanted)
}

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

/** Whether the text of a range begins a block, save blank lines. */
function beginsBlock(text: DocumentText, { from, to }: TextRange): boolean {
  const blank = /^\s*/.exec(text.slice(from, to))?.[0] ?? ''
  const line = blank.lastIndexOf('\n') + 1
  return columnOf(text, from + blank.length) !== undefined || line > 0
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

function findInView(
  ...[text, wanted, at, isMeant = () => true]: [
    text: DocumentText,
    wanted: string,
    at: number | undefined,
    isMeant?: (range: TextRange) => boolean,
  ]
): Hits {
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
  const isHit = (range: TextRange) => !cutsMarker(text, range) && isMeant(range)
  const list = new HitList({ at, near, isHit })
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

/** A longer text has to be given as it stands in the document. */
const canonicalMaxChars = 16 * 1024

/** The view of the text as a document of its own; blanks and newlines around it stay. */
function canonicalView(wanted: string, reading: Reading): string | undefined {
  const core = wanted.trim()
  if (core === '' || core.length > canonicalMaxChars || core.length > reading.left) return undefined
  reading.left -= core.length
  const lead = wanted.length - wanted.trimStart().length
  try {
    const { children } = parseMarkdown(core)
    const text = DocumentText.of(children)
    const view = text.chunks.map((chunk) => viewOfChunk(chunk).text).join('')
    return wanted.slice(0, lead) + view.trimEnd() + wanted.slice(lead + core.length)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

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
