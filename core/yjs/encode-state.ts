/**
 * What a peer lacks of a document, or what a transaction brought, as one update written in steps.
 * Others write to the document meanwhile; what an answer to a peer has of that refers to nothing
 * that is not in it.
 */
import { createEncoder, toUint8Array, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'
import type { Steps } from '../../schema/steps.ts'
import { encodeDeleted } from './deletions.ts'

/** Written in some tenths of a millisecond. */
const structsPerStep = 500

/** What is deleted, as the end of an update. */
export function encodeDeletions(ydoc: Y.Doc): Uint8Array {
  const all = Y.encodeStateAsUpdate(ydoc, Y.encodeStateVector(ydoc))
  // Before it stands the number of clients with structs, none.
  return all.subarray(1)
}

/** The clocks of a client that a peer lacks. */
interface Lack {
  readonly client: number
  readonly from: number
  readonly end: number
}

/** The structs from these clocks on, then what is deleted; an update as Yjs writes it. */
export function* encodingState(
  { store }: Y.Doc,
  known: ReadonlyMap<number, number>,
  deleted: Uint8Array,
): Steps<Uint8Array> {
  const now = new Map<number, number>()
  for (const client of store.clients.keys()) now.set(client, Y.getState(store, client))
  return yield* encodingLacks(store, lacksOf(known, now), deleted)
}

/**
 * What a transaction that has ended wrote and deleted, as the update that Yjs tells of it;
 * undefined: nothing. Nobody may write to the document meanwhile.
 */
export function* encodingTransaction({
  doc,
  beforeState,
  afterState,
  deleteSet,
}: Y.Transaction): Steps<Uint8Array | undefined> {
  const lacks = lacksOf(beforeState, afterState)
  if (lacks.length === 0 && deleteSet.clients.size === 0) return undefined
  return yield* encodingLacks(doc.store, lacks, encodeDeleted(deleteSet.clients))
}

function lacksOf(known: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): Lack[] {
  return Array.from(now, ([client, end]) => ({ client, from: known.get(client) ?? 0, end }))
    .filter(({ from, end }) => end > from)
    .sort((a, b) => b.client - a.client)
}

function* encodingLacks(
  store: Y.Doc['store'],
  lacks: readonly Lack[],
  deleted: Uint8Array,
): Steps<Uint8Array> {
  const pieces = [numbers(lacks.length)]
  for (const lack of lacks) {
    const structs: Uint8Array[] = []
    const count = yield* writingStructs(store, lack, structs)
    pieces.push(numbers(count, lack.client, lack.from), ...structs)
  }
  pieces.push(deleted)
  return Buffer.concat(pieces)
}

function numbers(...values: readonly number[]): Uint8Array {
  const encoder = createEncoder()
  for (const value of values) writeVarUint(encoder, value)
  return toUint8Array(encoder)
}

/** Answers how many. Between two steps Yjs may have divided or joined some. */
function* writingStructs(
  store: Y.Doc['store'],
  { client, from, end }: Lack,
  pieces: Uint8Array[],
): Steps<number> {
  let count = 0
  for (let clock = from; clock < end; ) {
    const encoder = new Y.UpdateEncoderV1()
    const structs = store.clients.get(client) ?? []
    const first = clock === 0 ? 0 : Y.findIndexSS(structs, clock)
    for (const struct of structs.slice(first, first + structsPerStep)) {
      if (struct.id.clock >= end) break
      struct.write(encoder, Math.max(0, clock - struct.id.clock))
      clock = struct.id.clock + struct.length
      count++
    }
    pieces.push(encoder.toUint8Array())
    yield
  }
  return count
}
