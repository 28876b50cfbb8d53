/**
 * For a text that is not in the document, the places that its writer may have meant (interface §7:
 * an error says what to do next). First those that differ only in what careless quoting loses, else
 * those that share most of its words. Invariants: nothing is ever written because of a candidate;
 * the work is bounded whatever the texts are.
 */
import { hasAddress } from '../addressable.ts'
import { limits } from '../limits.ts'
import { occurrences, occurs } from '../occurrences.ts'
import { remembered } from '../remembered.ts'
import { shortened } from '../shortened.ts'
import { align } from './alignment.ts'
import { type Difference, differenceOf, wordsIn } from './difference.ts'
import type { DocumentText } from './document-text.ts'
import { FoldedDocument, folded } from './folding.ts'
import { findPlain } from './plain-search.ts'
import type { TextRange } from './printed.ts'
import { quotable } from './quotable.ts'
import { type LikelyPosition, likelyPositions } from './seeds.ts'

/** A longer text is represented by its first line that is not in the document. */
const candidateMaxChars = 1_000

/** As the wire spells it. */
export interface Candidate {
  /** Into the markdown. */
  readonly offset: number
  /** The innermost block there that has an address. */
  readonly block_id: string | null
  /** As it stands: to be quoted instead. */
  readonly text: string
  readonly difference: Difference
}

/** The nearest first; none when nothing is near. */
export function nearestCandidates(text: DocumentText, wanted: string): readonly Candidate[] {
  const quoted = tellingPart(text, wanted)
  const needle = folded(quoted)
  if (needle.length < needleMinChars) return []
  const document = foldedDocument(text)
  const alike = rangesAlike(document.text, needle)
  const places = alike.length > 0 ? alike : rangesNear(document.text, needle)
  const ranges = places.map(({ from, to }) => widened(text, document.range(from, to), quoted))
  const rendered = alike.length > 0 ? [] : findPlain(text, quoted, limits.candidatesPerEdit)
  return candidatesAt(text, quoted, [...renumbered(text, document, quoted), ...rendered, ...ranges])
}

/** For a text that stands at several places, what to quote in its place: longer texts. */
export const tellingApart = (
  text: DocumentText,
  quoted: string,
  places: readonly TextRange[],
): readonly Candidate[] => candidatesAt(text, quoted, places)

function candidatesAt(
  text: DocumentText,
  quoted: string,
  ranges: readonly TextRange[],
): readonly Candidate[] {
  const candidates: Candidate[] = []
  for (const place of ranges.slice(0, 2 * limits.candidatesPerEdit)) {
    if (candidates.length === limits.candidatesPerEdit) break
    const range = quotable(text, place)
    const stands = text.slice(range.from, range.to)
    // What sets the place itself apart; the words around it only tell it from others.
    const own = differenceOf(quoted, text.slice(place.from, place.to))
    const difference = own ?? differenceOf(quoted, stands)
    const isTaken = candidates.some(({ offset }) => offset === range.from)
    if (difference === undefined || isTaken) continue
    const block_id = blockAt(text, range.from)
    candidates.push({ offset: range.from, block_id, text: stands, difference })
  }
  return candidates
}

const needleMinChars = 2

/** The item that says the same under another number. */
function renumbered(
  text: DocumentText,
  document: FoldedDocument,
  quoted: string,
): readonly TextRange[] {
  const rest = /^\s*\d{1,9}[.)][ \t]+(?=\S)/.exec(quoted)?.[0].length ?? 0
  if (rest === 0) return []
  const needle = folded(quoted.slice(rest))
  return rangesAlike(document.text, needle).flatMap(({ from, to }) => {
    const range = widened(text, document.range(from, to), quoted.slice(rest))
    const before = text.slice(Math.max(0, range.from - marksMax), range.from)
    const number = /(?:^|[\n \t>])(\d{1,9}[.)] )$/.exec(before)?.[1]
    return number === undefined ? [] : [{ from: range.from - number.length, to: range.to }]
  })
}

const foldedDocument = remembered((text: DocumentText) => new FoldedDocument(text))

/** Of a long text the first line that is not in the document: that one is what went wrong. */
function tellingPart(text: DocumentText, wanted: string): string {
  const most = candidateMaxChars
  if (wanted.length <= most) return wanted
  const markdown = text.toString()
  const lines = wanted.slice(0, most * linesLookedAt).split(/\n+/, linesLookedAt)
  for (const line of lines) {
    if (line.trim() === '') continue
    if (!occurs(markdown, line.trim())) return shortened(line, most)
  }
  return shortened(wanted, most)
}

const linesLookedAt = 64

/** Where the document folds to the same; places at the edges of words before others. */
function rangesAlike(text: string, needle: string): readonly TextRange[] {
  const whole: TextRange[] = []
  const others: TextRange[] = []
  for (const from of occurrences(text, needle)) {
    const to = from + needle.length
    const list = cutsWord(text, from) || cutsWord(text, to) ? others : whole
    if (list.length < limits.candidatesPerEdit) list.push({ from, to })
    if (whole.length === limits.candidatesPerEdit) break
  }
  return [...whole, ...others]
}

const letter = /[\p{L}\p{N}\p{M}\p{Cs}]/u
const cutsWord = (text: string, at: number): boolean =>
  letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at))

/** Where most of the needle's words stand or, of a short one, most of its characters. */
function rangesNear(text: string, needle: string): readonly TextRange[] {
  const likely = likelyPositions(text, needle)
  const manyWords = wordsIn(needle).length >= wordsMin
  const byWords = manyWords ? rangesBy(new Symbols('words'), { text, needle, likely }) : []
  if (needle.length > charactersMax) return byWords
  const characters = new Symbols('characters')
  if (byWords.length === 0) return rangesBy(characters, { text, needle, likely })
  const wanted = characters.read(needle)
  const ranked = byWords.slice(0, rankedMax).map((place) => {
    const stands = characters.read(text.slice(place.from, place.to))
    return { place, distance: align(wanted.ids, stands.ids).distance }
  })
  return ranked.sort((a, b) => a.distance - b.distance).map(({ place }) => place)
}

/** Places with most words right whose order by characters is found out. */
const rankedMax = 12

interface Search {
  readonly text: string
  readonly needle: string
  readonly likely: readonly LikelyPosition[]
}

/** The stretches of `text` that need the fewest changes to become the needle. */
function rangesBy(symbols: Symbols, { text, needle, likely }: Search): readonly TextRange[] {
  const wanted = symbols.read(needle)
  const slack = Math.max(8, Math.ceil(needle.length / 4))
  const found: (TextRange & { readonly distance: number })[] = []
  let effort = effortMax
  let scoreMin = 0
  for (const { at, score } of likely) {
    if (score < scoreMin) break
    const start = Math.max(0, at - slack)
    const within = text.slice(start, at + needle.length + 2 * slack)
    effort -= within.length * readingEffort
    if (effort < 0) break
    const pieces = symbols.read(within)
    effort -= wanted.ids.length * pieces.ids.length
    if (effort < 0) break
    const { from, to, distance } = align(wanted.ids, pieces.ids)
    if (distance > wanted.ids.length * farthest || from === to) continue
    scoreMin = Math.max(scoreMin, score / 3)
    const [first, behind] = [pieces.starts[from] ?? 0, pieces.ends[to - 1] ?? 0]
    found.push({ ...wholeWords(text, start + first, start + behind), distance })
  }
  found.sort((a, b) => a.distance - b.distance || a.from - b.from)
  return found.filter((one, index) => !found.slice(0, index).some((other) => overlap(one, other)))
}

/** A needle of fewer words is compared by characters alone. */
const wordsMin = 3

/** A longer needle is compared by words alone. */
const charactersMax = 160

/** Pairs of symbols that may be compared for one search. */
const effortMax = 600_000

/** What reading a character costs, in pairs. */
const readingEffort = 8

/** Numbers for characters or words, so that they are quick to compare. */
class Symbols {
  readonly #unit: 'characters' | 'words'
  readonly #known = new Map<string, number>()

  constructor(unit: 'characters' | 'words') {
    this.#unit = unit
  }

  /** The symbols of a text, and where each lies in it. */
  read(text: string) {
    if (this.#unit === 'characters') {
      const ids = Int32Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
      const starts = Int32Array.from(ids.keys())
      return { ids, starts, ends: starts.map((at) => at + 1) }
    }
    const words = wordsIn(text)
    const ids = Int32Array.from(words, ({ word }) => this.#idOf(word))
    const starts = Int32Array.from(words, ({ at }) => at)
    return { ids, starts, ends: starts.map((at, index) => at + (words[index]?.word.length ?? 0)) }
  }

  #idOf(word: string): number {
    const known = this.#known.get(word) ?? this.#known.size
    this.#known.set(word, known)
    return known
  }
}

/** The part of a text's symbols that may differ. */
const farthest = 0.4

const overlap = (a: TextRange, b: TextRange): boolean => a.from < b.to && b.from < a.to

function wholeWords(text: string, from: number, to: number): TextRange {
  let [start, end] = [from, to]
  while (text.charAt(start) === ' ' && start < end) start++
  while (text.charAt(end - 1) === ' ' && end > start) end--
  while (cutsWord(text, start) && from - start < wordMaxChars) start--
  while (cutsWord(text, end) && end - to < wordMaxChars) end++
  return { from: start, to: end }
}

const wordMaxChars = 64

/**
 * With the marks and backslashes that stand right at its ends, and with the markers of its line
 * when the quoted text begins with one: folding left them out.
 */
function widened(text: DocumentText, { from, to }: TextRange, quoted: string): TextRange {
  const before = text.slice(Math.max(0, from - marksMax), from)
  const behind = text.slice(to, to + marksMax)
  const markers = marker.test(quoted) ? /(?:^|\n)([ \t]*(?:(?:#{1,6}|>|[-+*])[ \t]+)+)$/ : undefined
  const opening = markers?.exec(before)?.[1] ?? /(?<![\\*_~`])[\\*_~`]+$/.exec(before)?.[0] ?? ''
  const closing = /^[*_~`]*/.exec(behind)?.[0] ?? ''
  return { from: from - opening.length, to: to + closing.length }
}

const marker = /^\s*(?:#{1,6}|>|[-+*])\s/
const marksMax = 16

function blockAt(text: DocumentText, offset: number): string | null {
  if (text.blockCount === 0) return null
  const index = text.indexAt(offset)
  const within = offset - text.start(index)
  const node = text.node(index)
  const held = text
    .printed(index)
    .blocks.filter(({ from, to, pos }) => from <= within && within < to && hasAddress(node, pos))
  return held.findLast(({ id }) => id !== null)?.id ?? null
}
