/**
 * Agents that wrote a short while ago. They have no page that could say they are here: their edits
 * say it, and after some minutes of silence they are gone.
 */
import { createStore, type Readable } from '../platform/store.ts'

const hereForMs = 5 * 60_000

export class Visitors {
  readonly #here = createStore<readonly string[]>([])
  readonly #timers = new Map<string, number>()

  /** Their actor ids, whoever wrote last first. */
  get here(): Readable<readonly string[]> {
    return this.#here
  }

  /** An edit of this actor came in from elsewhere. */
  wrote(actor: string): void {
    if (!actor.startsWith('ai:')) return
    window.clearTimeout(this.#timers.get(actor))
    this.#timers.set(
      actor,
      window.setTimeout(() => this.#leave(actor), hereForMs),
    )
    if (this.#here.get()[0] === actor) return
    this.#here.set([actor, ...this.#without(actor)])
  }

  #leave(actor: string): void {
    this.#timers.delete(actor)
    this.#here.set(this.#without(actor))
  }

  readonly #without = (actor: string) => this.#here.get().filter((other) => other !== actor)
}
