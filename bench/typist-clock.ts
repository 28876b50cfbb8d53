/**
 * The clock of one typist: time goes by only between keys, so that a measurement without waiting has
 * its revisions sealed and told of as often as somebody's typing has. Turns of the event loop and
 * chance are the system's.
 */
import type { Runtime, Timer } from '../schema/runtime.ts'
import { systemRuntime } from '../server/runtime.ts'

interface Due {
  readonly at: number
  readonly callback: () => void
}

export class TypistClock implements Runtime {
  #elapsed = 0
  readonly #began = systemRuntime.now()
  readonly #due = new Set<Due>()

  now(): number {
    return this.#began + this.#elapsed
  }

  elapsed(): number {
    return this.#elapsed
  }

  after(ms: number, callback: () => void): Timer {
    if (ms <= 0) return systemRuntime.after(ms, callback)
    const due = { at: this.#elapsed + ms, callback }
    this.#due.add(due)
    const all = this.#due
    return {
      cancel() {
        all.delete(due)
      },
    }
  }

  inTurn(callback: () => void): void {
    systemRuntime.inTurn(callback)
  }

  randomBytes(count: number): Uint8Array {
    return systemRuntime.randomBytes(count)
  }

  /** Lets so many milliseconds go by, and calls what falls due in them. */
  pass(ms: number): void {
    const until = this.#elapsed + ms
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#elapsed = next.at
      this.#due.delete(next)
      next.callback()
    }
    this.#elapsed = until
  }

  #next(until: number): Due | undefined {
    let first: Due | undefined
    for (const due of this.#due) {
      if (due.at <= until && (first === undefined || due.at < first.at)) first = due
    }
    return first
  }
}
