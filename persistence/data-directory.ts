/** Where things lie in the service's data directory, and therefore in a backup of it. */
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface DataPaths {
  readonly store: string
  readonly blobs: string
  /** The service's own key, mode 0600; absent when the key comes from the environment. */
  readonly key: string
  /** The documents that were deleted for good: an older backup may have them. */
  readonly purged: string
}

export const dataPaths = (directory: string): DataPaths => ({
  store: join(directory, 'store'),
  blobs: join(directory, 'blobs'),
  key: join(directory, 'secret-key'),
  purged: join(directory, 'purged'),
})

/** What the disk of this directory has room for. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
