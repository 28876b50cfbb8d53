/**
 * Reads numbers from the bytes of a message, each within its bounds: nothing past the end, no count
 * of things that the bytes that are left cannot hold, no clock out of range.
 */
import * as decoding from 'lib0/decoding'
import { Unfit } from './unfit.ts'

/** The highest clock of a client: two billion characters. */
export const clockMax = 2 ** 31 - 1

export function malformed(what: string): never {
  throw new Unfit(4403, `malformed message: ${what}`)
}

export function readByte(decoder: decoding.Decoder): number {
  const byte = decoder.arr[decoder.pos]
  if (byte === undefined) malformed('it ends early')
  decoder.pos++
  return byte
}

export function readNumber(decoder: decoding.Decoder, max: number): number {
  const number = decoding.readVarUint(decoder)
  if (number > max) malformed('a number is out of range')
  return number
}

/** A count of things that take at least `bytesEach` bytes each. */
export function readCount(decoder: decoding.Decoder, bytesEach: number): number {
  const count = decoding.readVarUint(decoder)
  if (count * bytesEach > decoder.arr.length - decoder.pos) malformed('a count exceeds the bytes')
  return count
}

export function readLength(decoder: decoding.Decoder): number {
  const length = readNumber(decoder, clockMax)
  if (length === 0) malformed('a struct is empty')
  return length
}
