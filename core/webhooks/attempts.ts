/**
 * One attempt of a delivery (extensions §6): judged by what the agent may read at that moment,
 * signed anew, sent once. It changes nothing in the store but the body that it may have to make.
 */

import { createHmac } from 'node:crypto'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { agentById } from '../agents/registration.ts'
import { targetOf, type WebhookTarget } from '../agents/webhooks.ts'
import type { Outbound, OutboundOutcome } from '../outbound/outbound.ts'
import type { SecretKey } from '../records/secrets.ts'
import { Bodies, type Payload } from './bodies.ts'
import type { DeliveryOutcome } from './outcome.ts'
import type { Hook } from './target-state.ts'
import type { WaitingDelivery } from './waiting-delivery.ts'

export interface AttemptParts {
  readonly store: Store
  /** By which secrets and deliveries end. */
  readonly runtime: Runtime
  /** The clock that receivers compare a signature's time with. */
  readonly wall: Pick<Runtime, 'now'>
  readonly secretKey: SecretKey
  readonly outbound: Pick<Outbound, 'post'>
  readonly payload: Payload
  /** Whether the agent may read the document now; false too where there is none to be read. */
  readonly mayRead: (agentId: string, slug: Slug) => Promise<boolean>
  readonly timeoutMs: number
}

export class Attempts {
  readonly #parts: AttemptParts
  readonly #bodies: Bodies

  constructor(parts: AttemptParts) {
    this.#parts = parts
    this.#bodies = new Bodies(parts.store, parts.payload)
  }

  /** `hook`: what is set now; `undefined`: no address is. */
  async make(
    agentId: string,
    delivery: WaitingDelivery,
    hook: Hook | undefined,
  ): Promise<DeliveryOutcome> {
    const target = hook && targetOf(this.#parts, agentId, hook.record)
    if (target === undefined) {
      const agent = await agentById(this.#parts.store, agentId)
      return agent === undefined ? { kind: 'orphaned' } : dropped('no webhook_url is set')
    }
    if (hook?.state.gone) return dropped('an earlier answer was 410')
    const body = await this.#bodyFor(agentId, delivery)
    if (typeof body === 'string') return dropped(body)
    const sent = await this.#send(agentId, delivery, { ...target, body })
    return outcomeOf(sent, this.#parts.wall.now())
  }

  /** The bytes to send, or why nothing is sent. */
  async #bodyFor(agentId: string, delivery: WaitingDelivery): Promise<Uint8Array | string> {
    const { slug, number, at, event } = delivery
    if (slug === undefined || number === undefined) {
      const timestamp = new Date(at).toISOString()
      return Buffer.from(JSON.stringify({ type: event, timestamp, data: { agent_id: agentId } }))
    }
    if (!(await this.#parts.mayRead(agentId, slug as Slug))) {
      return 'the agent no longer has access to the document, or the document is archived'
    }
    return (await this.#bodies.of(slug as Slug, number)) ?? 'the subject of the event was deleted'
  }

  #send(
    agentId: string,
    { id }: WaitingDelivery,
    { url, headers, secrets, body }: WebhookTarget & { readonly body: Uint8Array },
  ): Promise<OutboundOutcome> {
    const { outbound, wall, timeoutMs } = this.#parts
    const signed = signatureHeaders({ id, at: wall.now(), body, secrets })
    return outbound.post({
      url,
      target: agentId,
      headers: {
        'User-Agent': 'Scriptorium-Webhooks/1',
        ...headers,
        'Content-Type': 'application/json',
        ...signed,
      },
      body,
      timeoutMs,
    })
  }
}

const dropped = (error: string): DeliveryOutcome => ({ kind: 'dropped', error })

function outcomeOf(sent: OutboundOutcome, now: number): DeliveryOutcome {
  if (sent.kind === 'aborted') return { kind: 'postponed' }
  if (sent.kind === 'failed') return sent
  const { status, ms, retryAfter } = sent
  if (status >= 200 && status < 300) return { kind: 'delivered', status, ms }
  if (status === 410) return { kind: 'gone', ms }
  const asksFor = status === 429 || status === 503 ? retryAfterMs(retryAfter, now) : undefined
  const error = `the answer was ${status}`
  return {
    kind: 'failed',
    status,
    error,
    ms,
    ...(asksFor !== undefined && { retryAfterMs: asksFor }),
  }
}

/** Of a `Retry-After` in seconds or as a date; `undefined`: it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const asked = /^\d{1,10}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  if (Number.isNaN(asked)) return undefined
  return Math.min(Math.max(asked, 1_000), limits.retryAfterMaxMs)
}

/** Refusals that say that a document cannot be read, by anybody and for good. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'DOC_NOT_FOUND' || error.code === 'DOC_DAMAGED')

/** The headers that sign a delivery, as Standard Webhooks says (extensions §6). */
export interface Signed {
  readonly id: string
  /** Milliseconds since the epoch, by the clock that receivers have too. */
  readonly at: number
  readonly body: Uint8Array
  /** `whsec_` and base64: each of them signs. */
  readonly secrets: readonly string[]
}

function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
