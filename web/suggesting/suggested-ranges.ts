/**
 * A suggestion that the service has as stretches of the document: which words it would take away
 * and what it would put where. Pure. Where its words do not read as it says, it is drawn nowhere.
 */
import type { Node } from 'prosemirror-model'
import { DocumentText } from '../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { regionsOf } from '../threads/changed-words.ts'
import { type ChangedBlocks, changedBlocks } from './changed-blocks.ts'

export interface SuggestedRange extends DocRange {
  /** What would stand there; '' where the words would just go. */
  readonly text: string
  /** Lists, tables and headings that would stand there, or items or rows of the one around. */
  readonly blocks?: readonly Node[]
}

export interface Proposed {
  readonly oldString: string
  readonly newString: string
}

/** More than so much is not printed to find a few words in it. */
const printedMaxChars = 200_000

/** `range`: where the words of its thread are. Undefined: they read otherwise. */
export function suggestedRangesOf(
  doc: Node,
  range: DocRange,
  { oldString, newString }: Proposed,
): SuggestedRange[] | undefined {
  const first = doc.resolve(range.from).index(0)
  const $to = doc.resolve(range.to)
  const last = Math.max(first + 1, $to.index(0) + ($to.depth === 0 ? 0 : 1))
  const blocks = doc.children.slice(first, last)
  if (blocks.reduce((size, { nodeSize }) => size + nodeSize, 0) > printedMaxChars) return undefined
  const start = doc.resolve(range.from).posAtIndex(first, 0)
  const text = DocumentText.of(blocks)
  const found = placeIn({ text, start, blocks }, range, oldString)
  if (found === undefined) return undefined
  const changed = blocksThatCome({ text, start, blocks }, found, { oldString, newString })
  if (changed !== undefined) return [{ ...changed, text: '' }]
  const at = (offset: number, side: 'start' | 'end') => {
    const { index, pos } = text.positionAt(found + offset, side)
    return start + sizeOf(blocks, index) + pos
  }
  return regionsOf(oldString, newString).map(({ from, to, text: put }) => {
    const isPutIn = from === to
    const begin = at(from, isPutIn && from > 0 ? 'end' : 'start')
    return { from: begin, to: isPutIn ? begin : Math.max(begin, at(to, 'end')), text: shownAs(put) }
  })
}

interface Printed {
  readonly text: DocumentText
  readonly start: number
  readonly blocks: readonly Node[]
}

const sizeOf = (blocks: readonly Node[], count: number): number =>
  blocks.slice(0, count).reduce((size, { nodeSize }) => size + nodeSize, 0)

/** More than so much is told in words. */
const blocksMaxChars = 20_000

function blocksThatCome(
  { text, start, blocks }: Printed,
  at: number,
  { oldString, newString }: Proposed,
): ChangedBlocks | undefined {
  if (!(isOfBlocks(oldString) || isOfBlocks(newString))) return undefined
  if (text.length + newString.length > blocksMaxChars) return undefined
  const markdown = text.toString()
  const now = markdown.slice(0, at) + newString + markdown.slice(at + oldString.length)
  return changedBlocks(blocks, parseMarkdown(now).children, start)
}

/** Whether it may be of more than words. */
const isOfBlocks = (markdown: string): boolean => /\n|^\s*(?:[-+*>#|`~]|\d+[.)])/.test(markdown)

/** The offset of the words, markup included, of which the thread's range is the text. */
function placeIn(printed: Printed, { from, to }: DocRange, words: string): number | undefined {
  const markdown = printed.text.toString()
  const [begin, end] = [offsetIn(printed, from, 'start'), offsetIn(printed, to, 'end')]
  const exact = markdown.startsWith(words, begin) && begin + words.length === end
  if (exact) return begin
  const earliest = Math.max(0, end - words.length)
  const found = markdown.indexOf(words, earliest)
  return found < 0 || found > begin ? undefined : found
}

function offsetIn({ text, start, blocks }: Printed, pos: number, side: 'start' | 'end'): number {
  let [index, within] = [0, pos - start]
  while (index < blocks.length - 1 && within >= (blocks[index]?.nodeSize ?? 0)) {
    if (side === 'end' && within === blocks[index]?.nodeSize) break
    within -= blocks[index]?.nodeSize ?? 0
    index++
  }
  if (within === blocks[index]?.nodeSize) return text.end(index)
  return within === 0 ? text.start(index) : text.offsetAt(index, within, side)
}

/** As its reader sees it: without the markup. */
function shownAs(markdown: string): string {
  if (!/[*_~`#>|[\]\\<&]/.test(markdown)) return markdown.replace(/^([ \t]*)[-+] /gm, '$1• ')
  const lead = /^\s*/.exec(markdown)?.[0] ?? ''
  const trail = lead === markdown ? '' : markdown.slice(markdown.trimEnd().length)
  const doc = parseMarkdown(markdown.trim())
  return lead + doc.textBetween(0, doc.content.size, '\n', leafWords) + trail
}

const leafWords = (leaf: Node): string =>
  leaf.type.name === 'hard_break' ? '\n' : `[${leaf.attrs['alt'] || leaf.type.name}]`
