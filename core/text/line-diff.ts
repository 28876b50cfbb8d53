/**
 * The change between two versions of a text line by line: a line that stays is told from what came
 * before or behind it, also where its list number changed. So an insert that loosens a list, or
 * renumbers it, is still known as an insert at its place. Falls back to one splice where the change
 * is large.
 */

import { commonSubsequence } from '../../schema/diff/subsequence.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import type { TextReplacement } from './text-change.ts'
import { diffStrings, diffTexts } from './text-diff.ts'

const refinedMaxChars = 64 * 1024
const lineMaxChars = 4096

/** Ascending; each counts in the text that the ones before it left. `spliced`: see `diffTexts`. */
export function lineDiff(
  before: DocumentText,
  after: DocumentText,
  spliced?: number,
): readonly TextReplacement[] {
  const whole = diffTexts(before, after, spliced)
  if (whole === undefined) return []
  const { at, remove, insert } = whole
  if (remove === 0 || insert === '' || remove + insert.length > refinedMaxChars) return [whole]
  const removed = before.slice(at, at + remove)
  if (!removed.includes('\n') && !insert.includes('\n')) return [whole]
  const head = before.slice(Math.max(0, at - lineMaxChars), at)
  const tail = before.slice(at + remove, at + remove + lineMaxChars)
  // From the end of the line before, so that a line that came is told from the one it came before.
  const lead = head.slice(Math.max(0, head.lastIndexOf('\n')))
  const trail = tail.slice(0, Math.max(0, tail.indexOf('\n')))
  const old = (lead + removed + trail).split('\n')
  const now = (lead + insert + trail).split('\n')
  return betweenLines(old, now, at - lead.length)
}

/** A line without its list number, which follows from the lines before it. */
const keyOf = (line: string): string => line.replace(/^((?:[ \t>]|[-*+] )*)\d{1,9}(?=[.)] )/, '$1')

function betweenLines(
  old: readonly string[],
  now: readonly string[],
  start: number,
): TextReplacement[] {
  const splices: TextReplacement[] = []
  let [i, j, at] = [0, 0, start]
  const change = (from: readonly string[], to: readonly string[], isFirst: boolean): void => {
    const edge = isFirst ? (text: string) => `${text}\n` : (text: string) => `\n${text}`
    const [a, b] = [from, to].map((lines) => lines.map(edge).join(''))
    const splice = diffStrings(a ?? '', b ?? '', isFirst ? at : at - 1)
    if (splice) splices.push(splice)
    at += (b ?? '').length
  }
  const pairs = commonSubsequence(old.map(keyOf), now.map(keyOf))
  for (const [oldLine, newLine] of [...pairs, [old.length, now.length] as const]) {
    if (oldLine > i || newLine > j) {
      change(old.slice(i, oldLine), now.slice(j, newLine), i === 0 && oldLine < old.length)
    }
    const [was, is] = [old[oldLine], now[newLine]]
    if (was === undefined || is === undefined) break
    const splice = diffStrings(was, is, at)
    if (splice) splices.push(splice)
    at += is.length + 1
    i = oldLine + 1
    j = newLine + 1
  }
  return splices
}
