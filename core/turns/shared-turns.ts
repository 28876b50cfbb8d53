/**
 * Small works of many in turns of the event loop that they share: a step of each, one after the
 * other, and when a turn has lasted long enough the rest goes on in the next. Knows nothing of what
 * is done.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'

/** Does a little; whether there is more to do. Throws nothing. */
type Step = () => boolean

export class SharedTurns {
  readonly #runtime: Runtime
  readonly #steps: Step[] = []
  /** When this turn's first step began. */
  #since: number | undefined
  #isRunning = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** It is called until it answers false: at once, while this turn has time left. */
  add(step: Step): void {
    this.#steps.push(step)
    if (!this.#isRunning) this.#run()
  }

  #run(): void {
    const isFirst = this.#since === undefined
    this.#since ??= this.#begin()
    this.#isRunning = true
    // At least one, however slow the clock says it was.
    for (let goesOn = isFirst || !this.#isOver(this.#since); goesOn; ) {
      const step = this.#steps.shift()
      if (step?.()) this.#steps.push(step)
      goesOn = this.#steps.length > 0 && !this.#isOver(this.#since)
    }
    this.#isRunning = false
  }

  #isOver(since: number): boolean {
    return this.#runtime.elapsed() - since >= limits.turnMs
  }

  #begin(): number {
    this.#runtime.inTurn(() => {
      this.#since = undefined
      if (this.#steps.length > 0) this.#run()
    })
    return this.#runtime.elapsed()
  }
}
