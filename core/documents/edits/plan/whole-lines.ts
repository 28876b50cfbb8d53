/**
 * What is deleted with nothing in its place goes with its line: the blank lines around it are not
 * added up. Only lines of whole blocks, or of items at an end of their list, for inside a block
 * each blank line may count.
 */
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { isList } from '../../../../schema/markdown/node-attributes.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'

/** Blank lines further away are left as they are. */
const reachChars = 1_024

/** The splice with the line end, and the blank lines before or behind, that go too. */
export function withLineEnds(text: DocumentText, splice: TextSplice): TextSplice {
  const isDeletion = splice.insert === '' && splice.from < splice.to
  if (!isDeletion || !takesBlocks(text, splice)) return splice
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
  return gapBefore > 0 || gapBehind > 0 ? { ...splice, from, to } : splice
}

/** Whether it begins or ends with a block, the other end being one too or in a list. */
function takesBlocks(text: DocumentText, { from, to }: TextSplice): boolean {
  if (text.blockCount === 0) return false
  const [first, last] = [text.indexAt(from), text.indexAt(to - 1)]
  const isStart = from <= text.start(first) || from >= text.end(first)
  const isEnd = to >= text.end(last)
  return (isStart && (isEnd || isList(text.node(last)))) || (isEnd && isList(text.node(first)))
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
