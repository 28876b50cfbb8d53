/**
 * Webhooks, as the layers above see them (interface §6.3, extensions §6): opened once, they send
 * what is queued, and answer how it fares.
 */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { type Limits, limits as usual } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { alone, type OnDuty } from '../nodes/duties.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SecretKey } from '../records/secrets.ts'
import { Attempts, isUnreadable } from './attempts.ts'
import type { Payload } from './bodies.ts'
import { type GivenUp, WaitingCounts } from './bounds.ts'
import {
  type DeliveryChoice,
  type DeliveryPage,
  deliveryPage,
  redeliver,
  replay,
  sendTest,
  type WebhookStatus,
  webhookStatus,
} from './deliveries.ts'
import { Dispatcher } from './dispatcher.ts'
import { FanOut } from './fan-out.ts'
import type { Wake } from './waiting-delivery.ts'

export type { GivenUp } from './bounds.ts'
export type { DeliveryPage, WebhookStatus } from './deliveries.ts'

/** What sending needs beside the store. */
export interface WebhookSending {
  readonly outbound: Outbound
  readonly payload: Payload
  readonly facts: (slug: Slug) => Promise<DocumentFacts>
  /** For all of one attempt. */
  readonly timeoutMs: number
  /** Milliseconds from each failed attempt to the next one. */
  readonly retriesMs: readonly number[]
  readonly onGivenUp: (what: GivenUp) => void
  /** Those of schema/limits.ts unless a test needs others. */
  readonly limits?: Limits | undefined
}

export interface Webhooks {
  status(agentId: string): Promise<WebhookStatus>
  deliveries(agentId: string, choice: DeliveryChoice): Promise<DeliveryPage>
  /** Refuses NOT_FOUND, WEBHOOK_OFF; BUSY, as the next two, who asks too often. */
  redeliver(agentId: string, id: string): Promise<void>
  /** Of what was given up since; answers how many. Refuses WEBHOOK_OFF. */
  replay(agentId: string, since: number): Promise<number>
  /** Answers the id of the delivery. Refuses WEBHOOK_OFF. */
  test(agentId: string): Promise<string>
  /** Something was queued. */
  wake: Wake
  close(): Promise<void>
}

export interface WebhooksParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly wall: Pick<Runtime, 'now'>
  readonly secretKey: SecretKey
  readonly hasOwnPart: (agentId: string, facts: DocumentFacts) => Promise<boolean>
  readonly onDuty?: OnDuty | undefined
  readonly onTrouble: (error: unknown) => void
  /** Without it nothing is sent. */
  readonly sending?: WebhookSending | undefined
}

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { store, runtime, sending, onDuty = alone } = parts
  const limits = sending?.limits ?? usual
  let senders: ReturnType<typeof startSending> | undefined
  const wake: Wake = (queued, version) => senders?.wake(queued, version)
  const counts = new WaitingCounts(store, runtime)
  const context = { store, runtime, limits, wake, counts, hasOwnPart: parts.hasOwnPart }
  const repairs = new Repairs(runtime, limits.webhookRepairsPerMinute)
  const sends =
    sending &&
    onDuty('webhooks', () => {
      senders = startSending(parts, sending, limits)
      return senders
    })
  return {
    wake,
    status: (agentId) => webhookStatus(context, agentId),
    deliveries: (agentId, choice) => deliveryPage(context, agentId, choice),
    async redeliver(agentId, id) {
      repairs.take(agentId, 1)
      await redeliver(context, agentId, id)
    },
    async replay(agentId, since) {
      repairs.take(agentId, replayCost)
      return replay(context, agentId, since)
    },
    async test(agentId) {
      repairs.take(agentId, 1)
      return sendTest(context, agentId)
    },
    async close() {
      await sends?.close()
    },
  }
}

/** A replay looks through all deliveries of an agent. */
const replayCost = 10

/** How often an agent's deliveries are made again, whoever asks. */
class Repairs {
  readonly #runtime: Runtime
  readonly #most: number
  readonly #windows = new LRUCache<string, { readonly endsAt: number; taken: number }>({
    max: repairWindowsKept,
  })

  constructor(runtime: Runtime, most: number) {
    this.#runtime = runtime
    this.#most = most
  }

  /** Refuses BUSY. */
  take(agentId: string, cost: number): void {
    const now = this.#runtime.elapsed()
    const known = this.#windows.get(agentId)
    const isOver = known === undefined || known.endsAt <= now
    const window = isOver ? { endsAt: now + repairWindowMs, taken: 0 } : known
    this.#windows.set(agentId, window)
    window.taken += cost
    if (window.taken <= this.#most) return
    const seconds = Math.ceil((window.endsAt - now) / 1000)
    throw new Refusal('BUSY', { retry_after: Math.max(1, seconds) })
  }
}

const repairWindowMs = 60_000
const repairWindowsKept = 10_000

function startSending(parts: WebhooksParts, sending: WebhookSending, limits: Limits) {
  const { outbound, facts, onGivenUp, retriesMs } = sending
  const mayRead = async (agentId: string, slug: Slug): Promise<boolean> => {
    try {
      const known = await facts(slug)
      return known.life.state === 'active' && (await parts.hasOwnPart(agentId, known))
    } catch (error) {
      if (isUnreadable(error)) return false
      throw error
    }
  }
  const attempts = new Attempts({ ...parts, ...sending, mayRead })
  const dispatcher = new Dispatcher({ ...parts, limits, attempts, retriesMs, onGivenUp })
  const wake: Wake = (queued, version) => dispatcher.wake(queued, version)
  const fanOut = new FanOut({ ...parts, wake })
  return {
    wake,
    async close() {
      await fanOut.close()
      await dispatcher.close(() => outbound.abort())
    },
  }
}
