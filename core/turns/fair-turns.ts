/**
 * Jobs of which one is under way at a time: the others wait, each address in its turn, so that
 * nobody's many keep another's one from its turn. Only so many wait.
 */
import { Refusal } from '../../schema/errors.ts'
import { FairLine, type InLine, type Source } from '../../schema/fair-line.ts'

interface QueuedTurn extends InLine {
  readonly begin: () => void
}

export class FairTurns {
  readonly #max: number
  readonly #line = new FairLine<QueuedTurn>()
  #isRunning = false

  constructor(max: number) {
    this.#max = max
  }

  /** Refuses BUSY where too many wait already. */
  async run<T>(source: Source, job: () => Promise<T>): Promise<T> {
    if (this.#isRunning) await this.#turn(source)
    this.#isRunning = true
    try {
      return await job()
    } finally {
      const next = this.#line.takeNext(() => true)
      // Its turn is the next one's at once, so that nobody comes between.
      if (next === undefined) this.#isRunning = false
      else next.begin()
    }
  }

  #turn(source: Source): Promise<void> {
    if (this.#line.size >= this.#max) throw new Refusal('BUSY', { retry_after: 5 })
    return new Promise((begin) => this.#line.add({ source, weight: 1, begin }))
  }
}
