/**
 * The frames of the y-websocket protocol (binary) and of our events (JSON text). A frame that goes
 * to many sockets is encoded once.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { messageYjsSyncStep1, messageYjsSyncStep2, messageYjsUpdate } from 'y-protocols/sync'
import { encodeAwareness } from './awareness-update.ts'
import { wholeFrame } from './socket.ts'

const messageSync = 0
const messageAwareness = 1
const messageQueryAwareness = 3

/** The memory that a message takes while it waits, beside its own bytes. */
export const waitingMessageBytes = 256

export type LiveMessage =
  | { readonly kind: 'step1'; readonly vector: Uint8Array }
  | { readonly kind: 'step2' | 'update'; readonly update: Uint8Array }
  | { readonly kind: 'awareness'; readonly update: Uint8Array }
  | { readonly kind: 'query-awareness' }

/**
 * Undefined for what is ignored: a message type that stock clients do not send. Throws on malformed
 * bytes; what is in an update is for others to look at.
 */
export function decodeMessage(data: Uint8Array): LiveMessage | undefined {
  const decoder = decoding.createDecoder(data)
  const type = decoding.readVarUint(decoder)
  if (type === messageQueryAwareness) return { kind: 'query-awareness' }
  if (type === messageAwareness) {
    return { kind: 'awareness', update: decoding.readVarUint8Array(decoder) }
  }
  if (type !== messageSync) return undefined
  const step = decoding.readVarUint(decoder)
  const payload = decoding.readVarUint8Array(decoder)
  if (step === messageYjsSyncStep1) return { kind: 'step1', vector: payload }
  if (step === messageYjsSyncStep2) return { kind: 'step2', update: payload }
  return step === messageYjsUpdate ? { kind: 'update', update: payload } : undefined
}

/** The payload, which may be large, is copied once. */
function frame(types: readonly number[], payload: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const type of types) encoding.writeVarUint(encoder, type)
  encoding.writeVarUint(encoder, payload.length)
  return Buffer.concat([encoding.toUint8Array(encoder), payload])
}

export const step1Frame = (vector: Uint8Array): Uint8Array =>
  frame([messageSync, messageYjsSyncStep1], vector)
export const step2Frame = (update: Uint8Array): Uint8Array =>
  frame([messageSync, messageYjsSyncStep2], update)
/** Of entries that were encoded before. */
export const awarenessMessage = (entries: readonly Uint8Array[]): Uint8Array =>
  frame([messageAwareness], encodeAwareness(entries))

/** The update told of last: its sockets are told one after the other. */
let latest: { readonly update: Uint8Array; readonly frame: Uint8Array } | undefined

/** The whole frame of an update message; the same object for the same update told of again. */
export function updateFrame(update: Uint8Array): Uint8Array {
  if (latest?.update !== update) {
    latest = { update, frame: wholeFrame(frame([messageSync, messageYjsUpdate], update)) }
  }
  return latest.frame
}

const eventFrames = new WeakMap<object, string>()

/** A JSON text frame around `data`, encoded once for the same object. */
export function eventFrame(event: string, key: object, data: unknown): string {
  const known = eventFrames.get(key)
  if (known !== undefined) return known
  const made = JSON.stringify({ type: 'event', event, data })
  eventFrames.set(key, made)
  return made
}
