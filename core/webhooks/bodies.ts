/**
 * The bodies of events (extensions §6): made once, stored before they are sent, and the same bytes
 * for every attempt and every recipient. What they hold is made by the port that it is given.
 */
import { LRUCache } from 'lru-cache'
import { purgeKey, webhookBodyKey, webhookEventKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { readRecord } from '../records/records.ts'
import { type WebhookEvent, webhookRecords } from '../records/webhook-records.ts'

/** The JSON text of an event; `undefined`: what it was about is gone. */
export type Payload = (event: WebhookEvent) => Promise<string | undefined>

type Body = Promise<Uint8Array | undefined>

export class Bodies {
  readonly #store: Store
  readonly #payload: Payload
  /** Also those that are being made, so that many recipients wait for one. */
  readonly #known = new LRUCache<string, Body>({ max: limits.webhookBodiesKept })

  constructor(store: Store, payload: Payload) {
    this.#store = store
    this.#payload = payload
  }

  /** `undefined`: what it was about is gone. */
  of(slug: Slug, number: number): Body {
    const key = webhookBodyKey(slug, number)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const body = this.#storedOrMade(slug, number)
    this.#known.set(key, body)
    const forget = () => this.#known.delete(key)
    body.then((bytes) => bytes === undefined && forget(), forget)
    return body
  }

  async #storedOrMade(slug: Slug, number: number): Body {
    const key = webhookBodyKey(slug, number)
    const stored = await this.#store.get(key)
    if (stored !== undefined) return stored.value
    const eventKey = webhookEventKey(slug, number)
    const event = await readRecord(this.#store, eventKey, webhookRecords.event)
    const text = event && (await this.#payload(event.record))
    if (event === undefined || text === undefined) return undefined
    const value = Buffer.from(text)
    const result = await this.#store.commit({
      checks: [
        { key, version: undefined },
        { key: eventKey, version: event.version },
        { key: purgeKey(slug), version: undefined },
      ],
      puts: [{ key, value }],
    })
    // Made by another process, or on its way out with its document.
    return result.ok ? value : (await this.#store.get(key))?.value
  }
}
