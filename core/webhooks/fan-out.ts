/**
 * Finds who is sent what all in a document are told (extensions §6): the agents with a grant on it
 * that subscribed, a page of grants at a time, after the act was answered. How far it is lies in
 * the store, in the commit of the deliveries that were made, so a crash loses and doubles none.
 * Documents take turns, so that one with many agents holds up no other.
 */
import {
  agentGrantsOf,
  indexRange,
  parseKey,
  purgeKey,
  webhookEventKey,
  webhookFanOut,
} from '../../persistence/keys.ts'
import type { KeyedValue, Store, Version } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type GrantRecord, readRecords, records } from '../records/records.ts'
import { type WebhookEvent, webhookRecords } from '../records/webhook-records.ts'
import { type Subscriber, subscribersAmong } from './subscribers.ts'
import { newDelivery, once, type Queued, type Wake, waitingPuts } from './waiting-delivery.ts'

export interface FanOutParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly wake: Wake
  readonly onTrouble: (error: unknown) => void
}

const eventsAtOnce = 8
const grantsAtOnce = 100
/** Events over all documents that are looked at in one round. */
const roundMax = 200
const againAfterMs = 1_000

interface Pending {
  readonly key: string
  readonly version: Version
  readonly number: number
  /** The actor behind whom it goes on; empty: from the first. */
  readonly after: string
}

interface Recipient extends Subscriber {
  readonly grantedAt: number
}

export class FanOut {
  readonly #parts: FanOutParts
  readonly #stopWatching: () => void
  #running: Promise<void> | undefined
  #isAsked = false
  #isClosed = false

  constructor(parts: FanOutParts) {
    this.#parts = parts
    this.#stopWatching = parts.store.watch('index/webhook-fan-out/', () => this.#ask())
    this.#ask()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopWatching()
    await this.#running
  }

  #ask(): void {
    this.#isAsked = true
    if (this.#running !== undefined || this.#isClosed) return
    const { runtime, onTrouble } = this.#parts
    this.#running = this.#run()
      .catch((error: unknown) => {
        onTrouble(error)
        runtime.after(againAfterMs, () => this.#ask())
      })
      .finally(() => {
        this.#running = undefined
        if (this.#isAsked) this.#ask()
      })
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      const documents = await this.#pending()
      for (const [slug, pending] of documents) {
        if (this.#isClosed) return
        await this.#page(slug, pending)
        await new Promise<void>((resolve) => this.#parts.runtime.inTurn(resolve))
      }
      if (documents.size > 0) this.#isAsked = true
    }
  }

  async #pending(): Promise<Map<Slug, Pending[]>> {
    const documents = new Map<Slug, Pending[]>()
    const range = { ...indexRange('webhook-fan-out'), limit: roundMax }
    for await (const found of this.#parts.store.scan(range)) {
      const [, slug = '', number] = parseKey(found.key)?.path ?? []
      const pending = { ...pendingOf(found), number: Number(number) }
      const known = documents.get(slug as Slug)
      if (known === undefined) documents.set(slug as Slug, [pending])
      else if (known.length < eventsAtOnce && known[0]?.after === pending.after) known.push(pending)
    }
    return documents
  }

  /** One commit; where something of it was written meanwhile, the next round does it again. */
  async #page(slug: Slug, pending: readonly Pending[]): Promise<void> {
    const { store } = this.#parts
    const checks = [
      ...pending.map(({ key, version }) => ({ key, version })),
      { key: purgeKey(slug), version: undefined },
    ]
    const keys = pending.map(({ key }) => key)
    if ((await store.get(purgeKey(slug))) !== undefined) {
      await store.commit({ deletes: keys })
      return
    }
    const { recipients, last } = await this.#recipients(slug, pending[0]?.after ?? '')
    const eventKeys = pending.map(({ number }) => webhookEventKey(slug, number))
    const events = await readRecords(store, eventKeys, webhookRecords.event)
    const made: Queued[] = []
    const unused: string[] = []
    for (const [index, { number, after }] of pending.entries()) {
      const event = events[index]?.record
      const deliveries = event === undefined ? [] : this.#deliveries(number, event, recipients)
      made.push(...deliveries)
      const isForNobody = deliveries.length === 0 && after === '' && last === undefined
      if (isForNobody) unused.push(webhookEventKey(slug, number))
    }
    const puts = once(made.flatMap(({ agentId, delivery }) => waitingPuts(agentId, delivery)))
    const value = Buffer.from(last ?? '')
    const next = pending.map(({ number }) => ({ key: webhookFanOut(slug, number), value }))
    const result = await store.commit(
      last === undefined
        ? { checks, puts, deletes: [...keys, ...unused], checksFollow: true }
        : { checks, puts: [...puts, ...next], checksFollow: true },
    )
    if (!result.ok) return
    this.#parts.wake(made, result.version)
  }

  #deliveries(number: number, event: WebhookEvent, recipients: readonly Recipient[]): Queued[] {
    return recipients.flatMap(({ agentId, actor, grantedAt, wants }) => {
      const isTold =
        actor !== event.actor &&
        grantedAt <= event.at &&
        event.unheard?.includes(actor) !== true &&
        wants(event.event, event.thread)
      const { runtime } = this.#parts
      return isTold ? [{ agentId, delivery: newDelivery(runtime, number, event) }] : []
    })
  }

  /** `last`: behind whom the next page begins; `undefined`: there is none. */
  async #recipients(
    slug: Slug,
    after: string,
  ): Promise<{ readonly recipients: Recipient[]; readonly last: string | undefined }> {
    const { store } = this.#parts
    const grants = new Map<string, GrantRecord>()
    const range = agentGrantsOf(slug, after === '' ? undefined : after)
    for await (const { key, value } of store.scan({ ...range, limit: grantsAtOnce })) {
      grants.set(parseKey(key)?.path.at(-1) ?? '', records.grant.decode(value))
    }
    const actors = [...grants.keys()]
    const subscribers = await subscribersAmong(store, slug, actors)
    const recipients = subscribers.map((one) => ({
      ...one,
      grantedAt: grants.get(one.actor)?.grantedAt ?? Number.POSITIVE_INFINITY,
    }))
    return { recipients, last: actors.length < grantsAtOnce ? undefined : actors.at(-1) }
  }
}

const pendingOf = ({ key, value, version }: KeyedValue) => ({
  key,
  version,
  after: Buffer.from(value).toString(),
})
