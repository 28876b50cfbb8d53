/**
 * Live typing becomes revisions (interface §2.2: a revision is a committed write): the first update
 * of an actor opens one, later ones of its writers join it until 150 ms idle or 250 ms in all.
 * Anything that must see a final text seals it early. REST writes never go through here: each is
 * its own.
 */
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

interface OpenRevision {
  readonly actors: Set<ActorId>
  readonly total: Timer
  idle: Timer
}

export class RevisionWindow {
  readonly #runtime: Runtime
  readonly #onSeal: () => void
  #open: OpenRevision | undefined

  /** `onSeal` is called once for each opened revision. */
  constructor(runtime: Runtime, onSeal: () => void) {
    this.#runtime = runtime
    this.#onSeal = onSeal
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /**
   * Whether these actors' updates belong to the open revision; if not, it is to be sealed first.
   */
  takes(actors: Iterable<ActorId>): boolean {
    const writers = this.#open?.actors
    if (writers === undefined) return false
    for (const actor of actors) if (writers.has(actor)) return true
    return false
  }

  /** Updates of these actors were applied: opens the revision or prolongs it. */
  touch(actors: Iterable<ActorId>): void {
    const seal = () => this.seal()
    const idle = this.#runtime.after(limits.revisionIdleMs, seal)
    if (this.#open === undefined) {
      const total = this.#runtime.after(limits.revisionMaxMs, seal)
      this.#open = { actors: new Set(actors), total, idle }
      return
    }
    this.#open.idle.cancel()
    this.#open.idle = idle
    for (const actor of actors) this.#open.actors.add(actor)
  }

  seal(): void {
    if (this.#open === undefined) return
    this.#open.idle.cancel()
    this.#open.total.cancel()
    this.#open = undefined
    this.#onSeal()
  }
}
