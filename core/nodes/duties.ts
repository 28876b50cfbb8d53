/**
 * Duties: background work that one node does for all, such as sending webhooks, filling inboxes and
 * sweeping. The node that holds the duty's lease does the work; when that node dies another one
 * starts. For a moment two nodes may do the same work, so it consists of conditional commits or may
 * be repeated.
 */
import { dutyLease } from '../../persistence/keys.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { HeldElsewhere, type Leases, NotJoined } from './leases.ts'
import type { Membership } from './membership.ts'

/** Work under way, until it is closed. */
export interface Work {
  close(): Promise<void>
}

/** Does the work while this node has the duty. */
export type OnDuty = (duty: string, begin: () => Work) => Work

/** For a service of one process. */
export const alone: OnDuty = (_duty, begin) => begin()

export interface DutiesParts {
  readonly runtime: Runtime
  readonly leases: Leases
  readonly membership: Pick<Membership, 'isDraining'>
  readonly onTrouble: (error: unknown) => void
}

interface Duty {
  readonly key: string
  readonly begin: () => Work
  work: Work | undefined
}

export class Duties {
  readonly #parts: DutiesParts
  readonly #all = new Set<Duty>()
  #checking: Promise<void> = Promise.resolve()
  #timer: Timer
  #isTroubled = false

  constructor(parts: DutiesParts) {
    this.#parts = parts
    this.#timer = this.#checkSoon()
  }

  readonly onDuty: OnDuty = (duty, begin) => {
    const one: Duty = { key: dutyLease(duty), begin, work: undefined }
    this.#all.add(one)
    void this.#check()
    return { close: () => this.#end(one) }
  }

  /** Gives all duties up. */
  async close(): Promise<void> {
    this.#timer.cancel()
    await Promise.all([...this.#all].map((one) => this.#end(one)))
  }

  async #end(duty: Duty): Promise<void> {
    this.#all.delete(duty)
    await this.#checking
    await duty.work?.close()
    duty.work = undefined
    await this.#parts.leases.release(duty.key)
  }

  #checkSoon(): Timer {
    return this.#parts.runtime.after(limits.nodeDutyEveryMs, () => {
      this.#timer = this.#checkSoon()
      void this.#check()
    })
  }

  #check(): Promise<void> {
    const { leases, membership, onTrouble } = this.#parts
    this.#checking = this.#checking.then(async () => {
      try {
        for (const duty of this.#all) {
          if (!leases.has(duty.key)) {
            await duty.work?.close()
            duty.work = undefined
            if (membership.isDraining || !(await this.#take(duty.key))) continue
          }
          if (this.#all.has(duty)) duty.work ??= duty.begin()
        }
        this.#isTroubled = false
      } catch (error) {
        if (!this.#isTroubled) onTrouble(error)
        this.#isTroubled = true
      }
    })
    return this.#checking
  }

  async #take(key: string): Promise<boolean> {
    try {
      await this.#parts.leases.take(key)
      return true
    } catch (error) {
      if (error instanceof HeldElsewhere || error instanceof NotJoined) return false
      throw error
    }
  }
}
