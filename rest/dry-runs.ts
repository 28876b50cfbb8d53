/**
 * Dry runs count by the processor time that planning them took, not by their number: a small one
 * costs an agent next to nothing, a line of large ones is held up before it holds up others. Those
 * of one address are planned one after another, so that what one has cost is known before the next.
 */
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import { networkOf } from './network.ts'
import type { QuotaState, Quotas } from './quotas.ts'

export interface DryRunCaller {
  readonly address: string
  onQuota(state: QuotaState): void
}

export interface DryRuns {
  /**
   * Runs the plan in the caller's turn; it tells how long it worked. Refuses RATE_LIMITED when the
   * minute's time is spent, BUSY when too many wait.
   */
  run<T>(caller: DryRunCaller, plan: (onWork: (ms: number) => void) => Promise<T>): Promise<T>
}

interface Line {
  waiting: number
  last: Promise<unknown>
}

export function createDryRuns(quotas: Quotas): DryRuns {
  const lines = new Map<string, Line>()
  return {
    async run({ address, onQuota }, plan) {
      if (quotas.look('dryRunMs', address) === undefined) return plan(() => {})
      const network = networkOf(address)
      const line = lines.get(network) ?? { waiting: 0, last: Promise.resolve() }
      if (line.waiting > limits.dryRunsWaitingMax) throw new Refusal('BUSY', { retry_after: 1 })
      lines.set(network, line)
      line.waiting += 1
      const tell = () => {
        const state = quotas.look('dryRunMs', address)
        if (state !== undefined) onQuota(state)
        return state
      }
      const turn = line.last.then(async () => {
        const state = tell()
        if (state?.exceeded) throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
        return plan((ms) => quotas.charge('dryRunMs', address, ms)).finally(tell)
      })
      line.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        line.waiting -= 1
        if (line.waiting === 0) lines.delete(network)
      }
    },
  }
}
