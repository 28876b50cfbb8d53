/**
 * What a change of very much is written and told as waits until its frame is drawn. To write ten
 * thousand blocks into Yjs takes as long as to draw them; and Yjs writes an update down within the
 * change wherever somebody listens for updates, and to write, count, send and keep that is a good
 * part of what the change itself takes. **Invariant:** listeners hear each update, whole, in order,
 * and before anything else changes the document; what is written late is a change of its own, and
 * none comes before it.
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
  readonly #parts: HeldUpdatesParts
  #held: Held | undefined
  #unwritten: (() => void) | undefined

  constructor(ydoc: Y.Doc, { mayWait, later }: HeldUpdatesParts) {
    this.#ydoc = ydoc
    this.#parts = { mayWait, later }
    ydoc.on('beforeTransaction', (transaction: Y.Transaction) => {
      if (this.#unwritten !== undefined) before(transaction, () => this.#writeNow())
      this.flush()
    })
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

  /** Changes the document once the frame is drawn, or before whatever else would. */
  write(write: () => void): void {
    this.#writeNow()
    this.#unwritten = write
    if (!this.#parts.mayWait()) {
      this.#writeNow()
      return
    }
    this.#parts.later(() => {
      if (this.#unwritten === write) this.#writeNow()
    })
  }

  #writeNow(): boolean {
    const write = this.#unwritten
    this.#unwritten = undefined
    write?.()
    return write !== undefined
  }

  /** What waits is written and told now; whether there was something. */
  flush(): boolean {
    const isWritten = this.#writeNow()
    const held = this.#held
    if (held === undefined) return isWritten
    this.#held = undefined
    const since = this.#ydoc._observers.get('update') ?? []
    this.#ydoc._observers.set('update', new Set([...(held.observers ?? []), ...since]))
    const { transaction } = held
    this.#ydoc.emit('update', [updateOf(transaction), transaction.origin, this.#ydoc, transaction])
    return true
  }
}

/** Yjs has begun a change, in which nothing has happened yet: another is made before it. */
function before(begun: Y.Transaction, run: () => void): void {
  const { doc } = begun
  const open = doc._transactionCleanups
  doc._transaction = null
  doc._transactionCleanups = []
  try {
    run()
  } finally {
    doc._transaction = begun
    doc._transactionCleanups = open
    const clients = [...doc.store.clients.keys()]
    begun.beforeState = new Map(clients.map((client) => [client, Y.getState(doc.store, client)]))
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
