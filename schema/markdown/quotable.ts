/**
 * Ranges of markdown that can be quoted as they are: whole links, whole cells, and long enough to
 * stand once in the document, where that needs no more than some words around them.
 */
import { occurrencesInPieces } from '../occurrences.ts'
import type { DocumentText } from './document-text.ts'
import type { TextRange } from './printed.ts'

/** The range, grown as far as it has to be. */
export function quotable(text: DocumentText, range: TextRange): TextRange {
  if (text.blockCount === 0 || range.to - range.from > quotedMaxChars) return range
  const pieces = text.chunks.map((chunk) => chunk.text)
  let grown = whole(text, range)
  for (let words = 1; words <= wordsMost; words *= 2) {
    const [, another] = occurrencesInPieces(pieces, text.slice(grown.from, grown.to))
    if (another === undefined) return grown
    const next = whole(text, withWords(text, grown, words))
    if (next.from === grown.from && next.to === grown.to) break
    grown = next
  }
  return grown
}

const quotedMaxChars = 2_000
const wordsMost = 16

/** So much of a line is looked at on either side. */
const lineMaxChars = 1_000

interface Line {
  readonly from: number
  readonly md: string
}

function lineAround(text: DocumentText, offset: number): Line {
  const start = Math.max(0, offset - lineMaxChars)
  const before = text.slice(start, offset)
  const from = start + before.lastIndexOf('\n') + 1
  const behind = text.slice(offset, offset + lineMaxChars)
  const end = behind.indexOf('\n')
  return { from, md: text.slice(from, offset + (end < 0 ? behind.length : end)) }
}

/** A range whose ends cut no link and no cell. */
function whole(text: DocumentText, { from, to }: TextRange): TextRange {
  const [first, last] = [lineAround(text, from), lineAround(text, to)]
  const start = piecesAt(text, first).find((piece) => piece.from < from && from < piece.to)
  const end = piecesAt(text, last).find((piece) => piece.from < to && to < piece.to)
  return { from: start?.from ?? from, to: end?.to ?? to }
}

const link = /!?\[[^[\]\n]*\]\([^()\s]*(?:[ ]"[^"\n]*")?\)|<[a-z]+:[^\s<>]*>/g
const cell = /(?:\\.|[^|\\])+/g

/** Links of a line, or the cells of a table's row. */
function piecesAt(text: DocumentText, { from, md }: Line): readonly TextRange[] {
  const index = text.indexAt(from)
  const block = text.printed(index).lastBlock('from', from + md.length - text.start(index))
  const isRow = md.includes('|') && /^table/.test(block?.type ?? '')
  const pieces = Array.from(md.matchAll(isRow ? cell : link), ({ 0: piece, index: at }) => {
    const lead = isRow ? piece.length - piece.trimStart().length : 0
    const length = isRow ? piece.trim().length : piece.length
    return { from: from + at + lead, to: from + at + lead + length }
  })
  return pieces.filter((piece) => piece.to > piece.from)
}

/** With so many words more on each side, in its line. */
function withWords(text: DocumentText, { from, to }: TextRange, words: number): TextRange {
  const [first, last] = [lineAround(text, from), lineAround(text, to)]
  const before = first.md.slice(0, from - first.from).split(/(?<=\s)(?=\S)/)
  const behind = last.md.slice(to - last.from).split(/(?<=\S)(?=\s)/)
  const [left, right] = [before.slice(-words).join(''), behind.slice(0, words).join('')]
  return { from: from - left.length, to: to + right.trimEnd().length }
}
