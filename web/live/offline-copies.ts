/**
 * Copies of documents that this browser keeps (IndexedDB), one for each document, actor and epoch:
 * the Yjs updates they consist of, and which changes in them the service has not acknowledged. Two
 * pages may keep the same copy: each only ever appends, and what they append commutes.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

export interface CopyName {
  readonly slug: string
  /** `nobody` for a browser without an account. */
  readonly actor: string
  readonly epoch: string
}

/** Changes of one client that the service has not acknowledged. */
export interface KeptChanges {
  readonly client: number
  /** Where the first of them begins. */
  readonly clock: number
  readonly count: number
}

export interface KeptCopy {
  readonly name: CopyName
  /** What this browser was on the document when it last heard. */
  readonly role: string
  readonly updates: readonly Uint8Array[]
  /** The rows of `updates`. */
  readonly rows: readonly number[]
  readonly unsaved: readonly (KeptChanges & { readonly row: number })[]
}

/** Where an addition stands. */
export interface AddedRows {
  readonly updates: readonly number[]
  readonly unsaved: readonly number[]
}

interface CopyRow extends CopyName {
  readonly role: string
  readonly usedAt: number
}

/** What a page adds to a copy in one go. */
export interface Addition {
  readonly role: string
  readonly updates: readonly Uint8Array[]
  readonly unsaved: readonly KeptChanges[]
}

const keyOf = ({ slug, actor, epoch }: CopyName): string => `${slug} ${actor} ${epoch}`

interface UpdateRow {
  readonly copy: string
  readonly update: Uint8Array
}

interface UnsavedRow extends KeptChanges {
  readonly copy: string
}

interface Kept extends DBSchema {
  copies: { key: string; value: CopyRow }
  updates: { key: number; value: UpdateRow; indexes: { copy: string } }
  unsaved: { key: number; value: UnsavedRow; indexes: { copy: string } }
}

/** A browser that keeps nothing may have no such thing, throw, or never answer. */
const openDatabase = async (): Promise<IDBPDatabase<Kept>> =>
  openDB<Kept>('scriptorium', 1, {
    upgrade(database) {
      database.createObjectStore('copies')
      for (const name of ['updates', 'unsaved'] as const) {
        database.createObjectStore(name, { autoIncrement: true }).createIndex('copy', 'copy')
      }
    },
  })

export class OfflineCopies {
  readonly #database: Promise<IDBPDatabase<Kept>>

  constructor() {
    this.#database = openDatabase()
    this.#database.catch(() => undefined)
  }

  /** The copy of this document that was used last. */
  async find(slug: string, actor: string): Promise<KeptCopy | undefined> {
    const transaction = (await this.#database).transaction(['copies', 'updates', 'unsaved'])
    const prefix = `${slug} ${actor} `
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
    const rows = await transaction.objectStore('copies').getAll(range)
    const newest = rows.sort((a, b) => b.usedAt - a.usedAt)[0]
    if (newest === undefined) return undefined
    const copy = keyOf(newest)
    const updateRows = transaction.objectStore('updates').index('copy')
    const unsavedRows = transaction.objectStore('unsaved').index('copy')
    const [updates, updateKeys, unsaved, unsavedKeys] = await Promise.all([
      updateRows.getAll(copy),
      updateRows.getAllKeys(copy),
      unsavedRows.getAll(copy),
      unsavedRows.getAllKeys(copy),
    ])
    return {
      name: { slug, actor, epoch: newest.epoch },
      role: newest.role,
      updates: updates.map(({ update }) => update),
      rows: updateKeys,
      unsaved: unsaved.map(({ client, clock, count }, index) => ({
        client,
        clock,
        count,
        row: unsavedKeys[index] ?? 0,
      })),
    }
  }

  /** Resolves once all of it is on this device. */
  async add(name: CopyName, { role, updates, unsaved }: Addition): Promise<AddedRows> {
    const copy = keyOf(name)
    const row: CopyRow = { ...name, role, usedAt: Date.now() }
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    const [updateStore, unsavedStore] = [
      transaction.objectStore('updates'),
      transaction.objectStore('unsaved'),
    ]
    const added = [
      Promise.all(updates.map((update) => updateStore.add({ copy, update }))),
      Promise.all(unsaved.map((changes) => unsavedStore.add({ copy, ...changes }))),
      transaction.objectStore('copies').put(row, copy),
      transaction.done,
    ] as const
    // Also when this page is about to end.
    transaction.commit()
    const [updateRows, unsavedRows] = await Promise.all(added)
    return { updates: updateRows, unsaved: unsavedRows }
  }

  /** The service has acknowledged what these rows tell of. */
  async settle(rows: readonly number[]): Promise<void> {
    const transaction = await this.#write('unsaved')
    const store = transaction.objectStore('unsaved')
    await Promise.all([...rows.map((row) => store.delete(row)), transaction.done])
  }

  /** Puts one update in the place of these rows, which it holds. Resolves with its row. */
  async compact(
    name: CopyName,
    { rows, update }: { readonly rows: readonly number[]; readonly update: Uint8Array },
  ): Promise<number> {
    const transaction = await this.#write('updates')
    const store = transaction.objectStore('updates')
    const deleted = rows.map((row) => store.delete(row))
    const add = store.add({ copy: keyOf(name), update })
    const [added] = await Promise.all([add, ...deleted, transaction.done])
    return added
  }

  /** What nobody wrote becomes the copy of the account that this browser took. */
  async rename(from: CopyName, to: CopyName): Promise<void> {
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    const copies = transaction.objectStore('copies')
    const row = await copies.get(keyOf(from))
    if (row !== undefined) {
      await copies.put({ ...row, ...to }, keyOf(to))
      await copies.delete(keyOf(from))
    }
    for (const name of ['updates', 'unsaved'] as const) {
      const index = transaction.objectStore(name).index('copy')
      for await (const cursor of index.iterate(keyOf(from))) {
        await cursor.update({ ...cursor.value, copy: keyOf(to) })
      }
    }
    await transaction.done
  }

  async drop(name: CopyName): Promise<void> {
    const copy = keyOf(name)
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    await transaction.objectStore('copies').delete(copy)
    for (const store of ['updates', 'unsaved'] as const) {
      const rows = transaction.objectStore(store)
      for (const key of await rows.index('copy').getAllKeys(copy)) await rows.delete(key)
    }
    await transaction.done
  }

  /** Every copy of this actor, as when it signs out. */
  async dropAllOf(actor: string): Promise<void> {
    const rows = await (await this.#database).getAll('copies')
    for (const row of rows) if (row.actor === actor) await this.drop(row)
  }

  async #write<Names extends ('copies' | 'updates' | 'unsaved')[]>(...stores: Names) {
    return (await this.#database).transaction(stores, 'readwrite')
  }
}
