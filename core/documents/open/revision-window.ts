/**
 * Live typing becomes revisions (interface §2.2: a revision is a committed write): the first update
 * of an actor opens one, later ones of its writers join it until 150 ms idle or 250 ms in all.
 * Anything that must see a final text seals it early. REST writes never go through here: each is
 * its own.
 */
import type { ActorId } from '../../../schema/ids.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

const revisionMaxMs = 250

export const revisionIdleMs = 150

interface OpenRevision {
  readonly actors: Set<ActorId>
  readonly openedAt: number
  touchedAt: number
  timer: Timer
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
    const now = this.#runtime.elapsed()
    if (this.#open === undefined) {
      const timer = this.#after(revisionIdleMs)
      this.#open = { actors: new Set(actors), openedAt: now, touchedAt: now, timer }
      return
    }
    this.#open.touchedAt = now
    for (const actor of actors) this.#open.actors.add(actor)
  }

  seal(): void {
    if (this.#open === undefined) return
    this.#open.timer.cancel()
    this.#open = undefined
    this.#onSeal()
  }

  /** One timer looks when the time has come, rather than one being made for each key. */
  #after(ms: number): Timer {
    return this.#runtime.after(ms, () => {
      if (this.#open === undefined) return
      const { openedAt, touchedAt } = this.#open
      const due = Math.min(touchedAt + revisionIdleMs, openedAt + revisionMaxMs)
      const left = Math.ceil(due - this.#runtime.elapsed())
      if (left <= 0) this.seal()
      else this.#open.timer = this.#after(left)
    })
  }
}
