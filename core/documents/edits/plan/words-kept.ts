/**
 * Compares what was asked with what came of it: the words of the spliced markdown must be the words
 * of the blocks it made, in order; only markup may be written otherwise. It tells where an empty
 * link would show its address as text, or where something would silently fall away.
 */

import { textEnds } from '../../../../schema/diff/ends.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { viewOf } from '../../../../schema/markdown/escape-view.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import type { DraftOperation } from './operation.ts'

export function losesWords(
  before: DocumentText,
  { from, to, insert }: TextSplice,
  { parts, text }: DraftOperation,
): boolean {
  const [part] = parts
  if (part === undefined || before.blockCount === 0) return false
  const isInsert = part.to === part.from
  const start = isInsert ? from : Math.min(from, before.start(part.from))
  const end = isInsert ? to : Math.max(to, before.end(part.to - 1))
  const [head, tail] = [before.slice(start, from), before.slice(to, end)]
  const got = text.slice(start, Math.max(start, text.length - (before.length - end)))
  const isAsAsked =
    got.length === head.length + insert.length + tail.length &&
    got.startsWith(head) &&
    got.startsWith(insert, head.length) &&
    got.endsWith(tail)
  // A link without a text shows its address.
  if (isAsAsked) return emptyLinks(got) > emptyLinks(before.slice(start, end))
  const [a, b] = differing(head + insert + tail, got)
  return wordsOf(a) !== wordsOf(b)
}

/** Images without a text are none. */
const emptyLinks = (md: string): number => md.match(/(?<!(?<!\\)!)\[[ \t]*\]\(/g)?.length ?? 0

/** Both without the lines that they have in common at either end. */
function differing(a: string, b: string): [string, string] {
  const ends = textEnds(a, b)
  const front = ends.front === 0 ? 0 : a.lastIndexOf('\n', ends.front - 1) + 1
  const line = a.indexOf('\n', a.length - ends.back)
  const back = line < 0 ? 0 : a.length - line
  return [a.slice(front, a.length - back), b.slice(front, b.length - back)]
}

/**
 * Where a link leads; links that follow each other to one place are written as one. No part of it
 * goes on over what begins another one, so that each character is read a few times at most.
 */
const destination =
  /\]\((?:<(?:[^<>\n\\]|\\.)*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"\n]*")?\)/g

/** Letters and digits in order, save breaks and the numbers of list items, which come and go. */
function wordsOf(md: string): string {
  const bare = md
    .replace(destination, ']')
    .replace(/^(?:[ \t>]|[-*+] )*\d{1,9}[.)](?=\s|$)/gm, '')
    .replace(/<br[ \t]*\/?>/gi, '')
  return viewOf(bare)
    .text.replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}
