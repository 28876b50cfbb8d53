/**
 * A Runtime whose clock is the real one and that knows how long each turn of the event loop took:
 * the lesser of time and processor time, for another process may take the one, and V8's helper
 * threads add to the other.
 */
import type { Timer } from '../schema/runtime.ts'
import { SimulatedRuntime } from './simulated-runtime.ts'

const spentMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export class TurnMeter extends SimulatedRuntime {
  longestMs = 0
  totalMs = 0
  #since = performance.now()
  #spent = spentMs()

  override elapsed(): number {
    return performance.now()
  }

  override after(ms: number, callback: () => void): Timer {
    if (ms > 0) return super.after(ms, callback)
    const turn = this.#nextTurn(callback)
    return { cancel: () => clearImmediate(turn) }
  }

  override inTurn(callback: () => void): void {
    this.#nextTurn(callback)
  }

  /** Measures some work from its beginning to its end. */
  async measure<Result>(work: () => Promise<Result>): Promise<Result> {
    this.longestMs = 0
    this.totalMs = 0
    this.#begin()
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  #nextTurn(callback: () => void): NodeJS.Immediate {
    this.#end()
    const turn = setImmediate(() => {
      this.#begin()
      callback()
    })
    this.#begin()
    return turn
  }

  #begin(): void {
    this.#since = performance.now()
    this.#spent = spentMs()
  }

  #end(): void {
    const ms = Math.min(performance.now() - this.#since, spentMs() - this.#spent)
    this.totalMs += ms
    this.longestMs = Math.max(this.longestMs, ms)
  }
}
