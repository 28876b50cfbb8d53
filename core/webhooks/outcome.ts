/**
 * What an attempt comes to: what becomes of the delivery, and of what is known of its target
 * (extensions §6). Pure.
 */
import { assertNever } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Delivery, WebhookState } from '../records/webhook-records.ts'
import { ownLane, type WaitingDelivery } from './waiting-delivery.ts'

export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly status: number; readonly ms: number }
  | {
      readonly kind: 'failed'
      readonly status?: number
      readonly error: string
      readonly ms: number
      /** How long the receiver asks to be left alone. */
      readonly retryAfterMs?: number
    }
  /** The receiver answered 410. */
  | { readonly kind: 'gone'; readonly ms: number }
  /** Nothing was sent, and nothing will be. */
  | { readonly kind: 'dropped'; readonly error: string }
  /** The service could not do it now; the receiver is not to blame. */
  | { readonly kind: 'postponed' }
  /** The agent has ended. */
  | { readonly kind: 'orphaned' }

export interface Settled {
  readonly delivery: Delivery
  readonly state: WebhookState
  /** Of one that was given up after its last attempt. */
  readonly isExhausted: boolean
}

interface At {
  readonly now: number
  /** Milliseconds from each failed attempt to the next one. */
  readonly retriesMs: readonly number[]
}

/** A failed attempt after which later deliveries about the same document go on. */
const heldUpAttempts = 3
const postponedMs = 5_000
/** The error of a delivery is shown; what a receiver can put into it is bounded. */
const goneError = 'the answer was 410: nothing is sent until the address is set again'

/** A whole second, since that is how the order of what is due is kept. */
const wholeSecond = (ms: number): number => Math.ceil(ms / 1000) * 1000

export function settled(
  delivery: WaitingDelivery,
  state: WebhookState,
  {
    outcome,
    at,
  }: { readonly outcome: Exclude<DeliveryOutcome, { kind: 'orphaned' }>; readonly at: At },
): Settled {
  const { now } = at
  switch (outcome.kind) {
    case 'delivered':
      return {
        delivery: ended(attempted(delivery, now, outcome), 'delivered', now),
        state: succeeded(state, now),
        isExhausted: false,
      }
    case 'gone':
      return {
        delivery: ended(attempted(delivery, now, { ...outcome, status: 410 }), 'given_up', now),
        state: { ...failing(state, now, goneError), gone: true },
        isExhausted: false,
      }
    case 'dropped':
      return {
        delivery: ended(attempted(delivery, now, { ...outcome, ms: 0 }), 'given_up', now),
        state,
        isExhausted: false,
      }
    case 'postponed':
      return {
        delivery: { ...delivery, dueAt: wholeSecond(now + postponedMs) },
        state,
        isExhausted: false,
      }
    case 'failed': {
      const tried = attempted(delivery, now, outcome)
      const next = retried(tried, outcome.retryAfterMs, at)
      return {
        delivery: next ?? ended(tried, 'given_up', now),
        state: failing(state, now, outcome.error),
        isExhausted: next === undefined,
      }
    }
    default:
      return assertNever(outcome)
  }
}

function attempted(
  delivery: WaitingDelivery,
  at: number,
  { ms, status, error }: { ms: number; status?: number; error?: string },
): WaitingDelivery {
  const attempt = {
    at: at - ms,
    ms,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  }
  const attempts = [...delivery.attempts, attempt].slice(-limits.deliveryAttemptsKept)
  return { ...delivery, attempts }
}

/** `undefined`: that was the last attempt. */
function retried(
  delivery: WaitingDelivery,
  retryAfterMs: number | undefined,
  { now, retriesMs }: At,
): WaitingDelivery | undefined {
  const delay = retriesMs[delivery.failed]
  if (delay === undefined) return undefined
  const failed = delivery.failed + 1
  const dueAt = wholeSecond(now + (retryAfterMs ?? delay))
  const lane = failed < heldUpAttempts ? delivery.lane : ownLane(delivery)
  return { ...delivery, failed, dueAt, lane }
}

function ended(
  { lane: _lane, dueAt: _dueAt, ...delivery }: WaitingDelivery,
  state: Delivery['state'],
  now: number,
): Delivery {
  return { ...delivery, state, endedAt: now }
}

const failing = (state: WebhookState, now: number, error: string): WebhookState => ({
  ...state,
  failingSince: state.failingSince ?? now,
  lastError: error,
})

function succeeded(
  { failingSince: _since, told: _told, ...state }: WebhookState,
  now: number,
): WebhookState {
  return { ...state, lastSuccessAt: now }
}
