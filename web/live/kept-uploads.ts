/**
 * Files that wait on this device to be sent (IndexedDB), for the account that brought them. One is
 * here from when it is brought until it stands in the text or is taken back, so that it survives a
 * reload. Which documents have any is marked beside (`marked-uploads.ts`).
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { markUploads } from './marked-uploads.ts'

export interface KeptUpload {
  readonly id: string
  readonly slug: string
  readonly actor: string
  readonly name: string
  readonly file: Blob
  /** Where it is to stand, as Yjs knows it (JSON of a relative position). */
  readonly place: unknown
  /** In the order in which they were brought. */
  readonly order: number
  /** It is at the service already, under this address. */
  readonly src?: string
}

interface Kept extends DBSchema {
  files: { key: string; value: KeptUpload; indexes: { slug: string; actor: string } }
}

/** A browser that keeps nothing may have no such thing, throw, or never answer. */
const openDatabase = async (): Promise<IDBPDatabase<Kept>> =>
  openDB<Kept>('scriptorium-uploads', 1, {
    upgrade(database) {
      const files = database.createObjectStore('files', { keyPath: 'id' })
      files.createIndex('slug', 'slug')
      files.createIndex('actor', 'actor')
    },
  })

export class KeptUploads {
  readonly #database: Promise<IDBPDatabase<Kept>>

  constructor() {
    this.#database = openDatabase()
    this.#database.catch(() => undefined)
  }

  async put(upload: KeptUpload): Promise<void> {
    await (await this.#database).put('files', upload)
    markUploads(upload.slug, true)
  }

  async drop({ id, slug }: Pick<KeptUpload, 'id' | 'slug'>): Promise<void> {
    const database = await this.#database
    await database.delete('files', id)
    markUploads(slug, (await database.countFromIndex('files', 'slug', slug)) > 0)
  }

  /** Those of one account in one document, in their order. */
  async of(slug: string, actor: string): Promise<readonly KeptUpload[]> {
    const all = await (await this.#database).getAllFromIndex('files', 'slug', slug)
    markUploads(slug, all.length > 0)
    return all.filter((one) => one.actor === actor).sort((a, b) => a.order - b.order)
  }

  async dropAllOf(actor: string): Promise<void> {
    const all = await (await this.#database).getAllFromIndex('files', 'actor', actor)
    for (const one of all) await this.drop(one)
  }
}
