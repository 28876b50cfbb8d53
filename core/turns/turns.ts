/**
 * Long work in turns of the event loop: a step at a time, and when a turn has lasted long enough
 * the others get theirs before the next step. Whoever works in turns sees to it that nobody finds
 * the work half done. Knows nothing of what is done.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Steps } from '../../schema/steps.ts'

/** The same steps; tells how long each of them worked, also the one that throws. */
export function* measured<Result>(
  runtime: Runtime,
  steps: Steps<Result>,
  tell: (ms: number) => void,
): Steps<Result> {
  for (;;) {
    const since = runtime.elapsed()
    let step: IteratorResult<void, Result>
    try {
      step = steps.next()
    } finally {
      tell(runtime.elapsed() - since)
    }
    if (step.done === true) return step.value
    yield
  }
}

export class Turns {
  readonly #runtime: Runtime
  readonly #tell: ((ms: number) => void) | undefined
  #since: number

  /** `tell` is told how long each step of `take`, and each `timed` work, took. */
  constructor(runtime: Runtime, tell?: (ms: number) => void) {
    this.#runtime = runtime
    this.#tell = tell
    this.#since = runtime.elapsed()
  }

  /** Work in one piece. */
  timed<Result>(work: () => Result): Result {
    if (this.#tell === undefined) return work()
    const since = this.#runtime.elapsed()
    try {
      return work()
    } finally {
      this.#tell(this.#runtime.elapsed() - since)
    }
  }

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    return this.#runtime.elapsed() - this.#since >= limits.turnMs
  }

  /** Resolves in the next turn of the event loop. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#runtime.inTurn(resolve)
    })
    this.#since = this.#runtime.elapsed()
  }

  /** Does all steps, in as many turns as that takes; answers what they end with. */
  async take<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = this.timed(() => steps.next())
      if (step.done === true) return step.value
      if (this.isOver) await this.next()
    }
  }
}
