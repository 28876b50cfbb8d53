/**
 * A file seen through a window of 64 KiB that moves forward: what reads a picture's structure asks
 * for a few bytes at a time and holds no more than the window.
 */
export interface Bytes {
  readonly size: number
  /** As many as there are, `length` at most. */
  read(at: number, length: number): Promise<Buffer>
}

export const windowBytes = 64 * 1024

export class ByteWindow {
  readonly size: number
  readonly #bytes: Bytes
  #seen: Buffer = Buffer.alloc(0)
  /** Where what is seen begins, and where we are. */
  #from = 0
  #at = 0

  constructor(bytes: Bytes) {
    this.#bytes = bytes
    this.size = bytes.size
  }

  get at(): number {
    return this.#at
  }

  /** Whether so many bytes are in sight already. */
  has(count: number): boolean {
    return this.#at >= this.#from && this.#at + count <= this.#from + this.#seen.length
  }

  /** Brings so many bytes, at most a window, into sight; false: the file ends before. */
  async see(count: number): Promise<boolean> {
    if (this.has(count)) return true
    if (this.#at + count > this.size) return false
    this.#seen = await this.#bytes.read(this.#at, windowBytes)
    this.#from = this.#at
    return this.has(count)
  }

  /** What is in sight from here on, at most so many bytes. */
  ahead(count: number): Buffer {
    const start = this.#at - this.#from
    return this.#seen.subarray(start, start + count)
  }

  skip(count: number): void {
    this.#at += count
  }
}
