/**
 * Secrets that are none (extensions §2): guessed, mistyped, ended. Each costs the store a look, so
 * that many from one address are told to wait; a good one from the same address never is.
 */
import { Refusal } from '../../schema/errors.ts'
import type { QuotaState } from '../quotas/quotas.ts'
import type { Services } from '../services.ts'

interface Sender {
  readonly address: string
  /** Told of the quota once it is used up. */
  onQuota?(state: QuotaState): void
}

/** Refuses RATE_LIMITED whoever sent too many of them. */
export function countWrongSecret(
  { address, onQuota }: Sender,
  { quotas, count }: Pick<Services, 'quotas' | 'count'>,
): void {
  count?.('wrong_secret')
  const state = quotas.take('guess', address)
  if (state?.exceeded !== true) return
  onQuota?.(state)
  throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
}

/** Refuses AUTH_REQUIRED, and RATE_LIMITED whoever sent too many of them. */
export function refuseSecret(sender: Sender, services: Pick<Services, 'quotas' | 'count'>): never {
  countWrongSecret(sender, services)
  throw new Refusal('AUTH_REQUIRED')
}
