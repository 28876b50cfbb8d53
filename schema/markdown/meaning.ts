/**
 * Finds text by what it means (interface §4.5): `* two` where `- two` stands, a row without its
 * padding, a link by its address where it stands by reference. What is sought and the document are
 * both put into the canonical form; a hit there is led back to the markdown that people wrote.
 * Hits whose ends have no counterpart there are no hits.
 */
import { Refusal } from '../errors.ts'
import { bareText } from './bare-text.ts'
import { DocumentText } from './document-text.ts'
import { viewOf } from './escape-view.ts'
import { columnOf, lineBefore, opensBlock } from './markers.ts'
import type { TextRange } from './printed.ts'
import { readMarkdown } from './read-markdown.ts'

/** A place in the document whose meaning is that of the sought text. */
export interface Meant extends TextRange {
  /** The markdown that `insert` replaces for [from, to) of the sought text; undefined: all of it. */
  part(from: number, to: number, insert: string): TextRange | undefined
  /** A text that is to stand here, with the indentation and quotes of its place. */
  placed(insert: string): string
}

/** A longer text has to be given as it stands in the document. */
const soughtMaxChars = 16 * 1024

/** Of quotes and indentation at the beginning of a line. */
const leadMaxChars = 256

/** Of different beginnings of lines. */
const prefixesMax = 4

/** Where a text stands in a document however its characters are escaped, in whole units. */
export type Search = (text: DocumentText, wanted: string) => readonly TextRange[]

/** `reading.left`: how many characters may still be read as markdown. */
export function findMeant(
  text: DocumentText,
  wanted: string,
  { search, reading }: { readonly search: Search; readonly reading: { left: number } },
): readonly Meant[] {
  const core = wanted.trim()
  if (core === '' || core.length > soughtMaxChars || core.length > reading.left) return []
  reading.left -= core.length
  const indent = opensBlock(core) ? (/^[ \t]*/.exec(wanted)?.[0] ?? '') : ''
  const canonical = canonicalForm(dedented(wanted, indent).trim(), text)
  if (canonical === undefined) return []
  const start = indent === '' ? wanted.length - wanted.trimStart().length : indent.length
  const [lead, tail] = [wanted.slice(indent.length, start), wanted.slice(wanted.trimEnd().length)]
  const places = new HitLocator(text, bareText(text), search)
  const inner = dedented(wanted, indent).trim()
  return places.prefixesOf(canonical).flatMap((prefix) => {
    for (const isPlaced of readings(inner, prefix)) {
      const own = isPlaced ? canonicalForm(withoutPrefix(inner, prefix), text) : canonical
      const found = places.find(own ?? canonical, prefix).flatMap((place) => {
        const [from, to] = [place.from - lead.length, place.to + tail.length]
        const isWhole = text.slice(from, place.from) === lead && text.slice(place.to, to) === tail
        const asked = { wanted, start, indent, isPlaced }
        return isWhole ? [{ from, to, ...ways(places, place, asked) }] : []
      })
      if (found.length > 0) return found
    }
    return []
  })
}

/** Undefined for what is no markdown here. */
function canonicalForm(md: string, { definitions }: DocumentText): string | undefined {
  try {
    return DocumentText.of(readMarkdown(md, { definitions }).children).toString().trimEnd()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const dedented = (md: string, indent: string): string =>
  indent === ''
    ? md
    : md
        .split('\n')
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
        .join('\n')

/** A hit in the canonical form. */
interface CanonicalHit extends TextRange {
  readonly bare: { readonly from: number; readonly md: string }
  /** What its lines begin with there, and in the document. */
  readonly prefix: string
  readonly written: string
}

/** Where the canonical form says something, and where that is in the document. */
class HitLocator {
  readonly #text: DocumentText
  readonly #bare: DocumentText
  readonly #search: Search

  constructor(text: DocumentText, bare: DocumentText, search: Search) {
    this.#text = text
    this.#bare = bare
    this.#search = search
  }

  /** What the lines of places begin with where the first line of the sought text stands. */
  prefixesOf(canonical: string): readonly string[] {
    const [line = '', ...others] = canonical.split('\n')
    if (others.length === 0) return ['']
    const all = new Set(this.#sought(line).map(({ from }) => prefixAt(this.#bare, from)))
    return [...all].slice(0, prefixesMax)
  }

  /** Where a canonical form stands whose lines begin so; of one line, anywhere. */
  find(canonical: string, prefix: string): readonly CanonicalHit[] {
    const isBlock = opensBlock(canonical)
    const isOne = !canonical.includes('\n')
    return this.#sought(withPrefix(canonical, prefix)).flatMap(({ from, to }): CanonicalHit[] => {
      const own = prefixAt(this.#bare, from)
      if (isBlock && columnOf(this.#bare, from) === undefined) return []
      if (!isOne && own !== prefix) return []
      const [start, end] = [this.written(from, 'from'), this.written(to, 'to')]
      if (start === undefined || end === undefined || start > end) return []
      const bare = { from, md: this.#bare.slice(from, to) }
      return [{ from: start, to: end, bare, prefix: own, written: prefixAt(this.#text, start) }]
    })
  }

  /** The markdown offset of one in the canonical form, at the edge of a block if there is one. */
  written(offset: number, side: 'from' | 'to'): number | undefined {
    const lead = side === 'from' ? this.#leadOf(offset) : 0
    if (lead === 0) return this.#blockEdge(offset, side) ?? this.#wordEdge(offset, side)
    const block = this.#blockEdge(offset + lead, side)
    return block === undefined ? undefined : block - lineBefore(this.#text, block).length
  }

  /** The same of a part; where lines are to stand behind a word, no block may go on there. */
  writtenPart({ from, to }: TextRange, insert: string): TextRange | undefined {
    const isBesides = from === to
    const isBlock = isBesides ? insert.startsWith('\n') : this.#isBlockEdge(from)
    const start = isBesides ? undefined : this.written(from, 'from')
    const [word, block] = [this.#wordEdge(to, 'to'), this.#blockEdge(to, 'to')]
    if (!isBlock && insert.includes('\n') && block !== undefined && block !== word) return undefined
    const end = isBlock ? (block ?? word) : (word ?? block)
    const begin = isBesides ? end : start
    if (begin === undefined || end === undefined || begin > end) return undefined
    return { from: begin, to: end }
  }

  /** How far a block stands from the offset, which begins its line. */
  #leadOf(offset: number): number {
    if (offset === 0 || this.#bare.slice(offset - 1, offset) !== '\n') return 0
    const line = this.#bare.slice(offset, offset + leadMaxChars)
    return line.length - line.replace(/^[ \t>]+/, '').length
  }

  #isBlockEdge(offset: number): boolean {
    return this.#blockEdge(offset, 'from') !== undefined
  }

  #sought(canonical: string): readonly TextRange[] {
    return this.#search(this.#bare, viewOf(canonical).text)
  }

  /** Where the block that begins or ends at the offset does in the document. */
  #blockEdge(offset: number, side: 'from' | 'to'): number | undefined {
    if (offset <= 0) return 0
    const index = this.#bare.indexAt(side === 'from' ? offset : offset - 1)
    const start = this.#bare.start(index)
    const printed = this.#bare.printed(index)
    const within = offset - start
    const block = printed.lastBlock('from', side === 'from' ? within : within - 1)
    if (block?.[side] !== within) return undefined
    const written = this.#text.printed(index).lastBlock('pos', block.pos)
    return written && this.#text.start(index) + written[side]
  }

  /** Beside what is text: as far from it as there, where as much markup stands between. */
  #wordEdge(offset: number, edge: 'from' | 'to'): number | undefined {
    const side = edge === 'from' ? 'start' : 'end'
    const { index, pos } = this.#bare.positionAt(offset, side)
    const there = this.#bare.offsetAt(index, pos, side)
    const here = this.#text.offsetAt(index, pos, side)
    if (there === offset) return here
    const [from, to] = [Math.min(there, offset), Math.max(there, offset)]
    const markup = this.#bare.slice(from, to)
    const written =
      side === 'start'
        ? this.#text.slice(here - markup.length, here)
        : this.#text.slice(here, here + markup.length)
    const isAlike = written === markup || (signs.test(markup) && signs.test(written))
    return isAlike ? here + offset - there : undefined
  }
}

/** Around marked text. */
const signs = /^[*_~`]+$/

const beforeText = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:>[ \t>]*)?)*/

/** What the next lines of a block begin with, by what stands before it or its text. */
const prefixAt = (text: DocumentText, offset: number): string =>
  (beforeText.exec(lineBefore(text, offset))?.[0] ?? '').replace(/[^ \t>]/g, ' ')

interface SoughtText {
  readonly wanted: string
  /** Where it begins behind blanks. */
  readonly start: number
  /** Of the first line of the sought text, which its place has not. */
  readonly indent: string
  /** Its other lines begin as those of the place. */
  readonly isPlaced: boolean
}

function ways(
  places: HitLocator,
  place: CanonicalHit,
  asked: SoughtText,
): Omit<Meant, 'from' | 'to'> {
  const { wanted, start, indent, isPlaced } = asked
  const { bare, prefix, written } = place
  const quoted = wanted.slice(start).trimEnd()
  const inBare = (md: string) => (isPlaced ? md : withPrefix(md, prefix))
  // Only what is written in the canonical form can be told part by part.
  const isSame = inBare(quoted) === bare.md
  return {
    part(from, to, insert) {
      if (!isSame || from < start || to > start + quoted.length) return undefined
      const at = (offset: number) => bare.from + inBare(wanted.slice(start, offset)).length
      return places.writtenPart({ from: at(from), to: at(to) }, insert)
    },
    placed(insert) {
      const md = dedented(insert, indent)
      return withPrefix(isPlaced ? withoutPrefix(md, prefix) : md, written)
    },
  }
}

/**
 * Whether the other lines are to be read without the prefix of their place, the likelier first.
 * Where the first line begins so too, all of them are a quote of their own before anything else.
 */
function readings(md: string, prefix: string): readonly boolean[] {
  const isWithPrefix =
    prefix !== '' &&
    md
      .split('\n')
      .slice(1)
      .every((line) => line.startsWith(prefix) || line === prefix.trimEnd())
  if (!isWithPrefix) return [false]
  return md.startsWith(prefix) ? [false, true] : [true]
}

/** All lines but the first. */
const withPrefix = (md: string, prefix: string): string =>
  prefix === ''
    ? md
    : md.replace(/\n(?!\n|$)/g, `\n${prefix}`).replace(/\n(?=\n)/g, `\n${prefix.trimEnd()}`)

const withoutPrefix = (md: string, prefix: string): string => {
  const [first = '', ...others] = md.split('\n')
  const bare = others.map((line) =>
    line.startsWith(prefix) ? line.slice(prefix.length) : line.trimStart(),
  )
  return [first, ...bare].join('\n')
}
