/**
 * Why a commit was not written: what some of it rested on is not so any more. Nothing of it was
 * stored or shown; who only shared it with them begins anew, and notices nothing.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Permission } from './permission.ts'

export class Withdrawn extends Error {
  readonly #refusals: ReadonlyMap<Permission, unknown>

  constructor(refusals: ReadonlyMap<Permission, unknown>) {
    super('a permission was withdrawn before the commit that rests on it')
    this.name = 'Withdrawn'
    this.#refusals = refusals
  }

  /** Throws the refusal, where it is this permission that was withdrawn. */
  assertNotOf(permission: Permission | undefined): void {
    if (permission !== undefined && this.#refusals.has(permission)) {
      throw this.#refusals.get(permission)
    }
  }
}

/** For who waits for something that failed so: they may come back, unless it says otherwise. */
export const whyRefused = (error: unknown): Withdrawn | Refusal =>
  error instanceof Withdrawn || error instanceof Refusal ? error : new Refusal('UNAVAILABLE')
