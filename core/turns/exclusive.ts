/**
 * Who may read and write an open document: everybody, each within one tick, or one piece of work
 * that takes several turns of the event loop and holds the document meanwhile. Work that is done
 * within its first turn holds nothing. Knows nothing of what the work does.
 */
import type { Runtime } from '../../schema/runtime.ts'
import type { Steps } from '../../schema/steps.ts'
import { Turns } from './turns.ts'

export interface ExclusiveHost {
  readonly runtime: Runtime
  /** Work goes on in a later turn: what it has done so far is not to be stored or shown. */
  onHeld(): void
  /** The work came to its end, well or not. Called before anyone who waits goes on. */
  onFree(): void
  /** Somebody is about to read or write: what has to be done before may begin. */
  onAsked(): void
}

export class Exclusive {
  readonly #host: ExclusiveHost
  #held: Promise<void> | undefined

  constructor(host: ExclusiveHost) {
    this.#host = host
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  /** Calls back as soon as nobody holds the document, in the same tick in which that is so. */
  async whenFree<T>(run: () => T | Promise<T>): Promise<T> {
    for (;;) {
      if (this.#held === undefined) this.#host.onAsked()
      if (this.#held === undefined) return run()
      await this.#held
    }
  }

  /** Begins the work now; nobody may hold the document. */
  begin(work: Steps<void>): Promise<void> {
    return this.#run(work)
  }

  /** Begins the work when nobody holds the document, and does all of it before anyone else. */
  run<T>(begin: () => Steps<T>): Promise<T> {
    return this.whenFree(() => this.#run(begin()))
  }

  async #run<T>(work: Steps<T>): Promise<T> {
    const turns = new Turns(this.#host.runtime)
    do {
      const step = work.next()
      if (step.done === true) return step.value
    } while (!turns.isOver)
    let release = (): void => undefined
    this.#held = new Promise((resolve) => {
      release = resolve
    })
    this.#host.onHeld()
    try {
      await turns.next()
      return await turns.take(work)
    } finally {
      this.#held = undefined
      this.#host.onFree()
      release()
    }
  }
}
