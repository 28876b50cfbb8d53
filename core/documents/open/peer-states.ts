/**
 * What peers lack of a document. Many join one after the other with nothing at all: the whole state
 * is put together once for each change of the document, and forgotten when nobody has asked for it
 * for a while. So is what is deleted, for which Yjs looks at all structs, and which each peer that
 * comes back is told anew.
 */
import { writeUint8Array, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

/** Of one state of the document. */
interface Kept {
  readonly ticket: number
  whole: Uint8Array | undefined
  deleted: Uint8Array | undefined
}

export class PeerStates {
  readonly #ydoc: Y.Doc
  readonly #runtime: Runtime
  #kept: Kept | undefined
  #forgetting: Timer | undefined

  constructor(ydoc: Y.Doc, runtime: Runtime) {
    this.#ydoc = ydoc
    this.#runtime = runtime
  }

  /** For a peer that has these clocks; `ticket` tells one state of the document from another. */
  for(known: ReadonlyMap<number, number>, ticket: number): Uint8Array {
    if (this.#kept?.ticket !== ticket) {
      this.#kept = { ticket, whole: undefined, deleted: undefined }
    }
    const kept = this.#kept
    this.#forgetting?.cancel()
    this.#forgetting = this.#runtime.after(limits.wholeStateKeptMs, () => this.forget())
    if (known.size === 0) {
      kept.whole ??= Y.encodeStateAsUpdate(this.#ydoc)
      return kept.whole
    }
    kept.deleted ??= deletedIn(this.#ydoc)
    return missing(this.#ydoc, known, kept.deleted)
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

/** The structs from these clocks on, then what is deleted; an update as Yjs writes it. */
function missing(
  { store }: Y.Doc,
  known: ReadonlyMap<number, number>,
  deleted: Uint8Array,
): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  const { restEncoder } = encoder
  const lacking = [...store.clients.keys()]
    .filter((client) => Y.getState(store, client) > (known.get(client) ?? 0))
    .sort((a, b) => b - a)
  writeVarUint(restEncoder, lacking.length)
  for (const client of lacking) {
    const structs = store.clients.get(client) ?? []
    const from = known.get(client) ?? 0
    const first = from === 0 ? 0 : Y.findIndexSS(structs, from)
    writeVarUint(restEncoder, structs.length - first)
    encoder.writeClient(client)
    writeVarUint(restEncoder, from)
    for (let index = first; index < structs.length; index++) {
      const struct = structs[index]
      struct?.write(encoder, index === first ? from - struct.id.clock : 0)
    }
  }
  writeUint8Array(restEncoder, deleted)
  return encoder.toUint8Array()
}
