/**
 * A Runtime whose clock stands still until a test lets time pass. Turns of the event loop
 * (`after(0)`) are real, for they are not time; everything else waits for `pass`.
 */
import { randomBytes } from 'node:crypto'
import { limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'

interface Due {
  readonly at: number
  readonly callback: () => void
}

export class SimulatedRuntime implements Runtime {
  #elapsed = 0
  #started: number
  readonly #due = new Set<Due>()

  constructor(started = Date.UTC(2026, 10, 21)) {
    this.#started = started
  }

  now(): number {
    return this.#started + this.#elapsed
  }

  elapsed(): number {
    return this.#elapsed
  }

  after(ms: number, callback: () => void): Timer {
    if (ms <= 0) {
      const turn = setImmediate(callback)
      return { cancel: () => clearImmediate(turn) }
    }
    const due = { at: this.#elapsed + ms, callback }
    this.#due.add(due)
    return { cancel: () => void this.#due.delete(due) }
  }

  inTurn(callback: () => void): void {
    setImmediate(callback)
  }

  randomBytes(count: number): Uint8Array {
    return randomBytes(count)
  }

  /** Somebody sets the clock: no time goes by. */
  setClock(byMs: number): void {
    this.#started += byMs
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#due.size
  }

  /**
   * Lets `ms` go by: every timer that falls due is called at its time and in order, and after each
   * the event loop gets some turns, so that what it set off comes to an end.
   */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#elapsed = next.at
      this.#due.delete(next)
      next.callback()
      await settled()
    }
    this.#elapsed = end
    await settled()
  }

  #next(until: number): Due | undefined {
    let first: Due | undefined
    for (const due of this.#due) {
      if (due.at <= until && (first === undefined || due.at < first.at)) first = due
    }
    return first
  }
}

/** Time flies: every look at the clock ends a turn. */
export class HastyRuntime extends SimulatedRuntime {
  #looks = 0

  override elapsed(): number {
    return super.elapsed() + limits.turnMs * this.#looks++
  }
}

/** Some turns of the event loop: what needs no time and no network is done after them. */
export async function settled(turns = 5): Promise<void> {
  for (let left = turns; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}
