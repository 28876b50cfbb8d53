/**
 * When waiting live updates are applied: in the turn of the event loop after they came, the
 * documents one after the other in the order in which they began to wait. So what arrives together
 * is one write, and the longer the others take, the more of a document's is done at once. Answers
 * to many who come at the same time have their turns among them. Knows nothing of what is done.
 */
import type { Runtime } from '../../schema/runtime.ts'

/** After so long the sockets are read before the next document has its turn. */
const roundMs = 4

export interface Waiting {
  applyWhenFree(): void
}

export class Rounds {
  readonly #runtime: Runtime
  readonly #waiting = new Set<Waiting>()
  #isDue = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** `applyWhenFree` is called once in a later turn, however often it is asked for until then. */
  join(document: Waiting): void {
    this.#waiting.add(document)
    if (!this.#isDue) this.#schedule()
  }

  /** Begins the work in a later turn. */
  turn<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve) => this.join({ applyWhenFree: () => resolve(work()) }))
  }

  #schedule(): void {
    this.#isDue = true
    this.#runtime.after(0, () => {
      this.#isDue = false
      this.#run()
    })
  }

  #run(): void {
    const started = this.#runtime.elapsed()
    for (const document of this.#waiting) {
      this.#waiting.delete(document)
      document.applyWhenFree()
      if (this.#runtime.elapsed() - started >= roundMs) break
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
