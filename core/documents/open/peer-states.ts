/**
 * What peers lack of a document. Many join one after the other with nothing at all: the whole state
 * is put together once for each change of the document, and forgotten when nobody has asked for it
 * for a while. So is what is deleted, for which Yjs looks at all structs, and which each peer that
 * comes back is told anew. Others write to the document meanwhile; what an answer has of that
 * refers to nothing that is not in it.
 */
import { createEncoder, toUint8Array, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { Steps } from '../../../schema/steps.ts'
import { Turns } from './turns.ts'

/** Of one state of the document. */
interface Kept {
  readonly ticket: number
  whole: Promise<Uint8Array> | undefined
  deleted: Uint8Array | undefined
}

/** Written in some tenths of a millisecond. */
const structsPerStep = 500

export class PeerStates {
  readonly #ydoc: Y.Doc
  readonly #runtime: Runtime
  #kept: Kept | undefined
  #forgetting: Timer | undefined

  constructor(ydoc: Y.Doc, runtime: Runtime) {
    this.#ydoc = ydoc
    this.#runtime = runtime
  }

  /**
   * For a peer that has these clocks: all that is in the document now, in turns of the event loop.
   * `ticket` tells one state of the document from another.
   */
  for(known: ReadonlyMap<number, number>, ticket: number): Promise<Uint8Array> {
    if (this.#kept?.ticket !== ticket) {
      this.#kept = { ticket, whole: undefined, deleted: undefined }
    }
    const kept = this.#kept
    this.#forgetting?.cancel()
    this.#forgetting = this.#runtime.after(limits.wholeStateKeptMs, () => this.forget())
    const answer = () => {
      kept.deleted ??= deletedIn(this.#ydoc)
      return new Turns(this.#runtime).take(missing(this.#ydoc, known, kept.deleted))
    }
    if (known.size > 0) return answer()
    kept.whole ??= answer()
    return kept.whole
  }

  forget(): void {
    this.#kept = undefined
    this.#forgetting?.cancel()
    this.#forgetting = undefined
  }
}

/** What is deleted, as the end of an update. */
function deletedIn(ydoc: Y.Doc): Uint8Array {
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
function* missing(
  { store }: Y.Doc,
  known: ReadonlyMap<number, number>,
  deleted: Uint8Array,
): Steps<Uint8Array> {
  const lacks = [...store.clients.keys()]
    .map((client) => ({ client, from: known.get(client) ?? 0, end: Y.getState(store, client) }))
    .filter(({ from, end }) => end > from)
    .sort((a, b) => b.client - a.client)
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
