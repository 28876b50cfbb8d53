/**
 * Blobs and the records that refer to them: a blob is durable before the record that names it, and
 * goes when the last such record has gone. Who keeps and who releases the same content wait for
 * each other. What a crash left without a record is found by a look at all of them, at the start.
 */
import type { BlobId } from '../../persistence/blob-pieces.ts'
import { compareBlobs, isReferred } from '../../persistence/blob-references.ts'
import type { Blob, BlobStore, NewBlob } from '../../persistence/blob-store.ts'
import { type Store, StoreDamage } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { Lines } from '../turns/lines.ts'

export interface KeptBlob {
  readonly id: BlobId
  readonly size: number
}

export class KeptBlobs {
  readonly #store: Store
  readonly #blobs: BlobStore
  readonly #lines = new Lines(limits.blobLineMax)
  /** So many copy all that is there. */
  #copying = 0

  constructor(store: Store, blobs: BlobStore) {
    this.#store = store
    this.#blobs = blobs
  }

  create(): Promise<NewBlob> {
    return this.#blobs.create()
  }

  /** Throws `StoreDamage` where it is not there, or not what it was. */
  async open(id: string): Promise<Blob> {
    const blob = await this.#blobs.open(id as BlobId)
    if (blob === undefined) throw new StoreDamage(`blob ${id}`, 'it is missing')
    return blob
  }

  /**
   * Makes the blob durable, then its record by `record`; where that is refused nothing stays. Where
   * it failed otherwise nobody knows what is on disk, and the next start finds out.
   */
  async keep<T>(fresh: NewBlob, record: (blob: KeptBlob) => Promise<T>): Promise<T> {
    const blob = await fresh.finish()
    try {
      return await this.#lines.run(blob.id, async () => {
        await fresh.publish()
        return record(blob)
      })
    } catch (error) {
      if (error instanceof Refusal) await this.release([blob.id])
      throw error
    }
  }

  /** Those that no record refers to any more go. */
  async release(ids: Iterable<string>): Promise<void> {
    for (const id of new Set(ids)) {
      if (this.#copying > 0) return
      await this.#lines.run(id, async () => {
        if (!(await isReferred(this.#store, id as BlobId))) await this.#blobs.delete(id as BlobId)
      })
    }
  }

  /**
   * Deletes what no record refers to; answers how many. Where the store cannot tell, nothing from
   * there on goes.
   */
  async sweep(): Promise<number> {
    let gone = 0
    try {
      for await (const { id, problem } of compareBlobs(this.#store, this.#blobs)) {
        if (problem !== 'unreferenced') continue
        await this.release([id])
        gone += 1
      }
    } catch (error) {
      if (!(error instanceof StoreDamage)) throw error
    }
    return gone
  }

  /** While this runs no blob goes; what could have gone does so afterwards. */
  async whileCopied<T>(copy: () => Promise<T>): Promise<T> {
    this.#copying += 1
    try {
      return await copy()
    } finally {
      this.#copying -= 1
      await this.sweep()
    }
  }
}
