/**
 * Writes the runs of a textblock in one style: pieces, escapes, then the repairs that need the
 * written text: characters that keep a delimiter from being read, and the tail of a heading, are
 * changed.
 */
import { bareUrls } from './bare-urls.ts'
import { encodedNeighbours } from './delimiters.ts'
import {
  everySpecialCharacter,
  lineStartEscape,
  needsEscape,
  type Surroundings,
  specialCharacters,
} from './escapes.ts'
import { type InlineStyle, inlinePieces, type LayoutPiece } from './inline-layout.ts'
import { type InlineChange, InlineOutput, type InlineText, withChanges } from './inline-output.ts'
import { type InlineRun, type InlineShape, isOneLine, type TextRun } from './inline-runs.ts'

export interface WrittenInline extends InlineText {
  /** Something had to be changed after writing: the text is not plainly safe. */
  readonly changed: boolean
}

export function writeInline(
  runs: readonly InlineRun[],
  shape: InlineShape,
  style: InlineStyle,
): WrittenInline {
  const writer = new InlineWriter(shape, style)
  const pieces = inlinePieces(runs, shape, style)
  for (let index = 0; index < pieces.length; index++) {
    writer.piece(pieces[index] as LayoutPiece, firstCharacter(pieces[index + 1]))
  }
  const { output } = writer
  const changes: InlineChange[] = encodedNeighbours(output)
  const tail = shape.heading === true ? closingHashes(output.md) : -1
  if (tail !== -1) changes.push({ at: tail, length: 0, replacement: '\\' })
  const { md, segments } = withChanges(output, changes)
  return { md, segments, changed: changes.length > 0 }
}

/** Where the `#`s begin that would be taken for the closing sequence of a heading, or -1. */
function closingHashes(md: string): number {
  let from = md.length
  while (from > 0 && md[from - 1] === '#') from--
  if (from === md.length) return -1
  return from === 0 || /[ \t]/.test(md[from - 1] ?? '') ? from : -1
}

function firstCharacter(piece: LayoutPiece | undefined): string {
  if (piece === undefined) return ''
  if (piece.kind === 'code') return '`'
  return (piece.kind === 'text' || piece.kind === 'literal' ? piece.run.text : piece.md).charAt(0)
}

class InlineWriter {
  readonly output = new InlineOutput()
  readonly #shape: InlineShape
  readonly #style: InlineStyle
  /** An escaped `<` stands in this line, so that its `>` is escaped as well. */
  #angle = false

  constructor(shape: InlineShape, style: InlineStyle) {
    this.#shape = shape
    this.#style = style
  }

  piece(piece: LayoutPiece, after: string): void {
    if (piece.kind === 'markup') this.output.markup(piece.md)
    else if (piece.kind === 'delimiter') this.output.delimiter(piece.md, piece.opens)
    else if (piece.kind === 'unit') this.output.unit(piece.md, piece.from)
    else if (piece.kind === 'code') this.#code(piece.run)
    else if (piece.kind === 'literal') this.output.text(piece.run, 0, piece.run.text.length)
    else this.#text(piece.run, piece.inLink, after)
  }

  /** Backticks one longer than any run of them inside; in cells, pipes are escaped here too. */
  #code(run: TextRun): void {
    const { text } = run
    const lengths = new Set(text.match(/`+/g)?.map((ticks) => ticks.length))
    let length = 1
    while (lengths.has(length)) length++
    const spaced = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text)
    const pad = spaced || text.startsWith('`') || text.endsWith('`') ? ' ' : ''
    this.output.markup('`'.repeat(length) + pad)
    let from = 0
    if (this.#shape.cell === true) {
      for (let at = text.indexOf('|'); at !== -1; at = text.indexOf('|', at + 1)) {
        this.output.text(run, from, at)
        this.output.markup('\\')
        from = at
      }
    }
    this.output.text(run, from, text.length)
    this.output.markup(pad + '`'.repeat(length))
  }

  #text(run: TextRun, inLink: boolean, after: string): void {
    const { text } = run
    const inCell = this.#shape.cell === true
    const around: Surroundings = { before: this.output.last, after, inLink, inCell }
    const marks = this.#escapes(text, around)
    let from = 0
    for (const at of marks) {
      this.output.text(run, from, at)
      this.output.markup('\\')
      from = at
    }
    this.output.text(run, from, text.length)
  }

  /** The indices of all characters that get a backslash, ascending. */
  #escapes(text: string, around: Surroundings): number[] {
    const { escapeAll } = this.#style
    const found: number[] = []
    const start = this.output.atLineStart ? this.#lineStart(text, 0) : -1
    if (start !== -1) found.push(start)
    if (!escapeAll && text.search(specialCharacters) === -1) return found
    const urls = escapeAll ? [] : bareUrls(text, around.before)
    let url = 0
    const pattern = new RegExp(escapeAll ? everySpecialCharacter : specialCharacters)
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const at = match.index
      if (text[at] === '\n') {
        this.#angle = false
        const opening = this.#lineStart(text, at + 1)
        if (opening !== -1) found.push(opening)
        continue
      }
      while ((urls[url]?.[1] ?? Number.POSITIVE_INFINITY) <= at) url++
      if ((urls[url]?.[0] ?? Number.POSITIVE_INFINITY) <= at || found.at(-1) === at) continue
      if (!escapeAll && !needsEscape(text, at, around, this.#angle)) continue
      found.push(at)
      if (text[at] === '<') this.#angle = true
      if (text[at] === '>') this.#angle = false
    }
    return found
  }

  #lineStart(text: string, from: number): number {
    if (isOneLine(this.#shape)) return -1
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end === -1 ? text.length : end)
    const first = from === 0 && this.output.onFirstLine
    const at = lineStartEscape(line, { first, item: this.#shape.itemFirst === true })
    return at === -1 ? -1 : from + at
  }
}
