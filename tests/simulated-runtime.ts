/**
 * A Runtime whose clock stands still until a test lets time pass, and whose chance comes from a
 * seed. Turns of the event loop (`after(0)`) are real, for they are not time; everything else waits
 * for `pass`.
 */
import type { Runtime, Timer } from '../schema/runtime.ts'
import { Chance } from './chance.ts'

/** A request and its answer, written to a store in memory, take some thirty. */
const turnsBetweenTimers = 60
const turnsWithoutTimers = 100

interface Due {
  readonly at: number
  readonly callback: () => void
}

export interface SimulatedParts {
  /** What the clock says at first. */
  readonly started?: number
  /** Each runtime that is given none draws other bytes: the first the same in every process. */
  readonly seed?: number
}

let unseeded = 0

export class SimulatedRuntime implements Runtime {
  #elapsed = 0
  #started: number
  readonly #chance: Chance
  readonly #due = new Set<Due>()

  constructor({ started = Date.UTC(2026, 10, 21), seed = ++unseeded }: SimulatedParts = {}) {
    this.#started = started
    this.#chance = new Chance(seed)
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
    return this.#chance.bytes(count)
  }

  /** Somebody sets the clock: no time goes by. */
  setClock(byMs: number): void {
    this.#started += byMs
  }

  /** Something holds the event loop: what falls due meanwhile is late. */
  work(ms: number): void {
    this.#elapsed += ms
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
      this.#call(next)
      await settled()
    }
    this.#elapsed = Math.max(this.#elapsed, end)
    await settled()
  }

  /**
   * Lets time go by for as long as the work takes, from one timer to the next; before each the
   * event loop gets turns enough for what needs no time to be done.
   */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    for (let left = turnsWithoutTimers; !isOver && left > 0; left--) {
      await settled(turnsBetweenTimers)
      const next = this.#next(Number.POSITIVE_INFINITY)
      if (next === undefined || isOver) continue
      this.#call(next)
      left = turnsWithoutTimers
    }
    if (!isOver) throw new Error('the work waits for something, and no timer is due')
    return work
  }

  #call(due: Due): void {
    this.#elapsed = Math.max(this.#elapsed, due.at)
    this.#due.delete(due)
    due.callback()
  }

  #next(until: number): Due | undefined {
    let first: Due | undefined
    for (const due of this.#due) {
      if (due.at <= until && (first === undefined || due.at < first.at)) first = due
    }
    return first
  }
}

/** Some turns of the event loop: what needs no time and no network is done after them. */
export async function settled(turns = 5): Promise<void> {
  for (let left = turns; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}
