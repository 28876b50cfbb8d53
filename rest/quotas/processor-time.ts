/**
 * Rate limits by processor time: dry runs, and edits and diffs. A small one costs a caller next to
 * nothing; large ones are refused before they hold up others. Few of one address run at the same
 * time, so that what they cost is known before the next begins. Time is charged as it passes, also
 * of work that fails.
 */
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { networkOf } from '../addresses/caller-address.ts'
import type { QuotaState, Quotas } from './quotas.ts'

export interface TimedCaller {
  readonly address: string
  onQuota(state: QuotaState): void
}

type Job<T> = (onWork: (ms: number) => void) => Promise<T>

export interface ProcessorTime {
  /** One of an address at a time. Refuses RATE_LIMITED with the quota's headers, BUSY. */
  dryRun<T>(caller: TimedCaller, job: Job<T>): Promise<T>
  /** An edit or a diff. Refuses BUSY, which says nothing of quotas. */
  work<T>(caller: Pick<TimedCaller, 'address'>, job: Job<T>): Promise<T>
}

export function createProcessorTime(quotas: Quotas): ProcessorTime {
  const dryRuns = new Lines(limits.dryRunLine)
  const edits = new Lines(limits.editLine)
  return {
    async dryRun({ address, onQuota }, job) {
      if (quotas.look('dryRunMs', address) === undefined) return job(() => {})
      const tell = () => {
        const state = quotas.look('dryRunMs', address)
        if (state !== undefined) onQuota(state)
        return state
      }
      return dryRuns.run(networkOf(address), () => {
        const state = tell()
        if (state?.exceeded) throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
        return job((ms) => quotas.charge('dryRunMs', address, ms)).finally(tell)
      })
    },
    async work({ address }, job) {
      if (quotas.look('workMs', address) === undefined) return job(() => {})
      return edits.run(networkOf(address), () => {
        const state = quotas.look('workMs', address)
        if (state?.exceeded) throw new Refusal('BUSY', { retry_after: state.resetSeconds })
        return job((ms) => quotas.charge('workMs', address, ms))
      })
    },
  }
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** A line for each address. */
class Lines {
  readonly #bounds: { readonly atOnce: number; readonly waitingMax: number }
  readonly #lines = new Map<string, Line>()

  constructor(bounds: { readonly atOnce: number; readonly waitingMax: number }) {
    this.#bounds = bounds
  }

  /** Refuses BUSY when too many wait. */
  async run<T>(network: string, job: () => Promise<T>): Promise<T> {
    const { atOnce, waitingMax } = this.#bounds
    const line = this.#lines.get(network) ?? { running: 0, waiting: [] }
    if (line.waiting.length >= waitingMax) throw new Refusal('BUSY', { retry_after: 1 })
    this.#lines.set(network, line)
    if (line.running < atOnce) line.running += 1
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = line.waiting.shift()
      // The place goes to the next at once, so that nobody comes between.
      if (next !== undefined) next()
      else {
        line.running -= 1
        if (line.running === 0) this.#lines.delete(network)
      }
    }
  }
}
