/**
 * The bytes of an awareness message (y-protocols' format: for each entry a clientID, a clock and
 * the state as JSON). Looks into no state unless asked, since most of what comes is an echo; knows
 * nothing of who may say what.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { limits } from '../../schema/limits.ts'
import { readState, type SaidState } from '../../schema/presence-state.ts'

const awarenessEntriesMax = 512

/** What somebody says of one client. */
export interface AwarenessEntry {
  readonly client: number
  readonly clock: number
  /** JSON in UTF-8, of any length, not looked at; part of the message. */
  readonly state: Uint8Array
}

/** A stock client counts from 0, and makes its clientID of 32 bits. */
const numberMax = 0xffff_ffff

/** Of too many entries none is looked at. Undefined: it is no awareness message. */
export function decodeAwareness(bytes: Uint8Array): readonly AwarenessEntry[] | undefined {
  try {
    return entriesOf(decoding.createDecoder(bytes))
  } catch {
    return undefined
  }
}

function entriesOf(decoder: decoding.Decoder): readonly AwarenessEntry[] {
  const entries: AwarenessEntry[] = []
  const count = decoding.readVarUint(decoder)
  if (count > awarenessEntriesMax) return []
  for (let left = count; left > 0; left--) {
    const client = decoding.readVarUint(decoder)
    const clock = decoding.readVarUint(decoder)
    const state = decoding.readVarUint8Array(decoder)
    if (client <= numberMax && clock <= numberMax) entries.push({ client, clock, state })
  }
  return entries
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined: the state breaks a rule. */
export function judge(said: Uint8Array): SaidState | 'left' | 'malformed' | undefined {
  const most = limits.awarenessStateMaxBytes
  if (said.length > most) return undefined
  try {
    const state = readState(utf8.decode(said))
    const isLong = typeof state === 'object' && Buffer.byteLength(state.members) > most
    return isLong ? undefined : state
  } catch {
    return 'malformed'
  }
}

/** A null, with the blanks that JSON allows around it. */
export function isNull(state: Uint8Array): boolean {
  return state.length < 16 && Buffer.from(state).toString('latin1').trim() === 'null'
}

/** One entry of a message. */
export function encodeEntry(client: number, clock: number, state: string): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, client)
  encoding.writeVarUint(encoder, clock)
  encoding.writeVarString(encoder, state)
  return encoding.toUint8Array(encoder)
}

export function encodeAwareness(entries: readonly Uint8Array[]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries.length)
  for (const entry of entries) encoding.writeUint8Array(encoder, entry)
  return encoding.toUint8Array(encoder)
}
