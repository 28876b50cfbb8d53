/**
 * The view of canonical markdown that a reader means when quoting it: backslash escapes and
 * character references resolved, everything else as it is. Code, front matter and raw HTML stay
 * as written. Invariant: outside the listed units the view is the markdown character by
 * character.
 */
import { remembered } from '../remembered.ts'
import { lastAtMost } from './bisect.ts'
import type { DocumentText } from './document-text.ts'
import type { PrintedBlock, TextRange } from './printed.ts'
import type { TextChunk } from './text-chunk.ts'
import { tokenizer } from './tokenizer.ts'

/**
 * An escape or a reference: `length` characters of the view at `at` stand for markdown [from,
 * to).
 */
export interface ViewUnit {
  readonly at: number
  readonly length: number
  readonly from: number
  readonly to: number
}

export interface EscapeView {
  readonly text: string
  /** Ascending. */
  readonly units: readonly ViewUnit[]
}

/** The view of a chunk, from the chunk's start. */
export const viewOfChunk = remembered(
  (chunk: TextChunk): EscapeView =>
    /[\\&]/.test(chunk.text) ? joinedViews(chunk) : { text: chunk.text, units: [] },
)

function joinedViews(chunk: TextChunk): EscapeView {
  const units: ViewUnit[] = []
  let text = ''
  let done = 0
  for (const [index, block] of chunk.blocks.entries()) {
    const view = viewOfBlock(block.printed)
    const start = chunk.starts[index] ?? 0
    text += chunk.text.slice(done, start)
    for (const { at, length, from, to } of view.units) {
      units.push({ at: text.length + at, length, from: start + from, to: start + to })
    }
    text += view.text
    done = start + block.printed.md.length
  }
  return { text: text + chunk.text.slice(done), units }
}

function viewOfBlock(printed: PrintedBlock): EscapeView {
  const { md } = printed
  return /[\\&]/.test(md) ? viewOfEscapes(printed) : { text: md, units: [] }
}

const viewOfEscapes = remembered((printed: PrintedBlock) =>
  viewOf(printed.md, literalRanges(printed)),
)

/** The view of a range of a document, from the start of the range. No unit is cut by its ends. */
export function viewOfRange(text: DocumentText, { from, to }: TextRange): EscapeView {
  const units: ViewUnit[] = []
  let view = ''
  let offset = 0
  for (const chunk of text.chunks) {
    const [start, end] = [Math.max(from - offset, 0), Math.min(to - offset, chunk.length)]
    if (start < end) {
      const whole = viewOfChunk(chunk)
      const first = viewOffset(whole, start)
      for (const one of whole.units) {
        if (one.from < start || one.to > end) continue
        const at = view.length + one.at - first
        const moved = offset - from
        units.push({ at, length: one.length, from: one.from + moved, to: one.to + moved })
      }
      view += whole.text.slice(first, viewOffset(whole, end))
    }
    offset += chunk.length
  }
  return { text: view, units }
}

/** Where a markdown offset that cuts no unit is in the view. */
function viewOffset({ units }: EscapeView, offset: number): number {
  const last = units[lastAtMost(units.length, offset, (index) => units[index]?.to ?? 0)]
  return last === undefined || last.to > offset ? offset : last.at + last.length + offset - last.to
}

const unit = /\\[!-/:-@[-`{-~]|&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/g

/** The view of any markdown, given the ascending ranges that are literal. */
export function viewOf(md: string, literal: readonly TextRange[] = []): EscapeView {
  const units: ViewUnit[] = []
  let text = ''
  let done = 0
  let next = 0
  unit.lastIndex = 0
  for (let match = unit.exec(md); match; match = unit.exec(md)) {
    const from = match.index
    let range = literal[next]
    while (range && range.to <= from) range = literal[++next]
    if (range && range.from <= from) {
      unit.lastIndex = range.to
      continue
    }
    const meaning = match[0].startsWith('\\') ? match[0].slice(1) : decodeReference(match[0])
    if (meaning === undefined) continue
    text += md.slice(done, from)
    done = from + match[0].length
    units.push({ at: text.length, length: meaning.length, from, to: done })
    text += meaning
  }
  return { text: text + md.slice(done), units }
}

const literalTypes: ReadonlySet<string> = new Set(['code_block', 'front_matter', 'html_block'])

/**
 * Where markup characters stand for themselves: code and HTML blocks, HTML in text, and every
 * stretch of text that prints as it is, bare addresses and code spans among them.
 */
function literalRanges(printed: PrintedBlock): TextRange[] {
  const ranges: TextRange[] = printed.blocks.filter((block) => literalTypes.has(block.type))
  for (const { md, mdLength, length } of printed.segments) {
    const isHtml = printed.md.startsWith('<', md)
    if (mdLength === length || isHtml) ranges.push({ from: md, to: md + mdLength })
  }
  return ranges.sort((a, b) => a.from - b.from)
}

/** What a character reference stands for; undefined when its name is unknown. */
function decodeReference(reference: string): string | undefined {
  const meaning = tokenizer.utils.unescapeAll(reference)
  if (meaning !== reference) return meaning
  return reference.startsWith('&#') ? '\u{fffd}' : undefined
}

/**
 * The markdown offset of a character of the view: where it begins (`from`) or ends (`to`). A
 * character that comes from a unit is the whole unit.
 */
export function markdownOffset({ units }: EscapeView, place: number, side: 'from' | 'to'): number {
  const step = side === 'to' ? 1 : 0
  const unit = units[lastAtMost(units.length, place, (index) => units[index]?.at ?? 0)]
  if (!unit) return place + step
  const beyond = place - unit.at - unit.length
  return beyond < 0 ? unit[side] : unit.to + beyond + step
}

/** A markdown offset, moved to one side of the unit that it cuts. */
export function wholeUnit({ units }: EscapeView, offset: number, side: 'from' | 'to'): number {
  const unit = units[lastAtMost(units.length, offset - 1, (index) => units[index]?.from ?? 0)]
  return unit && offset < unit.to ? unit[side] : offset
}
