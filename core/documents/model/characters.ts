/**
 * Characters that no markdown text can hold (carriage returns, NUL) replaced in a Y text by what
 * they become when markdown is read. In each run the stretch from the first to the last of them is
 * written again in one piece, so that hostile text costs no more than its length; its characters
 * stay their authors'.
 */
import type * as Y from 'yjs'
import { charsIn, firstItem } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { clockOf } from '../../../schema/yjs/structs.ts'
import { type FormattedRun, textRuns } from '../../yjs/text-runs.ts'
import { isNew } from '../../yjs/transactions.ts'
import type { Cloned } from './piece-writer.ts'

const foreign = /[\r\0]/

/** Whether markdown would give back another string. */
export const isForeign = (text: string): boolean => foreign.test(text)

/** A string as markdown would give it back. */
export function cleanString(text: string): string {
  if (!isForeign(text)) return text
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

/** Only what the transaction brought can hold them. */
export function cleanCharacters(transaction: Y.Transaction, text: Y.XmlText, cloned: Cloned): void {
  if (!hasForeign(transaction, text)) return
  const runs = [...textRuns(text)]
  const stretches: CleanText[] = []
  const delta: object[] = []
  for (const [index, run] of runs.entries()) {
    const from = run.text.search(foreign)
    if (from === -1) {
      delta.push({ retain: run.text.length })
      continue
    }
    const to = Math.max(run.text.lastIndexOf('\r'), run.text.lastIndexOf('\0')) + 1
    const stretch = cleanStretch(run, { from, to, next: runs[index + 1]?.text.charAt(0) })
    if (from > 0) delta.push({ retain: from })
    delta.push({ delete: to - from })
    if (stretch.text !== '') {
      delta.push({ insert: stretch.text, attributes: Object.fromEntries(run.formats) })
      stretches.push(stretch)
    }
    if (to < run.text.length) delta.push({ retain: run.text.length - to })
  }
  report(stretches, insertedBy(text, delta), cloned)
}

function hasForeign(transaction: Y.Transaction, text: Y.XmlText): boolean {
  for (let item = firstItem(text); item !== null; item = item.right) {
    const chars = item.deleted ? undefined : charsIn(item)
    if (chars !== undefined && isNew(transaction, item) && isForeign(chars)) return true
  }
  return false
}

/** Cleaned text, and for each of its characters the struct it stands for. */
interface CleanText {
  readonly text: string
  readonly client: number
  readonly clocks: readonly number[]
}

function cleanStretch(
  { text, item }: FormattedRun,
  { from, to, next }: { readonly from: number; readonly to: number; next: string | undefined },
): CleanText {
  const chars: string[] = []
  const clocks: number[] = []
  for (let at = from; at < to; at++) {
    const char = text.charAt(at)
    const follower = at + 1 < text.length ? text.charAt(at + 1) : next
    if (char === '\r' && follower === '\n') continue
    chars.push(cleanString(char))
    clocks.push(item.id.clock + at)
  }
  return { text: chars.join(''), client: item.id.client, clocks }
}

/** Applies the delta; the structs it inserted, in order. */
function insertedBy(text: Y.XmlText, delta: object[]): StructId[] {
  if (text.doc === null) throw new TypeError('only texts of a document are cleaned')
  const { clientID } = text.doc
  const clock = clockOf(text.doc, clientID)
  text.applyDelta(delta)
  return [...textRuns(text)]
    .map(({ item }) => item.id)
    .filter((id) => id.client === clientID && id.clock >= clock)
}

/** Reports the longest stretches that are contiguous on both sides. */
function report(
  stretches: readonly CleanText[],
  copies: readonly StructId[],
  cloned: Cloned,
): void {
  for (const [index, { client, clocks }] of stretches.entries()) {
    const copy = copies[index]
    if (copy === undefined) throw new TypeError('each stretch is one struct')
    for (let at = 0, length = 1; at < clocks.length; at += length, length = 1) {
      const clock = clocks[at] as number
      while (clocks[at + length] === clock + length) length++
      cloned({ client, clock }, { client: copy.client, clock: copy.clock + at }, length)
    }
  }
}
