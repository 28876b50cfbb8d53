/**
 * Finds text by what it means (interface §4.5): `* two` where `- two` stands, a row without its
 * padding, a link by its address where it stands by reference. What is sought and the document are
 * both put into the canonical form; a hit there is led back to the markdown that people wrote.
 * Hits whose ends have no counterpart there are no hits.
 */
import { Refusal } from '../errors.ts'
import { DocumentText } from './document-text.ts'
import { type TextRange, viewOf } from './escape-view.ts'
import { columnOf, lineBefore, opensBlock } from './markers.ts'
import { readMarkdown } from './parser.ts'
import { unspelled } from './unspelled.ts'

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
const prefixesMax = 8

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
  const places = new Places(text, bareText(text), search)
  return places.find(canonical, opensBlock(canonical)).flatMap((place) => {
    const [from, to] = [place.from - lead.length, place.to + tail.length]
    const isWhole = text.slice(from, place.from) === lead && text.slice(place.to, to) === tail
    const asked = { wanted, canonical, start, indent }
    return isWhole ? [{ from, to, ...ways(places, place, asked) }] : []
  })
}

const bareTexts = new WeakMap<DocumentText, DocumentText>()

/** The document in the canonical form; its positions are those of the document. Remembered. */
function bareText(text: DocumentText): DocumentText {
  let bare = bareTexts.get(text)
  if (bare === undefined) {
    const nodes = Array.from({ length: text.blockCount }, (_, index) => text.node(index))
    bare = DocumentText.of(nodes.map(unspelled))
    bareTexts.set(text, bare)
  }
  return bare
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
interface Place extends TextRange {
  readonly bare: TextRange
  /** What its lines begin with there, and in the document. */
  readonly prefix: string
  readonly written: string
}

/** Where the canonical form says something, and where that is in the document. */
class Places {
  readonly #text: DocumentText
  readonly #bare: DocumentText
  readonly #search: Search

  constructor(text: DocumentText, bare: DocumentText, search: Search) {
    this.#text = text
    this.#bare = bare
    this.#search = search
  }

  find(sought: string, isBlock: boolean): readonly Place[] {
    const [first = '', ...others] = sought.split('\n')
    const prefixes = others.length > 0 && isBlock ? this.#prefixesOf(first) : ['']
    return prefixes.flatMap((prefix) => {
      const lines = others.map((line) => (line === '' ? prefix.trimEnd() : prefix + line))
      return this.#hits([first, ...lines].join('\n'), { isBlock, prefix })
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

  #prefixesOf(line: string): readonly string[] {
    const begun = this.#sought(line).filter(({ from }) => columnOf(this.#bare, from) !== undefined)
    const all = new Set(begun.map(({ from }) => blanked(lineBefore(this.#bare, from))))
    return [...all].slice(0, prefixesMax)
  }

  #hits(sought: string, { isBlock, prefix }: { isBlock: boolean; prefix: string }): Place[] {
    const isOne = !sought.includes('\n')
    return this.#sought(sought).flatMap((bare): Place[] => {
      const own = blanked(lineBefore(this.#bare, bare.from))
      const begins = columnOf(this.#bare, bare.from) !== undefined && (isOne || own === prefix)
      if (isBlock && !begins) return []
      const [start, end] = [this.written(bare.from, 'from'), this.written(bare.to, 'to')]
      if (start === undefined || end === undefined || start > end) return []
      const written = isBlock ? blanked(lineBefore(this.#text, start)) : ''
      return [{ from: start, to: end, bare, prefix: isBlock ? own : '', written }]
    })
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
    if (!signs.test(markup)) return undefined
    const written =
      side === 'start'
        ? this.#text.slice(here - markup.length, here)
        : this.#text.slice(here, here + markup.length)
    return signs.test(written) ? here + offset - there : undefined
  }
}

/** Around marked text. */
const signs = /^[*_~`]+$/

/** What the next lines of a block begin with, by what its first does. */
const blanked = (line: string): string => line.replace(/[^ \t>]/g, ' ')

interface Asked {
  readonly wanted: string
  readonly canonical: string
  /** Where the canonical form begins in the sought text. */
  readonly start: number
  /** Of the first line of the sought text, which its place has not. */
  readonly indent: string
}

function ways(places: Places, place: Place, asked: Asked): Omit<Meant, 'from' | 'to'> {
  const { wanted, canonical, start, indent } = asked
  const { bare, prefix, written } = place
  // Only what is written in the canonical form can be told part by part.
  const isCanonical = prefix === '' || !canonical.includes('\n')
  const isSame = isCanonical && wanted.slice(start).trimEnd() === canonical
  return {
    part(from, to, insert) {
      if (!isSame || from < start || to > start + canonical.length) return undefined
      const begin = bare.from - start
      return places.writtenPart({ from: begin + from, to: begin + to }, insert)
    },
    placed(insert) {
      const [first = '', ...others] = dedented(insert, indent).split('\n')
      if (written === '') return [first, ...others].join('\n')
      return [first, ...others.map((line) => (line === '' ? line : written + line))].join('\n')
    },
  }
}
