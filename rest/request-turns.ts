/**
 * Requests that come together in great number begin in several turns of the event loop, each
 * address in its turn, so that a thousand at once hold up neither a key nor another's request.
 * Whoever comes alone begins at once. As many wait as there may be connections.
 */
import { FairLine, type InLine } from '../schema/fair-line.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'

interface Waiting extends InLine {
  readonly begin: () => void
}

export class RequestTurns {
  readonly #runtime: Runtime
  readonly #line = new FairLine<Waiting>()
  /** In this turn. */
  #begun = 0
  #isWaiting = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  run(address: string, begin: () => void): void {
    this.#comeAgain()
    if (this.#line.size === 0 && this.#begun < limits.requestsBegunInATurn) {
      this.#begun++
      begin()
    } else {
      this.#line.add({ source: { address, link: '' }, weight: 1, begin })
    }
  }

  #comeAgain(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#runtime.after(0, () => {
      this.#isWaiting = false
      this.#begun = 0
      if (this.#line.size > 0) this.#turn()
    })
  }

  #turn(): void {
    this.#comeAgain()
    while (this.#begun < limits.requestsBegunInATurn) {
      const next = this.#line.takeNext(() => true)
      if (next === undefined) return
      this.#begun++
      next.begin()
    }
  }
}
