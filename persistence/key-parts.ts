/**
 * What keys are put together of: segments, numbers that keep their order, ranges, and entries of
 * indexes. It knows no kind of record.
 */
import type { Below, Range } from './store.ts'

const numberWidth = 12

/** The number as a segment whose text order is its numeric order. */
export function padded(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number >= 10 ** numberWidth) {
    throw new TypeError(`not a number for a key: ${number}`)
  }
  return String(number).padStart(numberWidth, '0')
}

/** Any text as one segment. Throws URIError on text that has no UTF-8 form. */
export function segment(text: string): string {
  if (text === '') throw new TypeError('a key segment must not be empty')
  return encodeURIComponent(text)
}

/** Every key that begins with `prefix` and `/`. `0` is the character after `/`. */
export const below = (prefix: string): Below => ({ gte: `${prefix}/`, lt: `${prefix}0` })

/** An entry of the index `name`; numbers order as numbers, texts as their escaped form. */
export const indexKey = (name: string, ...path: readonly (string | number)[]): string =>
  ['index', segment(name), ...path.map(indexSegment)].join('/')

/** All entries of the index `name` that begin with the whole segments `path`. */
export const indexRange = (name: string, ...path: readonly (string | number)[]): Range =>
  below(indexKey(name, ...path))

export const indexSegment = (part: string | number): string =>
  typeof part === 'number' ? padded(part) : segment(part)
