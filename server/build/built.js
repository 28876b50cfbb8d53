/**
 * What this repository builds, and whether it is newer than its sources. A build leaves a stamp that
 * holds the hash of everything it was made of.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const output = join(root, 'dist')

/**
 * @typedef {object} Built
 * @property {readonly string[]} folders From the root of the repository; all files but `.md` count.
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

/** @param {Built} built */
export function sourcesHash({ folders }) {
  const hash = createHash('sha256')
  const listed = folders.flatMap((folder) => {
    const directory = resolve(root, folder)
    return readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name)))
  })
  const manifests = ['package.json', 'package-lock.json'].map((name) => join(root, name))
  for (const file of [...manifests, ...listed].sort()) {
    if (file.endsWith('.md') || !statSync(file).isFile()) continue
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** @param {Built} built */
export const isCurrent = (built) =>
  existsSync(built.stamp) && readFileSync(built.stamp, 'utf8') === sourcesHash(built)

/**
 * `hash` is of the sources as they were before the build, so that no later change goes unseen.
 * @param {Built} built
 * @param {string} hash
 */
export function putStamp({ stamp }, hash) {
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
