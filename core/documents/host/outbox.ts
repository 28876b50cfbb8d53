/**
 * What one side says to the other, gathered for a turn of the event loop and posted as one list.
 * Bytes are posted as buffers of their own: a small Buffer is a view of a pool, of which a message
 * would carry all.
 */
import type { Runtime } from '../../../schema/runtime.ts'

/** `moved`: buffers in the messages that are the receiver's from now on, and need no copy. */
export type Post<Message> = (messages: readonly Message[], moved: readonly ArrayBuffer[]) => void

export class Outbox<Message> {
  readonly #runtime: Runtime
  readonly #post: Post<Message>
  readonly #beforePost: () => void
  #messages: Message[] = []
  #moved: ArrayBuffer[] = []
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

  /** Nobody else may use the `moved` buffers of the message. */
  add(message: Message, moved: readonly ArrayBuffer[] = []): void {
    this.#messages.push(message)
    this.#moved.push(...moved)
    if (this.#isDue) return
    this.#isDue = true
    this.#runtime.after(0, () => this.flush())
  }

  /** Puts another in the place of the last. */
  replaceLast(message: Message): void {
    this.#messages[this.#messages.length - 1] = message
  }

  flush(): void {
    this.#isDue = false
    this.#beforePost()
    if (this.#messages.length === 0) return
    const messages = this.#messages.map((message) => compact(message))
    const moved = this.#moved
    this.#messages = []
    this.#moved = []
    this.#post(messages, moved)
  }
}

/** The same value, in which all bytes have buffers of their own. */
export function compact<T>(value: T): T {
  return compacted(value) as T
}

function compacted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) {
    const isWhole = value.byteLength === value.buffer.byteLength
    return isWhole ? value : new Uint8Array(value)
  }
  if (Array.isArray(value)) return compactedArray(value)
  if (value instanceof Map || value instanceof Set) return value
  let changed: Record<string, unknown> | undefined
  for (const [name, before] of Object.entries(value)) {
    const after = compacted(before)
    if (after === before) continue
    changed ??= { ...value }
    changed[name] = after
  }
  return changed ?? value
}

function compactedArray(values: readonly unknown[]): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, before] of values.entries()) {
    const after = compacted(before)
    if (after === before) continue
    changed ??= [...values]
    changed[index] = after
  }
  return changed ?? values
}
