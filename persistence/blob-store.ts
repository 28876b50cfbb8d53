/**
 * Bytes too large for records (images, artifacts), kept by id. A blob never changes: one id, one
 * content. Each file is the SHA-256 of id and content, then the content, so damage and mixed-up
 * files are never served. It knows nothing of what the bytes are.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomName, type Slug } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'
import {
  isMissing,
  makeDirectory,
  removeFileDurably,
  syncDirectory,
  writeFileDurably,
} from './durable-file.ts'
import { StoreDamage } from './store.ts'

/** What the ids of a document's blobs begin with. */
export const blobPrefix = (slug: Slug): string => `${slug}-`

export interface BlobStore {
  /**
   * Durable when it resolves. Putting the same bytes again is no change; other bytes under a taken
   * id are a bug (TypeError).
   */
  put(id: string, content: Uint8Array): Promise<void>
  /** Absence is `undefined`. Throws `StoreDamage` when the bytes are not what was put. */
  get(id: string): Promise<Uint8Array | undefined>
  /** No change when there is none. */
  delete(id: string): Promise<void>
  /** All ids that begin so, in order. */
  list(prefix?: string): Promise<string[]>
}

/**
 * Opens the blobs in `directory`, makes it when needed, and clears what a crash left half-written.
 */
export async function openBlobStore(options: {
  readonly directory: string
  readonly runtime: Runtime
}): Promise<BlobStore> {
  const { directory, runtime } = options
  await makeDirectory(directory)
  await syncDirectory(join(directory, '..'))
  for (const name of await readdir(directory)) {
    if (name.startsWith(temporaryPrefix)) await unlink(join(directory, name))
  }
  return new FileBlobStore(directory, runtime)
}

const digestBytes = 32
const temporaryPrefix = '.new-'
const validId = /^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/

class FileBlobStore implements BlobStore {
  readonly #directory: string
  readonly #runtime: Runtime

  constructor(directory: string, runtime: Runtime) {
    this.#directory = directory
    this.#runtime = runtime
  }

  async put(id: string, content: Uint8Array): Promise<void> {
    const path = this.#path(id)
    const bytes = Buffer.concat([digest(id, content), content])
    const present = await readIfThere(path)
    if (present !== undefined && contentOf(id, present) !== undefined) {
      if (bytes.equals(present)) return
      throw new TypeError(`the blob ${id} has other content`)
    }
    const temporary = join(this.#directory, temporaryPrefix + randomName(this.#runtime, 20))
    await writeFileDurably(path, bytes, { temporary })
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    const bytes = await readIfThere(this.#path(id))
    if (bytes === undefined) return undefined
    const content = contentOf(id, bytes)
    if (content === undefined) throw new StoreDamage(`blob ${id}`, 'its checksum is wrong')
    return content
  }

  async delete(id: string): Promise<void> {
    await removeFileDurably(this.#path(id)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  async list(prefix = ''): Promise<string[]> {
    const names = await readdir(this.#directory)
    return names.filter((name) => name.startsWith(prefix) && validId.test(name)).sort()
  }

  #path(id: string): string {
    if (!validId.test(id)) throw new TypeError(`not a blob id: ${id}`)
    return join(this.#directory, id)
  }
}

const digest = (id: string, content: Uint8Array): Buffer =>
  createHash('sha256').update(`${id}\n`).update(content).digest()

/** The content of a file that is whole, else `undefined`. */
function contentOf(id: string, bytes: Buffer): Uint8Array | undefined {
  const content = new Uint8Array(bytes).subarray(digestBytes)
  return digest(id, content).equals(bytes.subarray(0, digestBytes)) ? content : undefined
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
}
