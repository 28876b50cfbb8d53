/**
 * Prints the content of one textblock. Most text is spelled one obvious way; where that cannot be
 * known to read back, it is read back, and other spellings are tried. What no spelling holds loses
 * emphasis, and `runs` tells what was spelled in the end.
 */
import type { MarkType, Node } from 'prosemirror-model'
import { type Definitions, noDefinitions } from './definitions.ts'
import { mayRefer } from './document-definitions.ts'
import { elidedRuns, elideRuns } from './elision.ts'
import { type InlineStyle, usualStyle } from './inline-layout.ts'
import { type InlineRun, type InlineShape, isCode, type TextRun, unlinked } from './inline-runs.ts'
import { type WrittenInline, writeInline } from './inline-writer.ts'
import { keepInline, keptInline } from './kept-inline.ts'
import { delimitedMarks } from './mark-extents.ts'
import { readsBackAs } from './parse-back.ts'
import { spellsItself } from './plain-text.ts'
import type { PrintedInline } from './printed.ts'

const triesMax = 128
const triedTextMaxChars = 64 * 1024

export function printInline(textblock: Node, shape: InlineShape): PrintedInline {
  const plain = plainTextOf(textblock, shape)
  if (plain !== undefined) return printedPlain(plain)
  const known = keptInline(textblock, shape)
  if (known !== undefined) return known
  const runs = elidedRuns(textblock, shape)
  if (runs.length === 0) return { md: '', segments: [], runs }
  return spelling(runs, shape) ?? withoutEmphasis(runs, shape)
}

/**
 * Whether a textblock prints as the text that it was just read from. What is printed usually need
 * not be read again then, and is kept for who prints the textblock next. `shape` has the
 * definitions that it was read with.
 */
export function printsAs(textblock: Node, md: string, shape: ReadShape): boolean {
  const plain = plainTextOf(textblock, shape)
  if (plain !== undefined) return plain === md
  const runs = elidedRuns(textblock, shape)
  if (runs.length === 0) return md === ''
  const usual = writeInline(runs, shape, usualStyle)
  if (usual.md !== md || mayRefer(md, shape.definitions)) {
    const alone = { ...shape, definitions: noDefinitions }
    return (spelling(runs, alone, usual) ?? withoutEmphasis(runs, alone)).md === md
  }
  keepInline(textblock, shape, { md, segments: usual.segments, runs })
  return true
}

export interface ReadShape extends InlineShape {
  readonly definitions: Definitions
}

/** The text of a textblock that is spelled as it is, which most are: a short cut, not a rule. */
export function plainTextOf(textblock: Node, { heading }: InlineShape): string | undefined {
  let text = ''
  for (const node of textblock.children) {
    if (!node.isText || node.marks.some(({ type }) => type.name !== 'authored')) return undefined
    text += node.text
  }
  if (heading === true && text.endsWith('#')) return undefined
  return spellsItself(text) ? text : undefined
}

function printedPlain(text: string): PrintedInline {
  const { length } = text
  const origins = [{ at: 0, from: 0, solid: false }]
  return {
    md: text,
    segments: [{ md: 0, mdLength: length, pos: 0, length }],
    runs: [{ kind: 'text', text, marks: [], origins }],
  }
}

/** A spelling that is known to read back, if there is one. */
function spelling(
  runs: readonly InlineRun[],
  shape: InlineShape,
  usual = writeInline(runs, shape, usualStyle),
): PrintedInline | undefined {
  const { md, segments } = usual
  const refers = mayRefer(md, shape.definitions ?? noDefinitions)
  if (!refers && isPlainlySafe(runs, usual)) return { md, segments, runs }
  if (readsBackAs(md, runs, shape)) return { md, segments, runs }
  let budget = triedTextMaxChars
  for (const style of otherStyles(runs)) {
    budget -= usual.md.length
    if (budget < 0) return undefined
    const written = writeInline(runs, shape, style)
    if (readsBackAs(written.md, runs, shape)) return { ...written, runs }
  }
  return undefined
}

/** Underscores for some delimiters, longer marks outside, and at last every escape. */
function otherStyles(runs: readonly InlineRun[]): InlineStyle[] {
  const spans = Math.min(6, emphasisCount(runs))
  const masks = spans === 0 ? [0] : [...Array(1 << spans).keys()]
  const spread = [0x55555555 | 0, -1]
  const styles: InlineStyle[] = []
  for (const escapeAll of [false, true]) {
    const some = escapeAll ? [0, ...spread] : [...masks, ...spread]
    for (const longerOutside of [false, true]) {
      for (const underscores of some) styles.push({ underscores, longerOutside, escapeAll })
    }
  }
  return styles.slice(1, triesMax)
}

function emphasisCount(runs: readonly InlineRun[]): number {
  let count = 0
  for (const [index, run] of runs.entries()) {
    for (const mark of run.marks) {
      if (mark.type.name !== 'em' && mark.type.name !== 'strong') continue
      if (runs[index - 1]?.marks.some((before) => before.eq(mark)) !== true) count++
    }
  }
  return count
}

/** Drops em, then strike, strong and links, until what is left can be spelled. */
function withoutEmphasis(runs: readonly InlineRun[], shape: InlineShape): PrintedInline {
  let left = runs
  for (const type of [...delimitedMarks].reverse()) {
    if (!left.some((run) => run.marks.some((mark) => mark.type === type))) continue
    const bare = left.map((run) => bareRun(run, type))
    left = elideRuns(bare, shape)
    const printed = spelling(left, shape)
    if (printed !== undefined) return printed
  }
  const written = writeInline(left, shape, { ...usualStyle, escapeAll: true })
  return { ...written, runs: left }
}

function bareRun(run: InlineRun, type: MarkType): InlineRun {
  const marks = run.marks.filter((mark) => mark.type !== type)
  if (run.kind === 'text' || type.name !== 'link') return { ...run, marks }
  return { ...run, marks, node: unlinked(run.node) }
}

/** Not among them: characters that mean nothing where they stand, such as `a_b`, `a & b`, `~5`. */
const mayBeMarkup = /[\\`*[\]|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|~~|^~|~$|<(?! )|&(?! )|!$|:\/\//
const plainAddress = /^[\w\-./:#?=%~+,]+$/

/** Shapes that are known to read back: no markup characters, no two marks that touch. */
function isPlainlySafe(runs: readonly InlineRun[], written: WrittenInline): boolean {
  if (written.changed || /^[^\p{L}`*[]/u.test(written.md)) return false
  return runs.every((run, i) => {
    if (run.kind === 'leaf' || run.marks.length > 1) return false
    if (run.marks.length > 0 && (runs[i - 1]?.marks.length ?? 0) > 0) return false
    return isCode(run) ? !/[`|]/.test(run.text) : isPlainText(run)
  })
}

function isPlainText(run: TextRun): boolean {
  const [mark] = run.marks
  if (mayBeMarkup.test(run.text) || /\n(?!\p{L})/u.test(run.text)) return false
  if (mark?.type.name !== 'link') return true
  return mark.attrs['title'] === '' && plainAddress.test(mark.attrs['href'] as string)
}
