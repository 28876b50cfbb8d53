/** A block id that nobody has. */
import { type BlockId, newBlockId } from '../../../schema/ids.ts'

/** Random bytes, drawn for many ids at a time. */
const drawn = { bytes: new Uint8Array(3072), used: 3072 }

function randomBytes(count: number): Uint8Array {
  if (drawn.used + count > drawn.bytes.length) {
    crypto.getRandomValues(drawn.bytes)
    drawn.used = 0
  }
  drawn.used += count
  return drawn.bytes.subarray(drawn.used - count, drawn.used)
}

export const newId = (): BlockId => newBlockId({ randomBytes })
