/**
 * A bundle with what V8 once compiled of it beside it, so that a start compiles nothing that it
 * runs. It is no module for Node, whose loader knows no such cache (before Node 22): a function
 * that is handed what a CommonJS module has. A cache that is not there, not whole, of another
 * bundle, or of a V8 with another version or other flags costs time and nothing else.
 */
import { isAscii } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** What stands around the bundle; esbuild writes the lines. `here` is its `import.meta.url`. */
export const wrapper = {
  banner: '(function (require, module, here) {',
  footer: '})',
}

type Wrapped = (require: NodeJS.Require, module: { exports: unknown }, here: string) => void

/** Sums over the bundle and over what was compiled: V8 trusts what it is given. */
const headerBytes = 16

export const cacheFile = (bundle: URL): URL => new URL(`${bundle.href.replace(/js$/, '')}cache`)

export function compiled(bundle: URL): Script {
  const bytes = readFileSync(bundle)
  const cachedData = readCache(bundle, bytes)
  // The bundler writes ASCII, of which decoding is a copy.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
  return new Script(text, { filename: bundle.href, ...(cachedData && { cachedData }) })
}

/** Answers what the bundle exports. */
export function run(script: Script, here: string): unknown {
  const module = { exports: {} }
  const wrapped = script.runInThisContext() as Wrapped
  wrapped(createRequire(here), module, here)
  return module.exports
}

/** Of what the script has run so far: V8 compiles a function when it is called first. */
export function cacheOf(script: Script, bundle: URL): Buffer {
  const data = script.createCachedData()
  return Buffer.concat([headerOf(readFileSync(bundle), data), data])
}

function readCache(bundle: URL, bytes: Buffer): Buffer | undefined {
  let cache: Buffer
  try {
    cache = readFileSync(cacheFile(bundle))
  } catch {
    // Why it cannot be read does not matter: it is of no use then, and the start does without.
    return undefined
  }
  const data = cache.subarray(headerBytes)
  return cache.subarray(0, headerBytes).equals(headerOf(bytes, data)) ? data : undefined
}

function headerOf(bundle: Buffer, data: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(crc32(bundle), 0)
  header.writeUInt32LE(crc32(data), 4)
  header.writeUInt32LE(data.length, 8)
  return header
}
