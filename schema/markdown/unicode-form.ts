/**
 * Text in Unicode's composed form (NFC), with the way back: `é` may be written as one character or
 * as two, and a quote seldom says which. Offsets stay those of the text as it is written.
 */

import { remembered } from '../remembered.ts'
import { lastAtMost } from './bisect.ts'
import type { TextChunk } from './document-text.ts'

/** Composed text; each shift says how far behind an offset of it the written one is. */
export interface Composed {
  readonly text: string
  readonly shifts: readonly Shift[]
}

interface Shift {
  /** In the composed text: from here on. */
  readonly at: number
  readonly by: number
}

/** A character with what may be joined to it: marks, and the vowels and ends of Hangul. */
const cluster = /[\s\S][\p{M}\u1160-\u11ff]+/gu

export function composed(text: string): Composed {
  if (text.normalize('NFC') === text) return { text, shifts: [] }
  const shifts: Shift[] = []
  const pieces: string[] = []
  let [done, length, by] = [0, 0, 0]
  for (const { 0: written, index } of text.matchAll(cluster)) {
    const joined = written.normalize('NFC')
    pieces.push(text.slice(done, index), joined)
    length += index - done + joined.length
    done = index + written.length
    if (done - length === by) continue
    by = done - length
    shifts.push({ at: length, by })
  }
  pieces.push(text.slice(done))
  return { text: pieces.join(''), shifts }
}

/** The offset in the written text of one between clusters of the composed text. */
export function writtenOffset({ shifts }: Composed, offset: number): number {
  const last = shifts[lastAtMost(shifts.length, offset, (index) => shifts[index]?.at ?? 0)]
  return offset + (last !== undefined && last.at <= offset ? last.by : 0)
}

export const composedChunk = remembered((chunk: TextChunk) => composed(chunk.text))
