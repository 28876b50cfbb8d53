/**
 * Copies of documents that this browser keeps (IndexedDB), one for each document, actor and epoch:
 * the Yjs updates they consist of, and which changes in them the service has not acknowledged. Two
 * pages may keep the same copy: each only ever appends, and what they append commutes.
 */

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

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const done = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('scriptorium', 1)
  request.onupgradeneeded = () => {
    const database = request.result
    database.createObjectStore('copies')
    for (const name of ['updates', 'unsaved']) {
      database.createObjectStore(name, { autoIncrement: true }).createIndex('copy', 'copy')
    }
  }
  return result(request)
}

export class OfflineCopies {
  readonly #database: Promise<IDBDatabase>

  constructor() {
    this.#database = openDatabase()
    this.#database.catch(() => undefined)
  }

  /** The copy of this document that was used last. */
  async find(slug: string, actor: string): Promise<KeptCopy | undefined> {
    const transaction = (await this.#database).transaction(['copies', 'updates', 'unsaved'])
    const prefix = `${slug} ${actor} `
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
    const rows: CopyRow[] = await result(transaction.objectStore('copies').getAll(range))
    const newest = rows.sort((a, b) => b.usedAt - a.usedAt)[0]
    if (newest === undefined) return undefined
    const copy = keyOf(newest)
    const rowsIn = (store: string) => transaction.objectStore(store).index('copy')
    const [updates, updateKeys, unsaved, unsavedKeys] = await Promise.all([
      result(rowsIn('updates').getAll(copy)),
      result(rowsIn('updates').getAllKeys(copy)),
      result(rowsIn('unsaved').getAll(copy)),
      result(rowsIn('unsaved').getAllKeys(copy)),
    ])
    return {
      name: { slug, actor, epoch: newest.epoch },
      role: newest.role,
      updates: (updates as { update: Uint8Array }[]).map(({ update }) => update),
      rows: updateKeys.map(Number),
      unsaved: (unsaved as KeptChanges[]).map(({ client, clock, count }, index) => ({
        client,
        clock,
        count,
        row: Number(unsavedKeys[index]),
      })),
    }
  }

  /** Resolves once all of it is on this device. */
  async add(name: CopyName, { role, updates, unsaved }: Addition): Promise<AddedRows> {
    const copy = keyOf(name)
    const row: CopyRow = { ...name, role, usedAt: Date.now() }
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    const insert = (store: string, value: object) =>
      result(transaction.objectStore(store).add({ copy, ...value }))
    transaction.objectStore('copies').put(row, copy)
    const rows = [
      Promise.all(updates.map((update) => insert('updates', { update }))),
      Promise.all(unsaved.map((changes) => insert('unsaved', changes))),
    ] as const
    // Also when this page is about to end.
    transaction.commit()
    const [updateRows, unsavedRows] = await Promise.all([...rows, done(transaction)])
    return { updates: updateRows.map(Number), unsaved: unsavedRows.map(Number) }
  }

  /** The service has acknowledged what these rows tell of. */
  async settle(rows: readonly number[]): Promise<void> {
    const transaction = await this.#write('unsaved')
    for (const row of rows) transaction.objectStore('unsaved').delete(row)
    await done(transaction)
  }

  /** Puts one update in the place of these rows, which it holds. Resolves with its row. */
  async compact(
    name: CopyName,
    { rows, update }: { readonly rows: readonly number[]; readonly update: Uint8Array },
  ): Promise<number> {
    const transaction = await this.#write('updates')
    const store = transaction.objectStore('updates')
    for (const row of rows) store.delete(row)
    const [added] = await Promise.all([
      result(store.add({ copy: keyOf(name), update })),
      done(transaction),
    ])
    return Number(added)
  }

  /** What nobody wrote becomes the copy of the account that this browser took. */
  async rename(from: CopyName, to: CopyName): Promise<void> {
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    const copies = transaction.objectStore('copies')
    const row: CopyRow | undefined = await result(copies.get(keyOf(from)))
    if (row !== undefined) {
      copies.put({ ...row, ...to }, keyOf(to))
      copies.delete(keyOf(from))
    }
    for (const name of ['updates', 'unsaved']) {
      const store = transaction.objectStore(name)
      const keys = await result(store.index('copy').getAllKeys(keyOf(from)))
      for (const key of keys) {
        const value: object = await result(store.get(key))
        store.put({ ...value, copy: keyOf(to) }, key)
      }
    }
    await done(transaction)
  }

  async drop(name: CopyName): Promise<void> {
    const copy = keyOf(name)
    const transaction = await this.#write('copies', 'updates', 'unsaved')
    transaction.objectStore('copies').delete(copy)
    for (const store of ['updates', 'unsaved']) {
      const rows = transaction.objectStore(store)
      const keys = await result(rows.index('copy').getAllKeys(copy))
      for (const key of keys) rows.delete(key)
    }
    await done(transaction)
  }

  /** Every copy of this actor, as when it signs out. */
  async dropAllOf(actor: string): Promise<void> {
    const transaction = (await this.#database).transaction('copies')
    const rows: CopyRow[] = await result(transaction.objectStore('copies').getAll())
    for (const row of rows) if (row.actor === actor) await this.drop(row)
  }

  async #write(...stores: string[]): Promise<IDBTransaction> {
    return (await this.#database).transaction(stores, 'readwrite')
  }
}
