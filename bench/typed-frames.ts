/**
 * What typists send and hear, as bytes: the update of one key without any Yjs document, and the
 * reading of a broadcast frame. A frame that many sockets get is read once, however keys are merged
 * in it.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

const contentString = 4
const hasOrigin = 0x80
const hasRightOrigin = 0x40
const sync = 0
const update = 2

export interface KeyPlace {
  readonly client: number
  /** Of the key itself. */
  readonly clock: number
  /** Of the character to its left, the same client's. */
  readonly left: number
  /** Of the mark that ends the author's run. */
  readonly right: number
}

/** A Yjs update (V1) with one character. */
export function keyUpdate({ client, clock, left, right }: KeyPlace): Uint8Array {
  const encoder = encoding.createEncoder()
  const write = (value: number) => encoding.writeVarUint(encoder, value)
  for (const value of [1, 1, client, clock]) write(value)
  encoding.writeUint8(encoder, contentString | hasOrigin | hasRightOrigin)
  for (const value of [client, left, client, right]) write(value)
  encoding.writeVarString(encoder, clock % 6 === 0 ? ' ' : 'k')
  write(0)
  return encoding.toUint8Array(encoder)
}

/** A sync message; `prefix` is what a server wants in front of it. */
export function syncFrame(prefix: Uint8Array, step: number, payload: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeUint8Array(encoder, prefix)
  encoding.writeVarUint(encoder, sync)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint8Array(encoder, payload)
  return encoding.toUint8Array(encoder)
}

export interface SyncMessage {
  readonly step: number
  readonly payload: Uint8Array
}

/** Undefined for messages of another kind. `named`: a document's name stands in front. */
export function readSync(frame: Buffer, named: boolean): SyncMessage | undefined {
  const decoder = decoding.createDecoder(frame)
  if (named) decoding.readVarString(decoder)
  const type = decoding.readVarUint(decoder)
  // Hocuspocus answers step 1 under a type of its own.
  if (type !== sync && !(named && type === 4)) return undefined
  const step = decoding.readVarUint(decoder)
  return { step, payload: decoding.readVarUint8Array(decoder) }
}

export interface TypedRun {
  readonly client: number
  readonly clock: number
  readonly length: number
}

const framesKept = 4_096

/** The characters in update frames. */
export class FrameReader {
  readonly #named: boolean
  #known = new Map<string, readonly TypedRun[]>()

  constructor(named: boolean) {
    this.#named = named
  }

  read(frame: Buffer): readonly TypedRun[] {
    const key = frame.toString('latin1')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const message = readSync(frame, this.#named)
    const runs = message?.step === update ? typedIn(message.payload) : []
    if (this.#known.size >= framesKept) this.#known = new Map()
    this.#known.set(key, runs)
    return runs
  }
}

function typedIn(payload: Uint8Array): TypedRun[] {
  return Y.decodeUpdate(payload).structs.flatMap((struct) =>
    struct instanceof Y.Item && struct.content instanceof Y.ContentString
      ? [{ client: struct.id.client, clock: struct.id.clock, length: struct.length }]
      : [],
  )
}
