/**
 * Keeps what the state line says in step with what is known: asked again after each change, and by
 * itself when waiting is long enough to be mentioned. While anything is unsaved, leaving the page
 * warns, and only then: a page with nothing to lose can be left and kept by the browser.
 */
import { createStore, type Readable } from '../platform/store.ts'
import { mentionAfterMs, type SaveFacts, type SaveState, saveStateOf } from './save-state.ts'
import type { Unsaved } from './unsaved.ts'

/** All but what the unsaved changes tell themselves. */
export type Standing = Omit<SaveFacts, 'changes' | 'waitedMs'>

export class SaveReport {
  readonly #state = createStore<SaveState>({ kind: 'loading' })
  #mention: ReturnType<typeof setTimeout> | undefined
  #warns = false

  get state(): Readable<SaveState> {
    return this.#state
  }

  update(standing: Standing, unsaved: Unsaved): void {
    const { oldest, count } = unsaved
    const waitedMs = oldest === undefined ? 0 : performance.now() - oldest.at
    const state = saveStateOf({ ...standing, changes: count, waitedMs })
    if (JSON.stringify(state) !== JSON.stringify(this.#state.get())) this.#state.set(state)
    this.#warn(count > 0)
    clearTimeout(this.#mention)
    if (count === 0 || waitedMs >= mentionAfterMs) return
    this.#mention = setTimeout(() => this.update(standing, unsaved), mentionAfterMs - waitedMs)
  }

  close(): void {
    clearTimeout(this.#mention)
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
