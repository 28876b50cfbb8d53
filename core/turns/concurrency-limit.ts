/**
 * Jobs of which few may be under way at once: the others wait in the order in which they came, and
 * each begins in a turn of the event loop of its own. Who may come at all is decided before.
 */
import type { Runtime } from '../../schema/runtime.ts'

export class ConcurrencyLimit {
  readonly #runtime: Runtime
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(runtime: Runtime, most: number) {
    this.#runtime = runtime
    this.#most = most
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = this.#waiting.shift()
      // Its place is the next one's at once, so that nobody comes between.
      if (next === undefined) this.#running--
      else this.#runtime.inTurn(next)
    }
  }
}
