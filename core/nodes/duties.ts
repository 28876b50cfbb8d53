/**
 * Work that one node does for all: sending webhooks, filling inboxes, sweeping. The node that holds
 * the duty's lease does it; when that node dies another one begins. It may be done twice at the
 * same time for as long as a dead node does not know that it is dead, so all of it is conditional
 * commits or may be repeated.
 */
import { dutyLease } from '../../persistence/keys.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { HeldElsewhere, type Leases } from './leases.ts'
import type { Membership } from './membership.ts'

/** Work under way, until it is closed. */
export interface Work {
  close(): Promise<void>
}

/** Does the work while this node has the duty; the only node always has. */
export type OnDuty = (duty: string, begin: () => Work) => Work

/** Where no other node is. */
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
  #looking: Promise<void> = Promise.resolve()
  #timer: Timer
  #isTroubled = false

  constructor(parts: DutiesParts) {
    this.#parts = parts
    this.#timer = this.#lookSoon()
  }

  readonly onDuty: OnDuty = (duty, begin) => {
    const one: Duty = { key: dutyLease(duty), begin, work: undefined }
    this.#all.add(one)
    void this.#look()
    return { close: () => this.#end(one) }
  }

  /** All duties are free for other nodes. */
  async close(): Promise<void> {
    this.#timer.cancel()
    await Promise.all([...this.#all].map((one) => this.#end(one)))
  }

  async #end(duty: Duty): Promise<void> {
    this.#all.delete(duty)
    await this.#looking
    await duty.work?.close()
    duty.work = undefined
    await this.#parts.leases.release(duty.key)
  }

  #lookSoon(): Timer {
    return this.#parts.runtime.after(limits.nodeHeartbeatMs, () => {
      this.#timer = this.#lookSoon()
      void this.#look()
    })
  }

  #look(): Promise<void> {
    const { leases, membership, onTrouble } = this.#parts
    this.#looking = this.#looking.then(async () => {
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
    return this.#looking
  }

  async #take(key: string): Promise<boolean> {
    try {
      await this.#parts.leases.take(key)
      return true
    } catch (error) {
      if (error instanceof HeldElsewhere) return false
      throw error
    }
  }
}
