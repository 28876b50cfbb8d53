/**
 * When waiting live updates are applied: soon after they came, when fair work chooses their
 * document. What arrives together is one write. After a round comes a rest of three times what the
 * round took, at most 4 ms. So the more there is to do, the more of it is one write and one commit
 * of the store, and most of what a key costs is what a commit costs whatever is in it.
 */
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { FairWork } from './fair-work.ts'

/** Times what the round took; a key alone is not felt to wait for that. */
const restFactor = 3
const restMaxMs = 4

export interface PendingDocument {
  readonly slug: Slug
  applyWhenFree(): void
}

export class Rounds {
  readonly #runtime: Runtime
  readonly #fair: FairWork
  #waiting = new Set<PendingDocument>()
  #isDue = false
  #restsUntil = 0

  constructor(runtime: Runtime, fair: FairWork) {
    this.#runtime = runtime
    this.#fair = fair
  }

  /** `applyWhenFree` is called once, later, however often it is asked for until then. */
  join(document: PendingDocument): void {
    this.#waiting.add(document)
    if (this.#isDue) return
    this.#isDue = true
    const rest = this.#restsUntil - this.#runtime.elapsed()
    // Less than a millisecond is no time for a timer.
    this.#runtime.after(rest < 1 ? 0 : rest, () => this.#run())
  }

  #run(): void {
    this.#isDue = false
    const documents = this.#waiting
    this.#waiting = new Set()
    const begun = this.#runtime.elapsed()
    for (const document of documents) {
      this.#fair.add({ slug: document.slug }, () => {
        document.applyWhenFree()
        const took = this.#runtime.elapsed() - begun
        this.#restsUntil = begun + took + Math.min(restMaxMs, restFactor * took)
      })
    }
  }
}
