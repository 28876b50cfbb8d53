/**
 * A session's updates with gaps: what they lack may still come, for a while. Bounded in bytes and
 * in time; judges nothing.
 */
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { Arrival } from './inbox.ts'

export class ParkedUpdates {
  readonly #runtime: Runtime
  readonly #onOver: () => void
  #arrivals: Arrival[] = []
  #bytes = 0
  #timer: Timer | undefined

  /** `onOver`: what they lack has not come in time. */
  constructor(runtime: Runtime, onOver: () => void) {
    this.#runtime = runtime
    this.#onOver = onOver
  }

  /** False when there is no more room. */
  add(arrival: Arrival): boolean {
    this.#bytes += arrival.update.length
    if (this.#bytes > limits.parkedUpdateMaxBytes) return false
    this.#arrivals.push(arrival)
    this.#timer ??= this.#runtime.after(limits.parkedUpdateMaxMs, this.#onOver)
    return true
  }

  /** All of them, to be judged again. */
  take(): readonly Arrival[] {
    this.stopWaiting()
    const arrivals = this.#arrivals
    this.#arrivals = []
    this.#bytes = 0
    return arrivals
  }

  stopWaiting(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
