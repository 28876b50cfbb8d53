/**
 * Small jobs that come in great number: a few begin in each turn of the event loop, in the order in
 * which they came, so that what others do comes between. Where many wait, a part of them begins
 * together, so that turns do not bound how many are done.
 */
import type { Runtime } from '../../schema/runtime.ts'

const partsOfMany = 8

export class FewInATurn {
  readonly #runtime: Runtime
  readonly #few: number
  #waiting: (() => void)[] = []

  constructor(runtime: Runtime, few: number) {
    this.#runtime = runtime
    this.#few = few
  }

  begin(job: () => void): void {
    this.#waiting.push(job)
    if (this.#waiting.length === 1) this.#runtime.inTurn(() => this.#turn())
  }

  #turn(): void {
    const part = Math.ceil(this.#waiting.length / partsOfMany)
    const due = this.#waiting.slice(0, Math.max(this.#few, part))
    for (const job of due) job()
    // Behind the jobs, so that what they begin comes in a later turn.
    this.#waiting = this.#waiting.slice(due.length)
    if (this.#waiting.length > 0) this.#runtime.inTurn(() => this.#turn())
  }
}
