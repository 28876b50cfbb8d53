/**
 * What lets those write whose writes share one commit (interface §5): the records that they rest on
 * are checked by the commit itself. Where one was written meanwhile, whoever rests on it is asked
 * again; what is permitted still goes on, with the record as it is then.
 */
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Permission } from './permission.ts'
import { Withdrawn } from './withdrawn.ts'

/** So often may what one rests on change under the same commit. */
const renewalsMax = 4

interface Held {
  current: Permission
  renewals: number
}

export class CommitPermissions {
  /** By what each was at first. */
  readonly #held = new Map<Permission, Held>()

  add(permission: Permission): void {
    if (!this.#held.has(permission))
      this.#held.set(permission, { current: permission, renewals: 0 })
  }

  get checks(): readonly Check[] {
    return [...this.#held.values()].flatMap(({ current }) => current.checks)
  }

  /**
   * After a conflict over this key: true when all who rest on it may still. False: nobody does.
   * Throws `Withdrawn` when some may not.
   */
  async renew(key: string): Promise<boolean> {
    const resting = [...this.#held].filter(([, { current }]) =>
      current.checks.some((check) => check.key === key),
    )
    const refusals = new Map<Permission, unknown>()
    for (const [permission, held] of resting) {
      try {
        if (held.renewals++ === renewalsMax) throw new Refusal('UNAVAILABLE')
        held.current = await held.current.renewed()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusals.set(permission, error)
      }
    }
    if (refusals.size > 0) throw new Withdrawn(refusals)
    return resting.length > 0
  }
}
