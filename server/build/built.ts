/**
 * What this repository builds, and whether what was built is still what its sources say: beside
 * each build lies the hash of all that it was built from.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const output = join(root, 'dist')

export interface Built {
  /** From the root of the repository; all of their files count. */
  readonly folders: readonly string[]
  readonly stamp: string
}

/** The browser page. */
export const page: Built = {
  folders: ['web', 'schema', 'server/build'],
  stamp: join(output, 'web/.sources'),
}

/** The service and its commands. */
export const service: Built = {
  folders: ['server', 'rest', 'core', 'persistence', 'schema'],
  stamp: join(output, '.sources'),
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Over the sources and the lock file. */
export function sourcesHash({ folders }: Built): string {
  const hash = createHash('sha256')
  const files = [...folders.flatMap(filesOf), join(root, 'package-lock.json')]
  for (const file of files.sort()) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

export function isCurrent(built: Built): boolean {
  try {
    return readFileSync(built.stamp, 'utf8') === sourcesHash(built)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** `hash` is of the sources as they were before the build, so that no later change goes unseen. */
export function putStamp({ stamp }: Built, hash: string): void {
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
