/**
 * Why a commit was not written: a record that a permission in it rests on has changed. Nothing of
 * the commit was stored or shown. Whoever only shared the commit begins anew and notices nothing.
 */
import { Refusal } from '../../schema/errors.ts'
import type { HeldPermission } from './permission.ts'

export class Withdrawn extends Error {
  readonly #of: ReadonlySet<HeldPermission>

  constructor(of: Iterable<HeldPermission>) {
    super('a record that a permission of the commit rests on has changed')
    this.name = 'Withdrawn'
    this.#of = new Set(of)
  }

  /** Whether this permission is one that has to be looked up again. */
  isOf(permission: HeldPermission | undefined): boolean {
    return permission !== undefined && this.#of.has(permission)
  }
}

/** For who waits for something that failed so: they may come back, unless it says otherwise. */
export const whyRefused = (error: unknown): Withdrawn | Refusal =>
  error instanceof Withdrawn || error instanceof Refusal ? error : new Refusal('UNAVAILABLE')
