/**
 * Keeps what the state line says in step with what is known: asked again after each change, and by
 * itself when waiting is long enough to be mentioned. While the service lacks anything, leaving the
 * page warns, and only then: a page with nothing to lose can be left and kept by the browser.
 */
import { createStore, type Readable } from '../platform/store.ts'
import { isAny } from './outgoing.ts'
import { type SaveFacts, type SaveState, saveStateOf } from './save-state.ts'
import type { Unsaved } from './unsaved.ts'

/** What is known but for what the unsaved changes and the clock tell. */
export interface Standing extends Omit<SaveFacts, 'changes' | 'isLate' | 'isKeepingLate'> {
  /** This device still writes. */
  readonly canKeep: boolean
}

/** What the service acknowledges sooner is not worth a word. */
const mentionAfterMs = 400
/** Changes are written in batches (`offline-writer.ts`). */
const keptAfterMs = 2_000

export class SaveReport {
  readonly #state = createStore<SaveState>({ kind: 'loading' })
  #timer: ReturnType<typeof setTimeout> | undefined
  #warns = false
  #outgoingSince: number | undefined

  get state(): Readable<SaveState> {
    return this.#state
  }

  update(standing: Standing, unsaved: Unsaved): void {
    const { oldest, count, changes } = unsaved
    const { outgoing, kept, canKeep } = standing
    const now = performance.now()
    this.#outgoingSince = isAny(outgoing) ? (this.#outgoingSince ?? now) : undefined
    const [isLate, isKeepingLate, isSlow] = this.#areOver(
      () => this.update(standing, unsaved),
      [
        [oldest?.at, mentionAfterMs],
        [changes[kept]?.at, canKeep ? keptAfterMs : 0],
        [this.#outgoingSince, mentionAfterMs],
      ],
    )
    const facts = { ...standing, changes: count, isLate, isKeepingLate }
    const state = saveStateOf({ ...facts, outgoing: isSlow ? outgoing : {} })
    if (JSON.stringify(state) !== JSON.stringify(this.#state.get())) this.#state.set(state)
    this.#warn(count > 0 || isAny(outgoing))
  }

  /** Which waits, by when they began, are over; asks `again` when the next one is. */
  #areOver<Waits extends readonly (readonly [since: number | undefined, ms: number])[]>(
    again: () => void,
    waits: readonly [...Waits],
  ): { [Each in keyof Waits]: boolean } {
    clearTimeout(this.#timer)
    const left = waits.map(([since = Infinity, ms]) => since + ms - performance.now())
    const next = Math.min(...left.filter((ms) => ms > 0))
    if (next < Infinity) this.#timer = setTimeout(again, next)
    return left.map((ms) => ms <= 0) as { [Each in keyof Waits]: boolean }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#warn(false)
  }

  #warn(warns: boolean): void {
    if (warns === this.#warns) return
    this.#warns = warns
    if (warns) addEventListener('beforeunload', askToStay)
    else removeEventListener('beforeunload', askToStay)
  }
}

const askToStay = (event: Event) => event.preventDefault()
