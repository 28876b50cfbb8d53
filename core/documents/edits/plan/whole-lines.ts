/**
 * What is deleted with nothing in its place goes with its line: the blank lines around it are not
 * added up. Only lines of whole blocks, for inside a block each blank line may count.
 */
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'

/** Blank lines further away are left as they are. */
const reachChars = 1_024

/** The splice with the line end, and the blank lines before or behind, that go too. */
export function withLineEnds(text: DocumentText, splice: TextSplice): TextSplice {
  const isDeletion = splice.insert === '' && splice.from < splice.to
  const taken = isDeletion ? takenFrom(text, splice) : undefined
  if (taken === undefined) return splice
  const before = text.slice(Math.max(0, splice.from - reachChars), splice.from)
  const behind = text.slice(splice.to, splice.to + reachChars)
  const lead = before.slice(before.lastIndexOf('\n') + 1)
  const rest = text.slice(splice.to - 1, splice.to) === '\n' ? '' : /^[ \t]*\n/.exec(behind)?.[0]
  if (/[^ \t]/.test(lead) || rest === undefined) return splice
  const [from, to] = [splice.from - lead.length, splice.to + rest.length]
  if (to === text.length) return splice
  const gapBefore = blankLines(before.slice(0, before.length - lead.length))
  const gapBehind = /^(?:[ \t]*\n)*/.exec(behind.slice(rest.length))?.[0].length ?? 0
  if (from === 0) return { ...splice, from, to: to + gapBehind }
  if (gapBefore > 0 && gapBehind > 0) return { ...splice, from: from - gapBefore, to }
  // Without a blank line the lines on either side could become one paragraph.
  const isApart = gapBefore > 0 || gapBehind > 0 || isAmongItems(text, { taken, to })
  return isApart ? { ...splice, from, to } : splice
}

/** Whether it begins where a block does and ends where one does; which begins there. */
function takenFrom(text: DocumentText, { from, to }: TextSplice): string | undefined {
  const old = text.slice(from, to)
  if (text.blockCount === 0 || old.trim() === '') return undefined
  const first = blockAt(text, from + old.length - old.trimStart().length)
  const end = from + old.trimEnd().length
  const last = blockAt(text, end - 1)
  return first.begins && last.to === end ? first.type : undefined
}

const isAmongItems = (text: DocumentText, { taken, to }: { taken: string; to: number }): boolean =>
  taken === 'list_item' && blockAt(text, to).type === 'list_item'

/** The last block that begins at or before an offset. */
function blockAt(text: DocumentText, offset: number) {
  const index = text.indexAt(offset)
  const start = text.start(index)
  const block = text.printed(index).lastBlock('from', offset - start)
  const begins = block?.from === offset - start
  return { begins, type: block?.type, to: start + (block?.to ?? 0) }
}

/** How many characters of blank lines a text of whole lines ends with. */
function blankLines(lines: string): number {
  let start = lines.length
  while (start > 0) {
    const previous = lines.lastIndexOf('\n', start - 2) + 1
    if (lines.slice(previous, start).trim() !== '') break
    start = previous
  }
  return lines.length - start
}
