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

/**
 * @typedef {object} Built
 * @property {readonly string[]} folders From the root of the repository; all of their files count.
 * @property {string} stamp
 */

/**
 * The browser page.
 * @type {Built}
 */
export const page = {
  folders: ['web', 'schema', 'server/build'],
  stamp: join(output, 'web/.sources'),
}

/**
 * The service and its commands.
 * @type {Built}
 */
export const service = {
  folders: ['server', 'rest', 'core', 'persistence', 'schema'],
  stamp: join(output, '.sources'),
}

/** @param {string} folder */
function filesOf(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/**
 * Over the sources and the lock file.
 * @param {Built} built
 */
export function sourcesHash({ folders }) {
  const hash = createHash('sha256')
  const files = [...folders.flatMap(filesOf), join(root, 'package-lock.json')]
  for (const file of files.sort()) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** @param {Built} built */
export function isCurrent(built) {
  try {
    return readFileSync(built.stamp, 'utf8') === sourcesHash(built)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/**
 * `hash` is of the sources as they were before the build, so that no later change goes unseen.
 * @param {Built} built
 * @param {string} hash
 */
export function putStamp({ stamp }, hash) {
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
