/**
 * Tells all who are there of one thing after the other, each of them in order; a crowd in as many
 * turns of the event loop as that takes, so that others get theirs in between.
 */
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'

interface Due<Listener, News> {
  readonly news: News
  readonly left: Iterator<Listener>
}

/** More that comes before all have heard is waited for. */
const dueMax = 16

export class Telling<Listener, News> {
  readonly #runtime: Runtime
  readonly #tell: (listener: Listener, news: News) => void
  readonly #due: Due<Listener, News>[] = []
  #isRunning = false

  /** `tell` does nothing to who has left. */
  constructor(runtime: Runtime, tell: (listener: Listener, news: News) => void) {
    this.#runtime = runtime
    this.#tell = tell
  }

  add(news: News, listeners: Iterable<Listener>): void {
    this.#due.push({ news, left: [...listeners].values() })
    if (this.#due.length > dueMax) this.finish()
    else if (!this.#isRunning) this.#run()
  }

  /** Whoever has not heard hears now. */
  finish(): void {
    while (this.#one());
  }

  #run(): void {
    this.#isRunning = false
    const since = this.#runtime.elapsed()
    while (this.#one()) {
      if (this.#runtime.elapsed() - since < limits.turnMs) continue
      this.#isRunning = true
      this.#runtime.inTurn(() => this.#run())
      return
    }
  }

  /** False: all have heard of all. */
  #one(): boolean {
    for (let due = this.#due[0]; due !== undefined; due = this.#due[0]) {
      const next = due.left.next()
      if (next.done !== true) {
        this.#tell(next.value, due.news)
        return true
      }
      this.#due.shift()
    }
    return false
  }
}
