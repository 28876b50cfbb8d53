/** Writing a file so that after a crash it is there whole or not at all. */
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the names in a directory durable: files made, renamed or removed there. */
export async function syncDirectory(directory: string): Promise<void> {
  await withFile(await open(directory, 'r'), (handle) => handle.sync())
}

/**
 * Writes `temporary`, fsyncs it, renames it to `path` (same directory) and fsyncs the directory.
 */
export async function writeFileDurably(
  path: string,
  bytes: Uint8Array,
  options: { readonly temporary: string; readonly mode?: number },
): Promise<void> {
  await withFile(await open(options.temporary, 'w', options.mode ?? 0o600), async (handle) => {
    await handle.writeFile(bytes)
    await handle.sync()
  })
  await rename(options.temporary, path)
  await syncDirectory(dirname(path))
}

export async function removeFileDurably(path: string): Promise<void> {
  await unlink(path)
  await syncDirectory(dirname(path))
}

async function withFile(handle: FileHandle, use: (handle: FileHandle) => Promise<void>) {
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}

/** Whether a file operation failed because there is no such file. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
