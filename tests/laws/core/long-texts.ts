/**
 * Texts that cost much for what they are, at the size at which they cost most and are taken; and
 * what is asked of them on each way into a document.
 */
import * as assert from 'uvu/assert'
import { pace } from '../../pace.ts'
import { takeText, type Way, ways } from './taken-texts.ts'

export interface LongText {
  readonly before?: string
  readonly unit: string
  readonly count: number
  /** What it is turned away with, where it is. */
  readonly refused?: string
  /** What an edit that brings it is turned away with. */
  readonly refusedAsEdit?: string
}

const blocks = 'PAYLOAD_TOO_LARGE blocks'
const html = 'INVALID_MARKDOWN raw_html'
const complex = 'INVALID_MARKDOWN too_complex'
const row = (cell: string) => `|${`${cell}|`.repeat(100)}\n`

export const longTexts: Readonly<Record<string, LongText>> = {
  'items with boxes': { unit: '- [ ] a\n', count: 44_000 },
  'numbered items': { unit: '1. a\n', count: 44_000 },
  'loose items': { unit: '- a\n\n  b\n\n', count: 29_000 },
  'items in a quote': { unit: '> - a\n', count: 44_000 },
  'items in items': { unit: '- a\n  - b\n    - c\n', count: 11_000 },
  'code in one paragraph': { unit: '`a` ', count: 24_500 },
  'emphasis in one paragraph': { unit: '*a* ', count: 24_500 },
  'links in one paragraph': { unit: '[a](b) ', count: 24_500 },
  'images in one paragraph': { unit: '![a](b) ', count: 24_500 },
  'breaks in one paragraph': { unit: 'a<br />\n', count: 24_500 },
  'escapes in one paragraph': { unit: '\\*', count: 290_000 },
  'lines of one quote': { unit: '> a\nb\n', count: 100_000 },
  'lines that begin with digits': { unit: '1\n', count: 280_000 },
  'lines of a code block': { before: '```\n', unit: 'a\n', count: 2_000_000 },
  'indented code': { unit: '    a\n', count: 690_000 },
  'empty lines': { before: 'a', unit: '\n', count: 4_000_000 },
  'rows of two cells': { before: '|a|b|\n|-|-|\n', unit: '|a|b|\n', count: 29_000 },
  'rows of many cells': { before: row('a') + row('-'), unit: row('a'), count: 880 },
  'headings that are closed': { unit: '# a #\n', count: 89_000 },
  'headings that are underlined': { unit: 'a\n=\n', count: 89_000 },
  rules: { unit: '* * *\n', count: 89_000 },
  'short paragraphs': { unit: 'a\n\n', count: 89_000 },
  'blocks of HTML': { unit: '<div>a</div>\n\n', count: 89_000, refusedAsEdit: html },
  'link definitions': { unit: '[a]: b\n', count: 89_000, refusedAsEdit: html },
  'too many items': { unit: '- a\n', count: 100_000, refused: blocks },
  'too many headings': { unit: '# a #\n', count: 200_000, refused: blocks },
  'too many rules': { unit: '* * *\n', count: 300_000, refused: blocks },
  'too many marks in one paragraph': { unit: '`a` ', count: 400_000, refused: complex },
  'beginnings of images': { unit: '![', count: 400_000, refused: complex },
  'beginnings of links': { unit: '[a ', count: 400_000, refused: complex },
}

interface Asked {
  /** How much of a text that is taken; one that is refused is always sent whole. */
  readonly share: number
  readonly turnMaxMs: number
  readonly on?: readonly Way[]
}

export async function assertShortTurns(
  text: LongText,
  { share, turnMaxMs, on = ways }: Asked,
): Promise<number> {
  const { unit, count, before = '', refused = 'taken', refusedAsEdit = refused } = text
  const markdown = before + unit.repeat(Math.ceil(count * (refused === 'taken' ? share : 1)))
  const taken = await takeText(markdown, on)
  for (const { way, outcome, longestMs } of taken) {
    const isEdit = way === 'dry run' || way === 'replace'
    assert.is(outcome, isEdit ? refusedAsEdit : refused, way)
    if (longestMs < turnMaxMs) continue
    const bound = turnMaxMs * pace()
    const shown = `${way}: a turn of ${Math.round(longestMs)} ms, not of ${Math.round(bound)}`
    assert.ok(longestMs < bound, shown)
  }
  return taken.length
}
