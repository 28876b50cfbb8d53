/** Writing a file so that after a crash it is there whole or not at all, and making directories. */
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * Makes the directory and those above it that are missing, with mode 0700. Node's own recursive way
 * never ends where the system says that a parent which is there is missing, as `/proc` does.
 */
export async function makeDirectory(path: string): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(path); !(await isDirectory(at)); at = dirname(at)) missing.push(at)
  for (const at of missing.reverse()) {
    await mkdir(at, { mode: 0o700 }).catch(async (error: unknown) => {
      if (!(await isDirectory(at))) throw error
    })
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

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

/** False: there is none. */
export async function copyFile(from: string, to: string): Promise<boolean> {
  const content = await readFile(from).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (content === undefined) return false
  await writeFileDurably(to, content, { temporary: `${to}.new`, mode: 0o600 })
  return true
}

/** Every file below a directory, which need not exist, into another. */
export async function copyFiles(from: string, to: string): Promise<void> {
  await makeDirectory(to)
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    const [here, there] = [join(from, entry.name), join(to, entry.name)]
    await (entry.isDirectory() ? copyFiles(here, there) : copyFile(here, there))
  }
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
