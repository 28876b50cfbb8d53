/**
 * Blobs and the records that refer to them: a blob is durable before the record that names it, and
 * goes when the last such record has gone. Who keeps and who releases the same content wait for
 * each other; where other nodes do so too, the record is stored on the condition that the blob is
 * there. What a crash left without a record is found by a look at all of them, at the start.
 */
import type { BlobId } from '../../persistence/blob-pieces.ts'
import { compareBlobs, isReferred } from '../../persistence/blob-references.ts'
import type { Blob, BlobStore, NewBlob } from '../../persistence/blob-store.ts'
import { blobReference } from '../../persistence/keys.ts'
import { type Check, type Store, StoreDamage } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { KeyedQueue } from '../turns/keyed-queue.ts'

export interface KeptBlob {
  readonly id: BlobId
  readonly size: number
  /**
   * Plans that a record has the blob. Where another node has deleted it meanwhile, the plan fails
   * and is made anew, and then the blob is published again.
   */
  refer(plan: RecordPlan, slug: Slug, recordId: string): Promise<void>
}

export class KeptBlobs {
  readonly #store: Store
  readonly #blobs: BlobStore
  readonly #lines = new KeyedQueue(limits.blobLineMax)
  /** So many copy all that is there. */
  #copying = 0

  constructor(store: Store, blobs: BlobStore) {
    this.#store = store
    this.#blobs = blobs
  }

  /** Throws `StoreDamage` where it is not there, or not what it was. */
  async open(id: string): Promise<Blob> {
    const blob = await this.#blobs.open(id as BlobId)
    if (blob === undefined) throw new StoreDamage(`blob ${id}`, 'it is missing')
    return blob
  }

  /**
   * Makes a blob of these bytes durable, then its record by `record`; where that is refused nothing
   * stays. Where it failed otherwise nobody knows what is on disk, and the next start finds out.
   */
  async keep<T>(
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    record: (blob: KeptBlob) => Promise<T>,
  ): Promise<T> {
    const fresh = await this.#blobs.create()
    try {
      for await (const piece of bytes) await fresh.add(piece)
      return await this.#publish(fresh, record)
    } finally {
      await fresh.discard()
    }
  }

  async #publish<T>(fresh: NewBlob, record: (blob: KeptBlob) => Promise<T>): Promise<T> {
    const { id, size } = await fresh.finish()
    const refer = async (plan: RecordPlan, slug: Slug, recordId: string) => {
      plan.restOn(await this.#presence(id, fresh))
      plan.put([{ key: blobReference(id, slug, recordId), value: new Uint8Array() }])
    }
    try {
      return await this.#lines.run(id, async () => {
        await fresh.publish()
        return record({ id, size, refer })
      })
    } catch (error) {
      if (error instanceof Refusal) await this.release([id])
      throw error
    }
  }

  /** What a commit that refers to the blob checks; published again where it has gone. */
  async #presence(id: BlobId, fresh: NewBlob): Promise<readonly Check[]> {
    if (this.#blobs.presence === undefined) return []
    for (;;) {
      const check = await this.#blobs.presence(id)
      if (check !== undefined) return [check]
      await fresh.publish()
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
