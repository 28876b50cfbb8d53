/** The service's own key: `SECRET_KEY`, or a file in the data directory made on first start. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory, syncDirectory } from '../persistence/durable-file.ts'
import type { Runtime } from '../schema/runtime.ts'

const keyBytes = 32

/** 32 bytes. A setting of any length is hashed to them. */
export function keyFromSetting(setting: string): Uint8Array {
  return createHash('sha256').update(setting).digest()
}

/**
 * Reads the key file, or makes it with mode 0600. It appears under its name only when it is whole
 * on disk, so that no crash leaves half a key. Throws when it holds anything else than a key.
 */
export async function keyFromFile(path: string, runtime: Runtime): Promise<Uint8Array> {
  await makeDirectory(dirname(path))
  if (!existsSync(path)) await makeKeyFile(path, runtime)
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key`)
  return Buffer.from(text, 'hex')
}

async function makeKeyFile(path: string, runtime: Runtime): Promise<void> {
  const draft = `${path}.${hex(runtime.randomBytes(8))}`
  try {
    await writeSynced(draft, `${hex(runtime.randomBytes(keyBytes))}\n`)
    await link(draft, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
