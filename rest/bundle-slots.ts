/**
 * How many bundles are written at once: each has a document's text in memory for as long as its
 * reader likes. Where all are taken, the one gives way that has lasted longest of the network that
 * has most of them.
 */
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'

interface Running {
  readonly network: string
  readonly since: number
  hangUp(): void
}

export class BundleSlots {
  readonly #runtime: Runtime
  readonly #running = new Set<Running>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Returns how to give it back. `hangUp`: ends the connection. Refuses BUSY. */
  open(network: string, hangUp: () => void): () => void {
    const running: Running = { network, hangUp, since: this.#runtime.elapsed() }
    const own = this.#of(network).length
    if (own >= limits.bundlesOfNetwork) throw new Refusal('BUSY', { retry_after: 5 })
    if (this.#running.size >= limits.bundlesAtOnce) this.#makeRoom()
    this.#running.add(running)
    return () => {
      this.#running.delete(running)
    }
  }

  #of(network: string): Running[] {
    return [...this.#running].filter((one) => one.network === network)
  }

  /** They stand in the order in which they began. */
  #makeRoom(): void {
    const [first, ...others] = this.#running
    if (first === undefined) return
    let longest = first
    for (const one of others) {
      if (this.#of(one.network).length > this.#of(longest.network).length) longest = one
    }
    const lasted = this.#runtime.elapsed() - longest.since
    if (lasted < limits.bundleUndisturbedMs) throw new Refusal('BUSY', { retry_after: 5 })
    this.#running.delete(longest)
    longest.hangUp()
  }
}
