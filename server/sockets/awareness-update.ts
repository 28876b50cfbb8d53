/**
 * The bytes of an awareness message (y-protocols' format: for each entry a clientID, a clock and
 * the state as JSON). Reads all of it or throws; knows nothing of who may say what.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

export interface AwarenessEntry {
  readonly client: number
  readonly clock: number
  /** JSON; `null` says that the client left. */
  readonly state: string
}

/** Throws on bytes that are no awareness message, and on a state that is no JSON. */
export function decodeAwareness(bytes: Uint8Array): readonly AwarenessEntry[] {
  const decoder = decoding.createDecoder(bytes)
  const entries: AwarenessEntry[] = []
  for (let left = decoding.readVarUint(decoder); left > 0; left--) {
    const client = decoding.readVarUint(decoder)
    const clock = decoding.readVarUint(decoder)
    const state = decoding.readVarString(decoder)
    entries.push({ client, clock, state: JSON.parse(state) === null ? 'null' : state })
  }
  return entries
}

export function encodeAwareness(entries: readonly AwarenessEntry[]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries.length)
  for (const { client, clock, state } of entries) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock)
    encoding.writeVarString(encoder, state)
  }
  return encoding.toUint8Array(encoder)
}
