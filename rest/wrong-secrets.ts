/**
 * Secrets that are none (extensions §2): guessed, mistyped, ended. Each costs the store a look, so
 * that many from one address are told to wait; a good one from the same address never is.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../schema/errors.ts'
import { callerAddress } from './caller-address.ts'
import type { QuotaState } from './quotas.ts'
import type { Services } from './services.ts'

interface Sender {
  readonly request: IncomingMessage
  /** Told of the quota once it is used up. */
  onQuota?(state: QuotaState): void
}

/** Refuses AUTH_REQUIRED, and RATE_LIMITED whoever sent too many of them. */
export function refuseSecret(
  { request, onQuota }: Sender,
  { quotas, config, count }: Pick<Services, 'quotas' | 'config' | 'count'>,
): never {
  count?.('wrong_secret')
  const state = quotas.take('guess', callerAddress(request, config.trustProxy))
  if (state?.exceeded !== true) throw new Refusal('AUTH_REQUIRED')
  onQuota?.(state)
  throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
}
