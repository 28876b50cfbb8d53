/**
 * What a change of very much is told as waits until its frame is drawn. Yjs writes an update down
 * within the change wherever somebody listens for updates, and to write, count, send and keep that
 * of ten thousand blocks is a good part of what the change itself takes. **Invariant:** listeners
 * hear each update, whole, in order, and before anything else changes the document.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

/** Of new characters, elements and formats. */
const heldFromCount = 5_000

export interface HeldUpdatesParts {
  /** Whether what is made now may be told of a moment later. */
  mayWait(): boolean
  /** Runs it soon. */
  later(run: () => void): void
}

type Observers = ReturnType<Y.Doc['_observers']['get']>

interface Held {
  readonly transaction: Y.Transaction
  readonly observers: Observers
}

export class HeldUpdates {
  readonly #ydoc: Y.Doc
  #held: Held | undefined

  constructor(ydoc: Y.Doc, { mayWait, later }: HeldUpdatesParts) {
    this.#ydoc = ydoc
    ydoc.on('beforeTransaction', () => this.flush())
    // The next thing that Yjs does is to look whether somebody listens for updates.
    ydoc.on('afterTransactionCleanup', (transaction: Y.Transaction) => {
      this.flush()
      const observers = ydoc._observers.get('update')
      if (!observers || !transaction.local || !isMuch(transaction) || !mayWait()) return
      ydoc._observers.delete('update')
      this.#held = { transaction, observers }
      later(() => this.flush())
    })
  }

  /** What waits is told now; whether there was something. */
  flush(): boolean {
    const held = this.#held
    if (held === undefined) return false
    this.#held = undefined
    const since = this.#ydoc._observers.get('update') ?? []
    this.#ydoc._observers.set('update', new Set([...(held.observers ?? []), ...since]))
    const { transaction } = held
    this.#ydoc.emit('update', [updateOf(transaction), transaction.origin, this.#ydoc, transaction])
    return true
  }
}

function isMuch({ beforeState, afterState }: Y.Transaction): boolean {
  let count = 0
  for (const [client, clock] of afterState) count += clock - (beforeState.get(client) ?? 0)
  return count >= heldFromCount
}

/** As Yjs itself writes it, for which it has no name outside. */
function updateOf({ doc, beforeState, deleteSet }: Y.Transaction): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  const fresh = [...doc.store.clients].filter(
    ([client]) => Y.getState(doc.store, client) > (beforeState.get(client) ?? 0),
  )
  writeClients(encoder, fresh, ([client, structs]) => {
    const clock = Math.max(beforeState.get(client) ?? 0, structs[0]?.id.clock ?? 0)
    const start = Y.findIndexSS(structs, clock)
    encoding.writeVarUint(encoder.restEncoder, structs.length - start)
    encoder.writeClient(client)
    encoding.writeVarUint(encoder.restEncoder, clock)
    for (let index = start; index < structs.length; index++) {
      const struct = structs[index]
      struct?.write(encoder, index === start ? clock - struct.id.clock : 0)
    }
  })
  writeClients(encoder, [...deleteSet.clients], ([client, deleted]) => {
    encoder.resetDsCurVal()
    encoding.writeVarUint(encoder.restEncoder, client)
    encoding.writeVarUint(encoder.restEncoder, deleted.length)
    for (const { clock, len } of deleted) {
      encoder.writeDsClock(clock)
      encoder.writeDsLen(len)
    }
  })
  return encoder.toUint8Array()
}

/** From the highest down: what Yjs integrates first then has fewer conflicts. */
function writeClients<Of>(
  { restEncoder }: Y.UpdateEncoderV1,
  clients: readonly (readonly [number, Of])[],
  write: (client: readonly [number, Of]) => void,
): void {
  encoding.writeVarUint(restEncoder, clients.length)
  for (const client of [...clients].sort(([a], [b]) => b - a)) write(client)
}
