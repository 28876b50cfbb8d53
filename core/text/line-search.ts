/**
 * Search in lines (interface §4.12): a text within a line, or any of some whole words. It costs
 * what the text costs. Pure.
 */
import { limits } from '../../schema/limits.ts'
import { firstOccurrence } from '../../schema/occurrences.ts'

export interface LineMatch {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
  /** The line, or what is around the match. */
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface FoundLines {
  readonly matches: readonly LineMatch[]
  /** How often each word of the query stands in the text, and how many words that has. */
  readonly counts: ReadonlyMap<string, number>
  readonly words: number
}

export interface LineSearch {
  /** Of the lines that match best, all else being equal the first. */
  readonly matchesMax: number
  /** Lines before and after. */
  readonly context: number
}

/** Where a line matches, and how well. */
interface Hit {
  readonly from: number
  readonly line: number
  readonly at: number
  readonly weight: number
}

/** The text within a line, once a line. */
export function searchText(
  markdown: string,
  query: { readonly text: string; readonly ignoreCase: boolean },
  search: LineSearch,
): FoundLines {
  const fold = query.ignoreCase ? withoutCase : (text: string) => text
  const wanted = fold(query.text)
  const hits: Hit[] = []
  let line = 1
  for (let from = 0; from <= markdown.length && hits.length < search.matchesMax; line++) {
    const end = endOfLine(markdown, from)
    const at = placeOf(fold(markdown.slice(from, end)), wanted)
    if (at !== -1) hits.push({ from, line, at, weight: 1 })
    from = end + 1
  }
  return {
    matches: hits.map((hit) => shown(markdown, hit, search.context)),
    counts: none,
    words: 0,
  }
}

const none: ReadonlyMap<string, number> = new Map()

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)
/** Composing takes the square of what is piled on one letter. */
const isPiled = (text: string): boolean => /\p{M}{32}/u.test(text)
/** What composes with nothing before it, and what it composes with. */
const composing = /[^\p{M}\u1160-\u11ff]?[\p{M}\u1160-\u11ff]*/gu

/** Where the wanted text stands in the line, however letters and their marks are put together. */
function placeOf(line: string, wanted: string): number {
  const at = firstOccurrence(line, wanted)
  if (at !== -1 || isAscii(wanted) || isAscii(line) || isPiled(line)) return at
  const place = firstOccurrence(line.normalize('NFC'), wanted.normalize('NFC'))
  return place === -1 ? -1 : placeBefore(line, place)
}

/** In the line as it is, where so much of it is behind in its composed form. */
function placeBefore(line: string, composed: number): number {
  let passed = 0
  for (const { index, 0: piece } of line.matchAll(composing)) {
    if (passed >= composed || piece === '') return index
    passed += piece.normalize('NFC').length
  }
  return line.length
}

/** Small letters, each as long as what it stands for. */
const withoutCase = (text: string): string =>
  text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')

const word = /[\p{L}\p{N}\p{M}_]+/gu

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A longer one is none that is found. */
const wordMaxChars = 100

/** The words of a query, each once. */
export const wordsOf = (query: string): ReadonlySet<string> =>
  new Set((query.match(word) ?? []).filter(({ length }) => length <= wordMaxChars).map(folded))

/** Any of the words, whole and in whatever case. */
export function searchWords(
  markdown: string,
  words: ReadonlySet<string>,
  search: LineSearch,
): FoundLines {
  const counts = new Map<string, number>()
  const best: Hit[] = []
  let total = 0
  let line = 1
  for (let from = 0; from <= markdown.length; line++) {
    const end = endOfLine(markdown, from)
    const inLine = new Set<string>()
    let first: number | undefined
    for (const { index, 0: found } of markdown.slice(from, end).matchAll(word)) {
      total++
      // Folding takes the square of what is piled on one letter.
      if (found.length > wordMaxChars) continue
      const term = folded(found)
      if (!words.has(term)) continue
      first ??= index
      inLine.add(term)
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    if (first !== undefined) keep(best, { from, line, at: first, weight: inLine.size }, search)
    from = end + 1
  }
  const matches = best
    .toSorted((a, b) => a.line - b.line)
    .map((hit) => shown(markdown, hit, search.context))
  return { matches, counts, words: total }
}

/** The best ones, the earlier of two that are as good. */
function keep(best: Hit[], hit: Hit, { matchesMax }: LineSearch): void {
  const place = best.findIndex(({ weight }) => weight < hit.weight)
  if (place === -1) best.push(hit)
  else best.splice(place, 0, hit)
  if (best.length > matchesMax) best.pop()
}

function endOfLine(markdown: string, from: number): number {
  const end = markdown.indexOf('\n', from)
  return end === -1 ? markdown.length : end
}

function shown(markdown: string, { from, line, at }: Hit, context: number): LineMatch {
  const end = endOfLine(markdown, from)
  const before: string[] = []
  for (let start = from; before.length < context && start > 0; ) {
    const previous = markdown.lastIndexOf('\n', start - 2) + 1
    before.unshift(cut(markdown.slice(previous, start - 1), 0, limits.searchLineMaxChars))
    start = previous
  }
  const after: string[] = []
  for (let next = end + 1; after.length < context && next < markdown.length; ) {
    const to = endOfLine(markdown, next)
    after.push(cut(markdown.slice(next, to), 0, limits.searchLineMaxChars))
    next = to + 1
  }
  const text = cut(markdown.slice(from, end), at, limits.searchTextMaxChars)
  return { line, column: at + 1, text, before, after }
}

/** As much of a line as is shown, with what is at `at` in it. */
function cut(line: string, at: number, most: number): string {
  if (line.length <= most) return line
  const from = Math.max(0, Math.min(at - Math.floor(most / 4), line.length - most))
  // Half a character is none.
  return line.slice(from, from + most).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}

const k1 = 1.2
const b = 0.75

/** How well each of these texts answers the query, by BM25 among them. */
export function bm25(texts: readonly Pick<FoundLines, 'counts' | 'words'>[]): number[] {
  const average = texts.reduce((sum, { words }) => sum + words, 0) / Math.max(1, texts.length)
  const holders = new Map<string, number>()
  for (const { counts } of texts) {
    for (const term of counts.keys()) holders.set(term, (holders.get(term) ?? 0) + 1)
  }
  return texts.map(({ counts, words }) => {
    let weight = 0
    for (const [term, count] of counts) {
      const holding = holders.get(term) ?? 0
      const rarity = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5))
      const length = 1 - b + (b * words) / Math.max(1, average)
      weight += (rarity * count * (k1 + 1)) / (count + k1 * length)
    }
    return weight
  })
}
