/**
 * Bytes too large for records (images, artifacts), kept by what they are: the id is a hash of the
 * content, so one content lies here once, whoever has it. A blob is there whole and durably or not
 * at all, and what is read of it is verified piece by piece. It knows neither what the bytes are
 * nor who refers to them: whoever keeps one writes a record, and whoever takes the last record away
 * deletes it.
 */
import { type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomName } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'
import {
  type BlobId,
  contentBytes,
  hashesOf,
  hashOfPiece,
  idOf,
  isBlobId,
  isPiece,
  pieceBytes,
} from './blob-pieces.ts'
import { isMissing, makeDirectory, removeFileDurably, syncDirectory } from './durable-file.ts'
import { ScratchFile } from './scratch-file.ts'
import { type Check, StoreDamage } from './store.ts'

export interface BlobStore {
  /** A place for bytes that come piece by piece, and that may become a blob or not. */
  scratch(): Promise<ScratchFile>
  /** Begins a blob: nobody finds it before it is published. */
  create(): Promise<NewBlob>
  /** Absence is `undefined`. Throws `StoreDamage` where the file cannot be this blob's. */
  open(id: BlobId): Promise<Blob | undefined>
  /** No change when there is none, or where `presence` is there and a record refers to it. */
  delete(id: BlobId): Promise<void>
  /**
   * What a commit that refers to the blob checks, so that it fails where the blob was deleted.
   * Undefined: the blob is not there. Absent: no other process deletes blobs.
   */
  presence?(id: BlobId): Promise<Check | undefined>
  /** All that are there, in order. */
  list(): AsyncGenerator<BlobId>
}

export interface NewBlob {
  add(bytes: Uint8Array): Promise<void>
  /** No more comes: on disk, and what it is called. */
  finish(): Promise<{ readonly id: BlobId; readonly size: number }>
  /**
   * Found by its id from now on, durably. Where that content is there already, so it stays. Where
   * `presence` is there it can be published again, until it is discarded.
   */
  publish(): Promise<void>
  /** Without `publish` nothing of it stays; after it the blob does. */
  discard(): Promise<void>
}

export interface Blob {
  readonly size: number
  /**
   * The bytes from `from` up to `to`, in pieces. No file stays open between two of them. Throws
   * `StoreDamage` in place of a byte that is not what was stored.
   */
  read(from: number, to: number): AsyncGenerator<Uint8Array>
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

const temporaryPrefix = '.new-'

class FileBlobStore implements BlobStore {
  readonly #directory: string
  readonly #runtime: Runtime

  constructor(directory: string, runtime: Runtime) {
    this.#directory = directory
    this.#runtime = runtime
  }

  scratch(): Promise<ScratchFile> {
    const name = temporaryPrefix + randomName(this.#runtime, 20)
    return ScratchFile.create(join(this.#directory, name))
  }

  async create(): Promise<NewBlob> {
    return new FileNewBlob(await this.scratch(), (id) => this.#path(id))
  }

  async open(id: BlobId): Promise<Blob | undefined> {
    const path = this.#path(id)
    const damage = (reason: string) => new StoreDamage(`blob ${id}`, reason)
    const hashes = await withFile(path, async (file) => {
      const size = contentBytes((await file.stat()).size)
      if (size === undefined) throw damage('its file has another size')
      const { at, bytes } = hashesOf(size)
      const found = await readExactly(file, at, bytes)
      if (found === undefined || idOf(size, found) !== id) throw damage('its hashes are wrong')
      return { size, found }
    })
    if (hashes === undefined) return undefined
    const { size, found } = hashes
    return {
      size,
      async *read(from, to) {
        for (let index = Math.floor(from / pieceBytes); index * pieceBytes < to; index++) {
          const at = index * pieceBytes
          const length = Math.min(pieceBytes, size - at)
          if (length <= 0) return
          const piece = await withFile(path, (file) => readExactly(file, at, length))
          if (piece === undefined) throw damage('a part of it is missing')
          if (!isPiece(piece, index, found)) throw damage('its checksum is wrong')
          yield piece.subarray(Math.max(0, from - at), Math.min(length, to - at))
        }
      },
    }
  }

  async delete(id: BlobId): Promise<void> {
    await removeFileDurably(this.#path(id)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  async *list(): AsyncGenerator<BlobId> {
    const folders = (await readdir(this.#directory)).filter((name) => /^[0-9a-f]{2}$/.test(name))
    for (const folder of folders.sort()) {
      for (const name of (await readdir(join(this.#directory, folder))).sort()) {
        if (isBlobId(name) && name.startsWith(folder)) yield name
      }
    }
  }

  #path(id: string): string {
    if (!isBlobId(id)) throw new TypeError(`not a blob id: ${id}`)
    return join(this.#directory, id.slice(0, 2), id)
  }
}

class FileNewBlob implements NewBlob {
  readonly #scratch: ScratchFile
  readonly #pathOf: (id: string) => string
  readonly #piece = Buffer.allocUnsafe(pieceBytes)
  readonly #hashes: Buffer[] = []
  #filled = 0
  #id: BlobId | undefined

  constructor(scratch: ScratchFile, pathOf: (id: string) => string) {
    this.#scratch = scratch
    this.#pathOf = pathOf
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + pieceBytes - this.#filled)
      this.#piece.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === pieceBytes) await this.#write()
    }
  }

  async finish(): Promise<{ readonly id: BlobId; readonly size: number }> {
    if (this.#filled > 0) await this.#write()
    const { size } = this.#scratch
    const hashes = Buffer.concat(this.#hashes)
    await this.#scratch.add(hashes)
    await this.#scratch.sync()
    await this.#scratch.close()
    this.#id = idOf(size, hashes)
    return { id: this.#id, size }
  }

  async publish(): Promise<void> {
    if (this.#id === undefined) throw new TypeError('a blob was published before it was finished')
    const path = this.#pathOf(this.#id)
    const folder = dirname(path)
    await makeDirectory(folder)
    await rename(this.#scratch.path, path)
    await syncDirectory(folder)
    await syncDirectory(dirname(folder))
  }

  discard(): Promise<void> {
    return this.#scratch.discard()
  }

  async #write(): Promise<void> {
    const piece = this.#piece.subarray(0, this.#filled)
    this.#hashes.push(hashOfPiece(piece))
    this.#filled = 0
    await this.#scratch.add(piece)
  }
}

/** `undefined`: there is no such file. */
async function withFile<T>(
  path: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function readExactly(
  file: FileHandle,
  at: number,
  length: number,
): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done)
    if (bytesRead === 0) return undefined
    done += bytesRead
  }
  return buffer
}
