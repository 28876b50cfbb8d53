/**
 * Writes one copy to this device while it is edited: at once while the service cannot be reached,
 * in batches while it can. **Invariant:** a change is on this device before the changes made after
 * it. A browser that keeps nothing (private windows, a full disk) makes the copy `failed`; the page
 * says so and goes on.
 */
import * as Y from 'yjs'
import { grouped } from './grouped-updates.ts'
import type { AddedRows, CopyName, KeptChanges, KeptCopy, OfflineCopies } from './offline-copies.ts'
import type { Change } from './unsaved.ts'

interface Entry extends KeptChanges {
  /** How many of them the service has acknowledged. */
  settled: number
  /** Where it stands on this device; `undefined`: nowhere yet. */
  row: number | 'on its way' | undefined
}

export interface OfflineWriterParts {
  readonly copies: OfflineCopies
  readonly ydoc: Y.Doc
  role(): string
  /** Whether what is made now would be lost with the page. */
  isUrgent(): boolean
  /** More of it is on this device. */
  onWritten(): void
  onFailed(): void
}

const batchMs = 1_000
const compactAfterRows = 200
/** Of a row that is put together: changes of a whole long document are not worth the time. */
const rowMaxBytes = 64 * 1024

export class OfflineWriter {
  #name: CopyName
  readonly #parts: OfflineWriterParts
  #updates: Uint8Array[] = []
  /** Oldest first. */
  #entries: Entry[] = []
  #rows: number[]
  #role: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #order: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(name: CopyName, parts: OfflineWriterParts, kept?: KeptCopy) {
    this.#name = name
    this.#parts = parts
    this.#rows = [...(kept?.rows ?? [])]
    this.#role = kept?.role
    for (const { client, clock, count, row } of kept?.unsaved ?? []) {
      this.#entries.push({ client, clock, count, row, settled: 0 })
    }
  }

  get name(): CopyName {
    return this.#name
  }

  /** How many of the changes without acknowledgement are on this device, the oldest first. */
  get kept(): number {
    const isWritten = ({ row }: Entry) => typeof row === 'number'
    const first = this.#entries.findIndex((entry) => !isWritten(entry))
    const written = first < 0 ? this.#entries : this.#entries.slice(0, first)
    return written.reduce((sum, { count, settled }) => sum + count - settled, 0)
  }

  /** An update of the copy, and the change of ours that it is, if it is one. */
  keep(update: Uint8Array, changes: readonly Change[]): void {
    this.#updates.push(update)
    for (const { client, clock } of changes) this.#note(client, clock)
    if (this.#parts.isUrgent() && changes.length > 0) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), batchMs)
  }

  /** The service has acknowledged the oldest changes, this many. */
  acknowledged(count: number): void {
    let left = count
    for (const entry of this.#entries) {
      const taken = Math.min(left, entry.count - entry.settled)
      entry.settled += taken
      left -= taken
      if (left === 0) break
    }
    this.#settleRows()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#updates.length === 0) return
    const updates = [...grouped(this.#updates, rowMaxBytes)]
    this.#updates = []
    const entries = this.#entries.filter((entry) => entry.row === undefined)
    for (const entry of entries) entry.row = 'on its way'
    this.#enqueue(async () => {
      const unsaved = entries.map(({ client, clock, count, settled }) => ({
        client,
        clock,
        count: count - settled,
      }))
      const addition = { role: this.#parts.role(), updates, unsaved }
      this.#placed(entries, await this.#parts.copies.add(this.#name, addition))
    })
  }

  /** The role is another one: what is opened without the service must not allow what it was. */
  noteRole(): void {
    const role = this.#parts.role()
    if (role === this.#role) return
    this.#role = role
    this.#enqueue(async () => {
      await this.#parts.copies.add(this.#name, { role, updates: [], unsaved: [] })
    })
  }

  /** The copy is another actor's from now on. */
  rename(name: CopyName): void {
    this.flush()
    const from = this.#name
    this.#name = name
    this.#enqueue(() => this.#parts.copies.rename(from, name))
  }

  /** Nothing more is written; what is under way gets done. */
  close(): void {
    this.flush()
    this.#isOver = true
  }

  /** The copy is taken off this device; resolves when it is gone. */
  drop(): Promise<void> {
    this.#updates = []
    this.close()
    this.#order = this.#order.then(() => this.#parts.copies.drop(this.#name)).catch(() => undefined)
    return this.#order
  }

  #note(client: number, clock: number): void {
    const last = this.#entries.at(-1)
    if (last !== undefined && last.row === undefined && last.client === client) {
      this.#entries[this.#entries.length - 1] = { ...last, count: last.count + 1 }
    } else this.#entries.push({ client, clock, count: 1, settled: 0, row: undefined })
  }

  #settleRows(): void {
    const isOver = ({ row, settled, count }: Entry) => settled === count && row !== 'on its way'
    const rows = this.#entries
      .filter(isOver)
      .flatMap(({ row }) => (Number.isInteger(row) ? [Number(row)] : []))
    if (rows.length > 0) this.#enqueue(() => this.#parts.copies.settle(rows))
    this.#entries = this.#entries.filter((entry) => !isOver(entry))
  }

  #placed(entries: readonly Entry[], { updates, unsaved }: AddedRows): void {
    this.#rows.push(...updates)
    for (const [index, entry] of entries.entries()) entry.row = unsaved[index]
    this.#settleRows()
    this.#parts.onWritten()
    if (this.#rows.length > compactAfterRows) this.#compact()
  }

  #compact(): void {
    const rows = this.#rows
    this.#rows = []
    const { copies, ydoc } = this.#parts
    this.#enqueue(async () => {
      const update = Y.encodeStateAsUpdate(ydoc)
      this.#rows.push(await copies.compact(this.#name, { rows, update }))
    })
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#isOver) return
    this.#order = this.#order.then(write).catch(() => {
      this.#isOver = true
      this.#parts.onFailed()
    })
  }
}
