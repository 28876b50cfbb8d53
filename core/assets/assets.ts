/**
 * What is uploaded to documents, opened together: images, artifacts and their blobs, and what
 * bounds how much is received and written at once.
 */
import type { BlobStore } from '../../persistence/blob-store.ts'
import type { ScratchFile } from '../../persistence/scratch-file.ts'
import type { Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import { Artifacts, type Normalize } from './artifacts.ts'
import { FreeSpace } from './free-space.ts'
import { Images } from './images.ts'
import { KeptBlobs } from './kept-blobs.ts'
import { UploadSlots } from './upload-slots.ts'

export interface Assets {
  readonly images: Images
  readonly artifacts: Artifacts
  readonly blobs: KeptBlobs
  readonly space: FreeSpace
  readonly places: UploadSlots
  /** What is being written to the disk: few at once. */
  readonly writing: ConcurrencyLimit
  /** Where an upload goes as it comes. */
  scratch(): Promise<ScratchFile>
}

/** What a crash left of blobs that no record refers to is gone when this resolves. */
export async function openAssets(given: {
  readonly store: Store
  readonly blobs: BlobStore
  readonly runtime: Runtime
  /** Below this nothing new is taken; 0 is no bound. */
  readonly minFreeBytes: number
  /** How much the disk has free now. */
  readonly freeBytes: () => Promise<number>
  /** Whether the disk takes no write at all. */
  readonly isFull?: (() => boolean) | undefined
  readonly normalize: Normalize
}): Promise<Assets> {
  const { store, runtime } = given
  const blobs = new KeptBlobs(store, given.blobs)
  await blobs.sweep()
  const writing = new ConcurrencyLimit(runtime, limits.uploadWritesAtOnce)
  const shared = { store, runtime, blobs, writing }
  return {
    images: new Images(shared),
    artifacts: new Artifacts({ ...shared, normalize: given.normalize }),
    blobs,
    space: new FreeSpace(given),
    places: new UploadSlots(runtime),
    writing,
    scratch: () => given.blobs.scratch(),
  }
}
