/** How much of something may be had in a time: so much at once, then as much as comes again. */
import type { Runtime } from '../../schema/runtime.ts'

export interface AllowanceParts {
  readonly runtime: Runtime
  readonly perSecond: number
  readonly atOnce: number
}

export class Allowance {
  readonly #parts: AllowanceParts
  #left: number
  #at: number

  constructor(parts: AllowanceParts) {
    this.#parts = parts
    this.#left = parts.atOnce
    this.#at = parts.runtime.elapsed()
  }

  /** Takes what is wanted, or nothing. */
  take(wanted: number): boolean {
    this.#refill()
    if (wanted > this.#left) return false
    this.#left -= wanted
    return true
  }

  /** Takes what is wanted, there or not; `waitMs` tells when that is made up for. */
  spend(wanted: number): void {
    this.#refill()
    this.#left -= wanted
  }

  get waitMs(): number {
    this.#refill()
    return this.#left >= 0 ? 0 : (-this.#left * 1000) / this.#parts.perSecond
  }

  #refill(): void {
    const { runtime, perSecond, atOnce } = this.#parts
    const now = runtime.elapsed()
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) * perSecond) / 1000)
    this.#at = now
  }
}
