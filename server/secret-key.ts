/** The service's own key: `SECRET_KEY`, or a file in the data directory made on first start. */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Runtime } from '../schema/runtime.ts'

const keyBytes = 32

/** 32 bytes. A setting of any length is hashed to them. */
export function keyFromSetting(setting: string): Uint8Array {
  return createHash('sha256').update(setting).digest()
}

/**
 * Reads the key file, or makes it with mode 0600. Throws when it holds anything else than a key.
 */
export async function keyFromFile(path: string, runtime: Runtime): Promise<Uint8Array> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${Buffer.from(runtime.randomBytes(keyBytes)).toString('hex')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key`)
  return Buffer.from(text, 'hex')
}
