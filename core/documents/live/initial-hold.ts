/**
 * Who comes back with words that are not here says them first. An editor that heard before that the
 * text it wrote in stands elsewhere now would throw them away, and they would be lost if its line
 * broke while they were on their way. So it is shown nothing until it said them, or for a while.
 */
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

export interface InitialHoldParts {
  readonly runtime: Runtime
  /** Whether it has words still that are not here. */
  isAhead(): boolean
  /** Shows it again what others write. */
  show(): void
}

export class InitialHold {
  /** It said what it had, or left, or its time has passed. */
  readonly over: Promise<void>
  readonly #isAhead: () => boolean
  readonly #timer: Timer
  #end: () => void = () => {}

  constructor({ runtime, isAhead, show }: InitialHoldParts) {
    this.#isAhead = isAhead
    this.over = new Promise<void>((resolve) => {
      this.#end = resolve
    }).then(show)
    this.#timer = runtime.after(limits.parkedUpdateMaxMs, () => this.#end())
  }

  /** Something of it was taken. */
  look(): void {
    if (!this.#isAhead()) this.end()
  }

  end(): void {
    this.#timer.cancel()
    this.#end()
  }
}
