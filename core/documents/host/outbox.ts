/**
 * What one side says to the other, gathered for a turn of the event loop and posted as one list.
 * Bytes are posted as buffers of their own, since a small Buffer is a view of a pool, of which a
 * message would carry all; what was copied for that is handed over without another copy.
 */
import type { Runtime } from '../../../schema/runtime.ts'

/** Posts messages; these buffers belong to the other side from then on. */
export type Post<Message> = (messages: readonly Message[], handedOver: ArrayBuffer[]) => void

export class HostOutbox<Message> {
  readonly #runtime: Runtime
  readonly #post: Post<Message>
  readonly #beforePost: () => void
  #messages: Message[] = []
  #isDue = false

  /** `beforePost` may still add to what is posted. */
  constructor(runtime: Runtime, post: Post<Message>, beforePost: () => void = () => undefined) {
    this.#runtime = runtime
    this.#post = post
    this.#beforePost = beforePost
  }

  get last(): Message | undefined {
    return this.#messages.at(-1)
  }

  add(message: Message): void {
    this.#messages.push(message)
    if (this.#isDue) return
    this.#isDue = true
    this.#runtime.after(0, () => this.#flush())
  }

  #flush(): void {
    this.#beforePost()
    this.#isDue = false
    if (this.#messages.length === 0) return
    const packing = new Packing()
    const messages = packing.packed(this.#messages) as readonly Message[]
    this.#messages = []
    this.#post(messages, packing.made)
  }
}

/** The same bytes that several messages have are packed once. */
class Packing {
  readonly made: ArrayBuffer[] = []
  readonly #packed = new Map<Uint8Array, Uint8Array>()

  /** The same value, in which all bytes have buffers of their own. */
  packed(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return this.#bytes(value)
    if (Array.isArray(value)) return this.#array(value)
    if (value instanceof Map || value instanceof Set) return value
    let changed: Record<string, unknown> | undefined
    for (const [name, before] of Object.entries(value)) {
      const after = this.packed(before)
      if (after === before) continue
      changed ??= { ...value }
      changed[name] = after
    }
    return changed ?? value
  }

  #bytes(bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength === bytes.buffer.byteLength) return bytes
    const known = this.#packed.get(bytes)
    if (known !== undefined) return known
    const own = this.#join([bytes])
    this.#packed.set(bytes, own)
    return own
  }

  #array(values: readonly unknown[]): readonly unknown[] {
    // A text in pieces: nobody asks where they end.
    if (values.length > 1 && values.every(isBytes)) return [this.#join(values)]
    let changed: unknown[] | undefined
    for (const [index, before] of values.entries()) {
      const after = this.packed(before)
      if (after === before) continue
      changed ??= [...values]
      changed[index] = after
    }
    return changed ?? values
  }

  #join(pieces: readonly Uint8Array[]): Uint8Array {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const joined = new Uint8Array(length)
    let at = 0
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    this.made.push(joined.buffer)
    return joined
  }
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array
