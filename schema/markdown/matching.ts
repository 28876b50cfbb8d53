/**
 * Finds the text that an edit names (interface §4.5). Four stages, the first with a hit decides:
 * the exact bytes; the text in the escape view; the view of the text there; the view
 * of its canonical form.
 * Invariants: hits are whole units (an escape or a reference is never cut), and every occurrence is
 * counted, overlapping ones too. It does not choose among several.
 */
import { Refusal } from '../errors.ts'
import { lastAtMost } from './bisect.ts'
import { DocumentText } from './document-text.ts'
import { markdownOffset, type TextRange, viewOf, viewOfChunk, wholeUnit } from './escape-view.ts'
import { type Grams, gramsOf, mayHold, slotsOf } from './grams.ts'
import { eachOccurrenceInPieces } from './occurrences.ts'
import { parseMarkdown } from './parser.ts'

export type MatchStage = 'exact' | 'view' | 'wanted-view' | 'canonical' | 'none'

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

/**
 * Occurrences of `wanted`; `at` is the offset of the one to choose, as listed or as in the text.
 */
export function findText(text: DocumentText, wanted: string, at?: number): TextMatches {
  const exact = findExact(text, wanted, at)
  if (exact.total > 0) return { stage: 'exact', ...exact }
  const inView = findInView(text, wanted, at)
  if (inView.total > 0) return { stage: 'view', ...inView }
  const view = viewOf(wanted).text
  const viewed = view === wanted ? inView : findInView(text, view, at)
  if (viewed.total > 0) return { stage: 'wanted-view', ...viewed }
  const canonical = canonicalView(wanted)
  if (canonical === undefined || canonical === view) return nothing
  const likewise = findInView(text, canonical, at)
  return likewise.total > 0 ? { stage: 'canonical', ...likewise } : nothing
}

/** How many places read as `wanted` does, however its control characters are written there. */
export function countAlike(text: DocumentText, wanted: string): number {
  return findInView(text, viewOf(wanted).text, undefined).total
}

const nothing: TextMatches = { stage: 'none', total: 0, matches: [] }

type Hits = Omit<TextMatches, 'stage'>

/** Counts hits in ascending order and lists the first; equal neighbours are one hit. */
class HitList {
  readonly #at: number | undefined
  readonly #matches: TextRange[] = []
  #total = 0
  #last: TextRange | undefined
  #chosen: TextRange | undefined

  constructor(at: number | undefined) {
    this.#at = at
  }

  /** `from`: where the hit begins before it is widened. */
  add(range: TextRange, from: number): void {
    if (this.#last?.from === range.from && this.#last.to === range.to) return
    this.#last = range
    this.#total++
    if (this.#matches.length < matchesListedMax) this.#matches.push(range)
    if (this.#at === range.from || this.#at === from) this.#chosen ??= range
  }

  get hits(): Hits {
    const hits = { total: this.#total, matches: this.#matches }
    return this.#chosen ? { ...hits, chosen: this.#chosen } : hits
  }
}

function findExact(text: DocumentText, wanted: string, at: number | undefined): Hits {
  const list = new HitList(at)
  if (wanted === '') return list.hits
  const pieces = text.chunks.map((chunk) => chunk.text)
  const offsets = startsOf(pieces)
  const edge = (place: number, side: 'from' | 'to'): number => {
    const index = Math.max(0, lastIndexAtMost(offsets, place - 1))
    const [chunk, offset] = [text.chunks[index], offsets[index] ?? 0]
    if (!chunk || !mayCutUnit(chunk.text, place - offset)) return place
    return offset + wholeUnit(viewOfChunk(chunk), place - offset, side)
  }
  eachOccurrenceInPieces(pieces, wanted, {
    found: (from) =>
      list.add({ from: edge(from, 'from'), to: edge(from + wanted.length, 'to') }, from),
    mayHold: sieve(text.chunks, wanted),
  })
  return list.hits
}

/** The longest reference has 34 characters. */
const referenceMaxChars = 34

/** Whether an escape or a reference may lie across an offset: cheap, and mostly no. */
function mayCutUnit(md: string, at: number): boolean {
  const before = md.slice(Math.max(0, at - referenceMaxChars), at)
  return before.endsWith('\\') || before.includes('&')
}

function findInView(text: DocumentText, wanted: string, at: number | undefined): Hits {
  const list = new HitList(at)
  if (wanted === '') return list.hits
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
  eachOccurrenceInPieces(pieces, wanted, {
    found: (from) => {
      const range = { from: edge(from, 'from'), to: edge(from + wanted.length - 1, 'to') }
      list.add(range, range.from)
    },
    mayHold: sieve(views, wanted),
  })
  return list.hits
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

/** Reading a longer text holds everybody up; it has to be given as it stands in the document. */
const canonicalMaxChars = 64 * 1024

/** The view of the text as a document of its own; blanks and newlines around it stay. */
function canonicalView(wanted: string): string | undefined {
  const core = wanted.trim()
  if (core === '' || core.length > canonicalMaxChars) return undefined
  const lead = wanted.length - wanted.trimStart().length
  try {
    const text = DocumentText.of(parseMarkdown(core).children)
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
