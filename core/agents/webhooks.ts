/**
 * The webhook that an agent sets (interface §6.3, extensions §6): an address, names of events,
 * headers whose values are encrypted. The secret that signs is derived, and shown once. It sends
 * nothing; `core/webhooks/` does.
 */
import { createHmac } from 'node:crypto'
import { webhookKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { randomName } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { peopleRecords, type WebhookRecord } from '../records/people-records.ts'
import { readRecord } from '../records/records.ts'
import { type SecretKey, sealed, unsealed } from '../records/secrets.ts'
import type { AgentsContext } from './registration.ts'

const webhookHeaderMaxChars = 1_024

const webhookHeadersMax = 16

export const webhookEvents = [
  'mention',
  'doc.review_requested',
  'comment.created',
  'comment.replied',
  'suggestion.accepted',
  'suggestion.rejected',
  'thread.resolved',
  'doc.shared',
] as const

export interface WebhookContext extends AgentsContext {
  readonly secretKey: SecretKey
  /** Judges the addresses that are set. */
  readonly outbound: Pick<Outbound, 'problem'>
}

/** What to set; the rest stays. */
export interface WebhookChanges {
  /** Null: nothing is sent any more. */
  readonly url?: string | null | undefined
  readonly events?: readonly string[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** As its holder sees it: header values are masked. */
export type ShownWebhook = Omit<WebhookRecord, 'secretId' | 'replaced'>

/** What a delivery needs of it. */
export interface WebhookTarget extends ShownWebhook {
  readonly url: string
  /** Another one with each address that is set. */
  readonly secretId: string
  /** All that sign now, the present one first. */
  readonly secrets: readonly string[]
}

/** In place of a value; sent back, it changes nothing. */
export const maskedValue = '********'

const unset: WebhookRecord = { url: null, events: ['mention'], headers: {} }

const shownOf = ({ url, events, headers }: WebhookRecord): ShownWebhook => ({
  url,
  events,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue])),
})

export async function shownWebhook(store: Store, agentId: string): Promise<ShownWebhook> {
  const found = await readRecord(store, webhookKey(agentId), peopleRecords.webhook)
  return shownOf(found?.record ?? unset)
}

const secretOf = (key: SecretKey, secretId: string): string =>
  `whsec_${createHmac('sha256', key).update(`webhook:${secretId}`).digest('base64')}`

const sealedFor = (agentId: string, name: string): string => `webhook:${agentId}:${name}`

/** Where the events of an agent with this record go; `undefined`: nowhere. */
export function targetOf(
  { runtime, secretKey }: Pick<WebhookContext, 'runtime' | 'secretKey'>,
  agentId: string,
  { url, events, headers, secretId, replaced = [] }: WebhookRecord,
): WebhookTarget | undefined {
  if (url === null || secretId === undefined) return undefined
  const signing = [secretId, ...replacedAt(replaced, runtime.now()).map((one) => one.secretId)]
  const plain = Object.entries(headers).map(([name, value]) => [
    name,
    unsealed(secretKey, value, sealedFor(agentId, name)),
  ])
  const secrets = signing.map((id) => secretOf(secretKey, id))
  return { url, events, headers: Object.fromEntries(plain), secretId, secrets }
}

/** Where this agent's events go; `undefined`: nowhere. */
export async function webhookTarget(
  context: Pick<WebhookContext, 'store' | 'runtime' | 'secretKey'>,
  agentId: string,
): Promise<WebhookTarget | undefined> {
  const found = await readRecord(context.store, webhookKey(agentId), peopleRecords.webhook)
  return found && targetOf(context, agentId, found.record)
}

type Replaced = NonNullable<WebhookRecord['replaced']>

/** Those that still sign. */
const replacedAt = (replaced: Replaced, now: number): Replaced =>
  replaced.filter(({ until }) => until > now)

/**
 * The record as these changes leave it, and the new secret where they set the address. Refuses
 * INVALID_REQUEST.
 */
export async function changedWebhook(
  context: WebhookContext,
  agentId: string,
  changes: WebhookChanges,
) {
  const { store, runtime, secretKey } = context
  const key = webhookKey(agentId)
  const found = await readRecord(store, key, peopleRecords.webhook)
  const before = found?.record ?? unset
  const { url = before.url, events = before.events } = changes
  requireEvents(events)
  const sets = changes.url !== undefined && changes.url !== null
  if (sets) await requireAddress(context.outbound, changes.url)
  const headers =
    changes.headers === undefined
      ? before.headers
      : sealedHeaders(context, agentId, before, changes.headers)
  const secretId = sets ? randomName(runtime, 24) : url === null ? undefined : before.secretId
  const replaced = sets ? replacedBy(before, runtime.now()) : before.replaced
  const record: WebhookRecord = {
    url,
    events: [...new Set(events)],
    headers,
    ...(secretId !== undefined && { secretId }),
    ...(url !== null && replaced?.length && { replaced }),
  }
  return {
    checks: [{ key, version: found?.version }],
    puts: [{ key, value: peopleRecords.webhook.encode(record) }],
    shown: shownOf(record),
    secret: sets && secretId !== undefined ? secretOf(secretKey, secretId) : undefined,
  }
}

/** With the present secret, which another is about to replace. */
function replacedBy({ secretId, replaced = [] }: WebhookRecord, now: number): Replaced {
  const good = replacedAt(replaced, now)
  if (secretId === undefined) return good
  const until = now + limits.oldSecretKeptMs
  return [{ secretId, until }, ...good].slice(0, limits.oldSecretsMax)
}

const invalid = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] })

function requireEvents(events: readonly string[]): void {
  const unknown = events.find((name) => !webhookEvents.some((known) => known === name))
  if (unknown === undefined) return
  throw invalid('/webhook_events', `is one of ${webhookEvents.join(', ')}`)
}

async function requireAddress(outbound: WebhookContext['outbound'], url: string): Promise<void> {
  const problem = await outbound.problem(url)
  if (problem !== undefined) throw invalid('/webhook_url', problem)
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
/** Ours, the body's, and those between two ends of a connection. */
const reserved = new RegExp(
  '^(?:host|content-.*|webhook-.*|connection|keep-alive|proxy-.*' +
    '|te|trailer|transfer-encoding|upgrade|expect)$',
  'i',
)
const plainText = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/

function sealedHeaders(
  context: WebhookContext,
  agentId: string,
  before: WebhookRecord,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers)
  const most = webhookHeadersMax
  if (entries.length > most) throw invalid('/webhook_headers', `must be at most ${most}`)
  const known = new Map(Object.entries(before.headers))
  const seen = new Set<string>()
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const path = `/webhook_headers/${name}`
      if (!token.test(name)) throw invalid(path, 'is not a valid header name')
      if (reserved.test(name)) throw invalid(path, 'is reserved and cannot be set')
      if (seen.has(name.toLowerCase())) throw invalid(path, 'is given twice')
      seen.add(name.toLowerCase())
      const kept = known.get(name)
      if (value === maskedValue && kept !== undefined) return [name, kept]
      const isLong = value.length > webhookHeaderMaxChars
      if (isLong || value === maskedValue || !plainText.test(value)) {
        throw invalid(
          path,
          'must be visible ASCII of at most 1024 characters and not a masked value',
        )
      }
      return [name, sealed(context, value, sealedFor(agentId, name))]
    }),
  )
}
