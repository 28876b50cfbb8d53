/**
 * What an open document has applied in memory and not yet stored: one store commit in the making.
 * Everything of it becomes durable at once or not at all; nothing of it has been shown to anyone.
 */
import type { Check } from '../../persistence/store.ts'
import type { DocumentFacts, DocumentFlags } from './facts.ts'
import type { HistoryRow } from './history-row.ts'
import type { QueuedUpdate, SavedCount } from './live-update.ts'
import type { HeldPermission } from './permission.ts'

/** Records beside the document's own that must be stored exactly when the write is. */
export interface Extras {
  readonly checks: readonly Check[]
  /** What lets its writer write it. */
  readonly permission?: HeldPermission | undefined
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
  readonly deletes?: readonly string[]
}

export interface ViewRecords {
  readonly format: number
  readonly view: Uint8Array
  /** The threads that few reads need; undefined: there are no others. */
  readonly far: Uint8Array | undefined
}

export class PendingCommit {
  readonly updates: Uint8Array[] = []
  #updateBytes = 0
  readonly rows = new Map<number, HistoryRow>()
  /** Records beside log, head and history, by key. */
  readonly puts = new Map<string, Uint8Array>()
  readonly deletes = new Set<string>()
  /** What else must hold for this commit, beside the document's own head and its permissions. */
  readonly checks: Check[] = []
  /** What lets those write whose writes are in it. */
  readonly permissions = new Set<HeldPermission>()
  /** The live updates that are in it. */
  readonly entries: QueuedUpdate[] = []
  /** What is set of the head's small facts. */
  facts: Partial<DocumentFlags & Pick<DocumentFacts, 'life'>> = {}
  readonly settled = new Map<SavedCount, number>()
  /** Write a snapshot in place of the log. */
  compact = false
  /** The authors of a revision that is stored, whole. */
  authors: { readonly revision: number; readonly value: Uint8Array } | undefined
  /** Texts of earlier revisions that are to be stored whole, in UTF-8. */
  readonly texts = new Map<number, Uint8Array>()
  /** What plain reads are told of the document as this commit leaves it. */
  view: ViewRecords | undefined

  get isEmpty(): boolean {
    const records = this.puts.size + this.deletes.size + this.rows.size
    return this.updates.length + records === 0 && !this.compact && !this.view && !this.authors
  }

  get updateBytes(): number {
    return this.#updateBytes
  }

  addUpdates(updates: readonly Uint8Array[]): void {
    this.updates.push(...updates)
    for (const { length } of updates) this.#updateBytes += length
  }

  put(key: string, value: Uint8Array): void {
    this.deletes.delete(key)
    this.puts.set(key, value)
  }

  delete(key: string): void {
    this.puts.delete(key)
    this.deletes.add(key)
  }

  addExtras({ checks, puts, permission, deletes = [] }: Extras): void {
    this.checks.push(...checks)
    if (permission !== undefined) this.permissions.add(permission)
    for (const { key, value } of puts) this.put(key, value)
    for (const key of deletes) this.delete(key)
  }

  settle(session: SavedCount, count: number): void {
    this.settled.set(session, (this.settled.get(session) ?? 0) + count)
  }
}
