/**
 * When waiting live updates are applied: in the turn of the event loop after they came, the
 * documents one after the other in the order in which they began to wait. So what arrives together
 * is one write, and the longer the others take, the more of a document's is done at once. After a
 * round it rests for some time that the round took, so that the more there is to do, the more of it
 * is one write, and one commit of the store: what a commit costs whatever is in it is most of what
 * a key costs. Answers to many who come at the same time have their turns among them. Long work of
 * others is told of each round, to leave room for what comes next. Knows nothing of what is done.
 */
import type { Runtime } from '../../schema/runtime.ts'

/** After so long the sockets are read before the next document has its turn. */
const roundMs = 4
/** Times what the round took; a key alone is not felt to wait for that. */
const restFactor = 3
const restMaxMs = 4

export interface Waiting {
  applyWhenFree(): void
}

export class Rounds {
  readonly #runtime: Runtime
  readonly #waiting = new Set<Waiting>()
  #isDue = false
  #restsUntil = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** `applyWhenFree` is called once in a later turn, however often it is asked for until then. */
  join(document: Waiting): void {
    this.#waiting.add(document)
    if (!this.#isDue) this.#schedule(this.#restsUntil - this.#runtime.elapsed())
  }

  /** Begins the work in a later turn. */
  turn<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve) => this.join({ applyWhenFree: () => resolve(work()) }))
  }

  /** Less than a millisecond is no time for a timer. */
  #schedule(ms = 0): void {
    this.#isDue = true
    this.#runtime.after(ms < 1 ? 0 : ms, () => {
      this.#isDue = false
      this.#run()
    })
  }

  #run(): void {
    this.#runtime.isLive()
    const started = this.#runtime.elapsed()
    let took = 0
    for (const document of this.#waiting) {
      this.#waiting.delete(document)
      document.applyWhenFree()
      took = this.#runtime.elapsed() - started
      if (took >= roundMs) break
    }
    this.#restsUntil = started + took + Math.min(restMaxMs, restFactor * took)
    if (this.#waiting.size > 0) this.#schedule()
  }
}
