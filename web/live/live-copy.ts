/**
 * One copy of the document in this page: the Y.Doc, its way to the service, what of it is not saved
 * yet, and the same copy on this device. A copy that the service refused is put away whole and
 * another takes its place, so nothing in here ever starts over.
 */
import type { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { fragmentName } from '../../schema/document-schema.ts'
import { tidyAfter } from '../../schema/yjs/tidy-formats.ts'
import { clockBefore } from '../internals/transaction-writes.ts'
import { Connection } from './connection.ts'
import type { Hello, LiveEvent } from './event-socket.ts'
import type { CopyName, KeptCopy, OfflineCopies } from './offline-copies.ts'
import { OfflineWriter } from './offline-writer.ts'
import { UnacknowledgedUpdates } from './unacknowledged-updates.ts'
import { Unsaved } from './unsaved.ts'

/** The copy that is being edited. A copy that the service refused gives way to a fresh one. */
export interface Copy {
  readonly ydoc: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly awareness: WebsocketProvider['awareness']
}

export interface LiveCopyParts {
  readonly slug: string
  readonly copies: OfflineCopies | undefined
  role(): string
  onHello(hello: Hello): boolean
  onEvent(event: LiveEvent): void
  mayWrite(): boolean
  onSynced(): void
  onRefused(code: number, reason: string): void
  onNotOpened(): Promise<boolean>
  /** What is unsaved, how the page stands to the service, or what is kept has changed. */
  onChanged(): void
}

export class LiveCopy implements Copy {
  readonly ydoc = new Y.Doc()
  readonly fragment: Y.XmlFragment
  readonly connection: Connection
  readonly unsaved = new Unsaved()
  readonly #pending = new UnacknowledgedUpdates()
  #writer: OfflineWriter | undefined
  #writingFailed = false
  #name: CopyName | undefined
  readonly #parts: LiveCopyParts
  readonly #keptOrigin = {}

  constructor(parts: LiveCopyParts) {
    this.#parts = parts
    this.fragment = this.ydoc.getXmlFragment(fragmentName)
    this.ydoc.on('afterTransaction', tidyAfter)
    // Before the provider listens: a change is counted before it is sent.
    this.ydoc.on('update', (update, origin, _, transaction) => {
      this.#onUpdate(update, origin, transaction)
    })
    this.connection = new Connection({
      ...parts,
      ydoc: this.ydoc,
      have: () => this.#have(),
      onOpen: () => this.unsaved.opened(),
      made: () => this.unsaved.made,
      onUpdateSent: (made) => this.unsaved.sent(made),
      piecesOf: (answer, slice) => this.#pending.piecesOf(answer, slice),
      onPieceSent: () => this.unsaved.sentPiece(),
      onEvent: (event) => this.#onEvent(event),
    })
    this.connection.link.subscribe(() => {
      if (this.connection.link.get() !== 'synced') this.#writer?.flush()
      parts.onChanged()
    })
  }

  get awareness(): WebsocketProvider['awareness'] {
    return this.connection.provider.awareness
  }

  /** How many of the unsaved changes this device has written, the oldest first. */
  get kept(): number {
    return this.#writer?.kept ?? 0
  }

  /** Whether this device has all that the service has not. */
  get isKept(): boolean {
    return this.kept === this.unsaved.count
  }

  /** This device writes what is changed. */
  get canKeep(): boolean {
    return this.#writer !== undefined && !this.#writingFailed
  }

  /** Whose copy this is; `undefined` until that is known. */
  get actor(): string | undefined {
    return this.#name?.actor
  }

  /** Takes up what this device kept. */
  load(kept: KeptCopy): void {
    for (const { client, clock, count } of kept.unsaved) {
      for (let left = count; left > 0; left--) this.unsaved.add({ client, clock, at: -Infinity })
    }
    this.#pending.load(kept.updates, this.unsaved.count)
    this.ydoc.transact(() => {
      for (const update of kept.updates) Y.applyUpdate(this.ydoc, update, this.#keptOrigin)
    }, this.#keptOrigin)
    this.#name = kept.name
    this.connection.epoch = kept.name.epoch
    this.#keep(kept.name, kept)
  }

  /** Whose copy this is, and of which life of the service's data. */
  belongsTo(name: CopyName): void {
    this.#name = name
    this.connection.epoch = name.epoch
    const writer = this.#writer
    if (writer !== undefined && writer.name.actor !== name.actor) writer.rename(name)
    writer?.noteRole()
  }

  /** From now on the copy, whole by now, is kept on this device. */
  keep(): void {
    if (this.#writer !== undefined || this.#name === undefined) return
    const writer = this.#keep(this.#name)
    writer?.keep(Y.encodeStateAsUpdate(this.ydoc), this.unsaved.changes)
    writer?.flush()
  }

  flush(): void {
    this.#writer?.flush()
  }

  /** Ends the connection; the text stays readable. */
  disconnect(): void {
    this.connection.close()
    this.#writer?.close()
  }

  /** Takes the copy off this device; resolves when it is gone. */
  async forget(): Promise<void> {
    await this.#writer?.drop()
  }

  destroy(): void {
    this.disconnect()
    this.ydoc.destroy()
  }

  #keep(name: CopyName, kept?: KeptCopy): OfflineWriter | undefined {
    const { copies, role, onChanged } = this.#parts
    if (copies === undefined) return undefined
    const writer = new OfflineWriter(
      name,
      {
        copies,
        ydoc: this.ydoc,
        role,
        isUrgent: () => this.connection.link.get() !== 'synced',
        onWritten: onChanged,
        onFailed: () => {
          this.#writingFailed = true
          onChanged()
        },
      },
      kept,
    )
    this.#writer = writer
    return writer
  }

  /** What is not saved may be missing there. */
  #have(): Uint8Array {
    const clocks = Y.decodeStateVector(Y.encodeStateVector(this.ydoc))
    for (const [client, clock] of this.unsaved.starts()) {
      clocks.set(client, Math.min(clock, clocks.get(client) ?? 0))
    }
    return Y.encodeStateVector(clocks)
  }

  #onUpdate(update: Uint8Array, origin: unknown, transaction: Y.Transaction): void {
    if (origin === this.#keptOrigin) return
    if (origin === this.connection.provider) {
      this.#writer?.keep(update, [])
      return
    }
    const client = this.ydoc.clientID
    const clock = clockBefore(transaction, client)
    const change = { client, clock, at: performance.now() }
    this.unsaved.add(change)
    this.#pending.add(update)
    this.#writer?.keep(update, [change])
    this.#parts.onChanged()
  }

  #onEvent(event: LiveEvent): void {
    if (event.type === 'event' && event.event === 'saved') {
      const { updates } = event.data as { readonly updates: number }
      const count = this.unsaved.acknowledged(updates)
      if (count > 0) this.#writer?.acknowledged(count)
      this.#pending.acknowledged(count)
      this.#parts.onChanged()
    }
    this.#parts.onEvent(event)
  }
}
