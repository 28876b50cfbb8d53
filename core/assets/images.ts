/**
 * Images of documents (interface §4.8, extensions §11): a record beside the document, its bytes a
 * blob without what a camera wrote into it. They last until they are deleted or the document is.
 * Nothing is decoded.
 */

import type { Blob } from '../../persistence/blob-store.ts'
import { blobReference, imageKey } from '../../persistence/keys.ts'
import type { ScratchFile } from '../../persistence/scratch-file.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Permission } from '../commit/permission.ts'
import { type ImageRecord, readRecord, records } from '../records/records.ts'
import type { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import { commitUpload } from './commits.ts'
import type { KeptBlobs } from './kept-blobs.ts'
import { keptPartsOf, type PictureType, pictureTypes } from './pictures/picture.ts'
import { keptBytes } from './pictures/plan.ts'
import { count } from './totals.ts'

export interface ImagesParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly blobs: KeptBlobs
  readonly writing: ConcurrencyLimit
}

export interface NewImage {
  readonly type: PictureType
  readonly file: ScratchFile
  readonly actor: ActorId
  readonly permission: Permission | undefined
  readonly attached?: AttachedRecords<ImageRecord>
}

export class Images {
  readonly #parts: ImagesParts

  constructor(parts: ImagesParts) {
    this.#parts = parts
  }

  /** Refuses UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, LIMIT_REACHED. */
  add(slug: Slug, image: NewImage): Promise<ImageRecord> {
    return this.#parts.writing.run(() => this.#add(slug, image))
  }

  #add(slug: Slug, { type, file, actor, permission, attached }: NewImage): Promise<ImageRecord> {
    const { store, runtime, blobs } = this.#parts
    const id = `img_${randomName(runtime, 20)}`
    return blobs.keep(keptPicture(type, file), (blob) => {
      const image = { id, blob: blob.id, size: blob.size, type, actor, createdAt: runtime.now() }
      return commitUpload(store, { slug, permission, attached }, async (plan) => {
        await count(plan, slug, { images: 1, imageBytes: image.size })
        plan.write(imageKey(slug, id), records.image, image)
        await blob.refer(plan, slug, id)
        return image
      })
    })
  }

  /** Refuses NOT_FOUND. */
  async find(slug: Slug, id: string): Promise<ImageRecord> {
    const found = isImageId(id)
      ? await readRecord(this.#parts.store, imageKey(slug, id), records.image)
      : undefined
    if (found === undefined) throw new Refusal('NOT_FOUND')
    return found.record
  }

  async has(slug: Slug, id: string): Promise<boolean> {
    if (!isImageId(id)) return false
    const found = await readRecord(this.#parts.store, imageKey(slug, id), records.image)
    return found !== undefined
  }

  /** Its bytes; throws `StoreDamage` where they are not what was stored. */
  open(image: ImageRecord): Promise<Blob> {
    return this.#parts.blobs.open(image.blob)
  }

  /** Refuses NOT_FOUND. */
  async delete(slug: Slug, id: string, permission: Permission | undefined): Promise<void> {
    const { store, blobs } = this.#parts
    if (!isImageId(id)) throw new Refusal('NOT_FOUND')
    const blob = await commitUpload(store, { slug, permission }, async (plan) => {
      const image = await plan.read(imageKey(slug, id), records.image)
      if (image === undefined) throw new Refusal('NOT_FOUND')
      await count(plan, slug, { images: -1, imageBytes: -image.size })
      plan.delete(imageKey(slug, id), blobReference(image.blob, slug, id))
      return image.blob
    })
    await blobs.release([blob])
  }
}

const isImageId = (id: string): boolean => /^img_[0-9a-z]{20}$/.test(id)

/** What is kept of the picture in `file`. Refuses UNSUPPORTED_MEDIA_TYPE: it is none. */
export async function* keptPicture(
  type: PictureType,
  file: ScratchFile,
): AsyncGenerator<Uint8Array> {
  const parts = await keptPartsOf(type, file)
  if (parts === undefined) {
    const name = type.replace('image/', '').toUpperCase()
    const message = `The body is not a valid ${name} image.`
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { accepted: pictureTypes }, message)
  }
  yield* keptBytes(file, parts)
}
