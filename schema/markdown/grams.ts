/**
 * Which three-character sequences a piece of text may hold: a small set with false positives and no
 * false negatives, so that a search leaves out the pieces that cannot have what it looks for. A
 * search in a long document then costs about what it costs in the one piece that has the words.
 */

const bitsLog2 = 15
const bits = 1 << bitsLog2
const gramLength = 3

export type Grams = Uint32Array

const slotOf = (text: string, at: number): number => {
  const low = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ text.charCodeAt(at + 1)
  const mixed = Math.imul(low, 0x85ebca6b) ^ text.charCodeAt(at + 2)
  return Math.imul(mixed, 0xc2b2ae35) >>> (32 - bitsLog2)
}

export function gramsOf(text: string): Grams {
  const set = new Uint32Array(bits / 32)
  for (let at = 0; at + gramLength <= text.length; at++) {
    const slot = slotOf(text, at)
    set[slot >>> 5] = (set[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }
  return set
}

/** The places to look at in a piece's set; at most 64, spread over the whole text. */
export function slotsOf(wanted: string): readonly number[] {
  const count = wanted.length - gramLength + 1
  const step = Math.max(1, Math.floor(count / 64))
  const slots: number[] = []
  for (let at = 0; at < count; at += step) slots.push(slotOf(wanted, at))
  return slots
}

export const mayHold = (grams: Grams, slots: readonly number[]): boolean =>
  slots.every((slot) => ((grams[slot >>> 5] ?? 0) >>> (slot & 31)) & 1)
