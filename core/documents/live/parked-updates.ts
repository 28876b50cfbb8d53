/**
 * A session's updates with gaps: what they lack may still come, for a while. Bounded in bytes and
 * in time; judges nothing.
 */
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { Message } from './session-queue.ts'

const parkedUpdateMaxBytes = 256 * 1024

export class ParkedUpdates {
  readonly #runtime: Runtime
  readonly #onOver: () => void
  #messages: Message[] = []
  #bytes = 0
  #timer: Timer | undefined

  /** `onOver`: what they lack has not come in time. */
  constructor(runtime: Runtime, onOver: () => void) {
    this.#runtime = runtime
    this.#onOver = onOver
  }

  /** False when there is no more room. */
  add(message: Message): boolean {
    this.#bytes += message.update.length
    if (this.#bytes > parkedUpdateMaxBytes) return false
    this.#messages.push(message)
    this.#timer ??= this.#runtime.after(limits.parkedUpdateMaxMs, this.#onOver)
    return true
  }

  /** All of them, to be judged again. */
  take(): readonly Message[] {
    this.stopWaiting()
    const messages = this.#messages
    this.#messages = []
    this.#bytes = 0
    return messages
  }

  stopWaiting(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
