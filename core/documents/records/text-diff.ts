/**
 * The change between two versions of a document's text as one minimal splice. Versions share their
 * unchanged chunks by identity, so only the chunks that differ are compared.
 */
import type { DocumentText, TextChunk } from '../../../schema/markdown/document-text.ts'
import type { TextSplice } from './text-change.ts'

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Undefined when the texts are equal. Never cuts a surrogate pair. */
export function diffTexts(before: DocumentText, after: DocumentText): TextSplice | undefined {
  if (before === after) return undefined
  const old = before.chunks
  const now = after.chunks
  const shorter = Math.min(old.length, now.length)
  let head = 0
  let offset = 0
  while (head < shorter && old[head] === now[head]) offset += old[head++]?.length ?? 0
  let tail = 0
  const last = (chunks: readonly TextChunk[]) => chunks[chunks.length - 1 - tail]
  while (tail < shorter - head && last(old) === last(now)) tail++
  const middle = (chunks: readonly { text: string }[]) =>
    chunks
      .slice(head, chunks.length - tail)
      .map((chunk) => chunk.text)
      .join('')
  return diffStrings(middle(old), middle(now), offset)
}

export function diffStrings(old: string, now: string, offset = 0): TextSplice | undefined {
  if (old === now) return undefined
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old.charCodeAt(start) === now.charCodeAt(start)) start++
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start--
  let end = 0
  while (
    end < most - start &&
    old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end)
  ) {
    end++
  }
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end--
  return {
    at: offset + start,
    remove: old.length - start - end,
    insert: now.slice(start, now.length - end),
  }
}
