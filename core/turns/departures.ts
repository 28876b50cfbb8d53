/**
 * Work that is due at a time at which much may be: begun one by one in the order in which it came,
 * each in a turn of the event loop that is nobody else's of them, and after a turn's time others'
 * long work comes between. What each does without waiting for anything is done in that turn. Knows
 * nothing of what is done.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'

export class Departures {
  readonly #runtime: Runtime
  readonly #waiting = new Set<() => void>()
  #isDue = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Begins the work in a later turn, unless that is cancelled before. */
  join(work: () => void): Timer {
    // Each a function of its own, so that nobody's turn is another's too.
    const begin = () => work()
    this.#waiting.add(begin)
    if (!this.#isDue) this.#rest()
    return { cancel: () => void this.#waiting.delete(begin) }
  }

  #rest(): void {
    this.#isDue = true
    this.#runtime.inTurn(() => this.#run(this.#runtime.elapsed()))
  }

  #run(since: number): void {
    this.#isDue = false
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    next()
    if (this.#waiting.size === 0) return
    this.#isDue = true
    this.#runtime.after(0, () => {
      if (this.#runtime.elapsed() - since < limits.turnMs) this.#run(since)
      else this.#rest()
    })
  }
}
