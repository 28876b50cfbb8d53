/**
 * What this repository builds, and whether what was built is still what its sources say: beside
 * each build lies the hash of all that it was built from, and how those files looked when that was
 * last found to be theirs, for a start reads a thousand files no quicker than it runs.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const output = join(root, 'dist')

/**
 * @typedef {object} Built
 * @property {readonly string[]} folders From the root of the repository; all of their files count.
 * @property {string} stamp
 * @property {readonly string[]} [by] What else it is made of.
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
  // Another V8 takes none of the code that this one compiled.
  by: [process.versions.v8, process.arch],
}

/** @param {Built} built */
function filesOf({ folders }) {
  const files = ['package.json', 'package-lock.json'].map((name) => join(root, name))
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else files.push(path)
    }
  }
  for (const folder of folders) walk(resolve(root, folder))
  return files.sort()
}

/** @param {Built} built */
export function sourcesHash(built) {
  const hash = createHash('sha256')
  for (const part of built.by ?? []) hash.update(`${part}\0`)
  for (const file of filesOf(built)) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** A file that changed less than so long ago may change again and look the same. */
const settledMs = 2_000

/**
 * How the files look, none of them read. Undefined: not settled.
 * @param {Built} built
 * @param {string} stamp
 */
function lookOf(built, stamp) {
  const settled = Date.now() - settledMs
  const hash = createHash('sha256')
  for (const part of [stamp, ...(built.by ?? [])]) hash.update(`${part}\0`)
  for (const file of filesOf(built)) {
    const { size, ino, mtimeMs, ctimeMs } = statSync(file)
    if (Math.max(ctimeMs, mtimeMs) > settled) return undefined
    hash.update(`${file}\0${size} ${ino} ${mtimeMs} ${ctimeMs}\0`)
  }
  return hash.digest('hex')
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {Built} built */
const lookFile = ({ stamp }) => `${stamp}-looked`

/** @param {Built} built */
export function isCurrent(built) {
  const stamp = readIfThere(built.stamp)
  if (stamp === undefined) return false
  const look = lookOf(built, stamp)
  if (look !== undefined && readIfThere(lookFile(built)) === look) return true
  if (stamp !== sourcesHash(built)) return false
  if (look !== undefined) keepLook(built, look)
  return true
}

/**
 * @param {Built} built
 * @param {string} look
 */
function keepLook(built, look) {
  try {
    writeFileSync(lookFile(built), look)
  } catch (error) {
    // Where nobody may write, the files are read each time.
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
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

/**
 * What `npm start` gives to Node: V8 takes no code that was compiled under others.
 * @returns {string[]}
 */
export function startArguments() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return scripts.start.split(' ').filter((/** @type {string} */ word) => word.startsWith('-'))
}
