/**
 * Puts right what one flipped bit did. A CRC-32C says which bit it was: no two single flips of
 * stretches as long as LevelDB's change it alike, and that another kind of damage looks like one
 * has a chance of one in thousands. Where there is no checksum, each flip is tried.
 */
import { crc32c, passedOn, unmasked, viewOf } from './crc32c.ts'

/** Bytes and where their masked checksum stands. */
export interface Checked {
  readonly from: number
  readonly to: number
  readonly checksumAt: number
}

/** Flips the bit back, in place; false: it was not one bit, and nothing is changed. */
export function mendChecked(bytes: Uint8Array, { from, to, checksumAt }: Checked): boolean {
  const view = viewOf(bytes)
  const found = crc32c(view, from, to)
  const difference = (found ^ unmasked(view.getUint32(checksumAt, true))) >>> 0
  const inBytes = bitBehind(difference, to - from)
  if (inBytes !== undefined) {
    flip(bytes, to - 1 - inBytes.behind, inBytes.bit)
    return true
  }
  // Of the checksum itself: a flip of what is stored is none of what it stands for.
  return mendByTrying(bytes, { from: checksumAt, to: checksumAt + 4 }, () => {
    return unmasked(view.getUint32(checksumAt, true)) === found
  })
}

/** Tries each bit of the stretch until `isRight`; false: none, and nothing is changed. */
export function mendByTrying(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  isRight: () => boolean,
): boolean {
  for (let at = from; at < to; at++) {
    for (let bit = 0; bit < 8; bit++) {
      flip(bytes, at, bit)
      if (isRight()) return true
      flip(bytes, at, bit)
    }
  }
  return false
}

/** Which bit of the byte with `behind` more ones behind it makes this difference. */
function bitBehind(difference: number, length: number) {
  const ofBits = Array.from({ length: 8 }, (_, bit) => passedOn(1 << bit))
  for (let behind = 0; behind < length; behind++) {
    const bit = ofBits.indexOf(difference)
    if (bit >= 0) return { behind, bit }
    for (const [at, one] of ofBits.entries()) ofBits[at] = passedOn(one)
  }
  return undefined
}

function flip(bytes: Uint8Array, at: number, bit: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
}
