/**
 * LevelDB's variable-length numbers, read from the front of a record; runs off its end with
 * RangeError.
 */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('a record ends too early')
    return byte
  }

  varint(): number {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      number += (byte & 127) * scale
      if (byte < 128) return number
      if (scale > 2 ** 56) throw new RangeError('a number is too long')
    }
  }

  skip(length: number): void {
    this.#at += length
    if (this.#at > this.#bytes.length) throw new RangeError('a record ends too early')
  }

  take(length: number): Uint8Array {
    const from = this.#at
    this.skip(length)
    return this.#bytes.subarray(from, this.#at)
  }
}
