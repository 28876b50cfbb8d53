/**
 * The text as a careless reader remembers it: lower case, every run of blanks one blank, and
 * without what is easily mistaken or left out (backslashes, marks of emphasis and code, hashes,
 * dashes). Two texts that fold alike differ in nothing that a reader would call another word.
 * Invariant: a chunk's folded text is what it adds to the folded document; nothing spans chunks,
 * for a chunk ends in a blank and none begins with one.
 */

import { remembered } from '../remembered.ts'
import { lastAtMost } from './bisect.ts'
import type { DocumentText, TextChunk } from './document-text.ts'

const droppedAscii = '\\*_~`#>-+'
const dropped = 0
const blank = 32
const dot = 46
const doubleQuote = 34
const singleQuote = 39

/** What each ASCII character becomes. */
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= blank) return blank
  return droppedAscii.includes(String.fromCharCode(code)) ? dropped : code
})

function beyondAscii(code: number): number {
  if (code === 0xa0 || code === 0x3000 || code === 0x2028 || code === 0x2029) return blank
  if (code === 0xad || code === 0xfeff) return dropped
  if (code < 0x2000 || code > 0x2212) return code === 0xab || code === 0xbb ? doubleQuote : code
  if (code <= 0x200a || code === 0x202f) return blank
  if (code <= 0x200f || (code >= 0x202a && code <= 0x202e)) return dropped
  if ((code >= 0x2060 && code <= 0x2064) || (code >= 0x2010 && code <= 0x2015) || code === 0x2212)
    return dropped
  if (code >= 0x2018 && code <= 0x201b) return singleQuote
  if (code >= 0x201c && code <= 0x201f) return doubleQuote
  if (code === 0x2032) return singleQuote
  if (code === 0x2033) return doubleQuote
  return code === 0x2026 ? dot : code
}

/**
 * Fills `codes`, and `places` with where each of them stood; returns how many there are. Stops when
 * `codes` is full.
 */
function walk(md: string, codes: Uint16Array, places?: Uint32Array): number {
  const lower = md.toLowerCase()
  const source = lower.length === md.length ? lower : md
  let length = 0
  let last = blank
  for (let at = 0; at < source.length && length < codes.length; at++) {
    const code = source.charCodeAt(at)
    const meant = code < 128 ? (ascii[code] ?? code) : beyondAscii(code)
    if (meant === dropped) continue
    if (meant === last && (meant === blank || meant === dot)) continue
    last = meant
    codes[length] = meant
    if (places !== undefined) places[length] = at
    length++
  }
  return length
}

const codesAtOnce = 8_192

function textOf(codes: Uint16Array, length: number): string {
  let text = ''
  for (let at = 0; at < length; at += codesAtOnce) {
    const part = codes.subarray(at, Math.min(length, at + codesAtOnce))
    text += Reflect.apply(String.fromCharCode, undefined, part)
  }
  return text
}

/** Without blanks at its ends. */
export function folded(text: string): string {
  const codes = new Uint16Array(text.length)
  return textOf(codes, walk(text, codes)).trimEnd()
}

/** What the chunk adds to the folded document. */
export const foldedChunk = remembered((chunk: TextChunk): string => {
  const codes = new Uint16Array(chunk.text.length)
  return textOf(codes, walk(chunk.text, codes))
})

/** A whole document folded, and the way back. */
export class FoldedDocument {
  readonly text: string
  readonly #of: DocumentText
  readonly #starts: readonly number[]
  /** The chunk that was asked about last. */
  #walked: { readonly chunk: TextChunk; readonly places: Uint32Array } | undefined

  constructor(of: DocumentText) {
    const starts: number[] = []
    let text = ''
    for (const chunk of of.chunks) {
      starts.push(text.length)
      text += foldedChunk(chunk)
    }
    this.text = text
    this.#of = of
    this.#starts = starts
  }

  /** The markdown range of the folded one [from, to), which is not empty. */
  range(from: number, to: number): { readonly from: number; readonly to: number } {
    return { from: this.#placeOf(from), to: this.#placeOf(to - 1) + 1 }
  }

  #placeOf(at: number): number {
    const index = lastAtMost(this.#starts.length, at, (one) => this.#starts[one] ?? 0)
    const before = this.#of.chunks.slice(0, index).reduce((sum, { length }) => sum + length, 0)
    const within = at - (this.#starts[index] ?? 0)
    return before + (this.#placesIn(index, within + 1)[within] ?? 0)
  }

  /** At least the first `count`. */
  #placesIn(index: number, count: number): Uint32Array {
    const chunk = this.#of.chunks[index]
    if (chunk === undefined) throw new RangeError(`chunk ${index}`)
    const known = this.#walked
    if (known?.chunk === chunk && known.places.length >= count) return known.places
    const places = new Uint32Array(Math.min(chunk.text.length, 2 * count))
    walk(chunk.text, new Uint16Array(places.length), places)
    this.#walked = { chunk, places }
    return places
  }
}
