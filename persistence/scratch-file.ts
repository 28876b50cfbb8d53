/**
 * Bytes on their way, in a file without a name that lasts: written in order, read anywhere, gone
 * with `discard` or at the next start. A disk that takes no more is `DiskFull`.
 */
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { isMissing } from './durable-file.ts'
import { isDiskFull } from './level-errors.ts'
import { DiskFull } from './store-errors.ts'

export class ScratchFile {
  readonly path: string
  readonly #file: FileHandle
  #size = 0
  #isOpen = true

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  static async create(path: string): Promise<ScratchFile> {
    return new ScratchFile(path, await unlessFull(open(path, 'wx+', 0o600)))
  }

  get size(): number {
    return this.#size
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const writing = this.#file.write(bytes, done, bytes.length - done, this.#size)
      const { bytesWritten } = await unlessFull(writing)
      done += bytesWritten
      this.#size += bytesWritten
    }
  }

  /** As many as there are, `length` at most. */
  async read(at: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.#size - at))
    const buffer = Buffer.allocUnsafe(wanted)
    let done = 0
    while (done < wanted) {
      const { bytesRead } = await this.#file.read(buffer, done, wanted - done, at + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return buffer.subarray(0, done)
  }

  async sync(): Promise<void> {
    await unlessFull(this.#file.sync())
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#file.close()
  }

  /** Again, or where it was renamed, is no change. */
  async discard(): Promise<void> {
    await this.close()
    await unlink(this.path).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }
}

async function unlessFull<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isDiskFull(error) ? new DiskFull(error) : error
  }
}
