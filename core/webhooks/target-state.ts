/**
 * What is known of an agent's webhook (extensions §6): whether it fails, since when, what went
 * wrong last. It is about the address that is set now: with another address it begins anew.
 */
import { accountKey, agentKey, webhookKey, webhookStateKey } from '../../persistence/keys.ts'
import type { Put, Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { noticeToOwner, putOf } from '../outbox/notices.ts'
import { peopleRecords, type WebhookRecord } from '../records/people-records.ts'
import { readRecord, records } from '../records/records.ts'
import { type WebhookState, webhookRecords } from '../records/webhook-records.ts'

/** A webhook that is set, and how it fares. */
export interface Hook {
  readonly url: string
  readonly record: WebhookRecord
  readonly state: WebhookState
}

/** `undefined`: no address is set. */
export async function hookOf(store: Store, agentId: string): Promise<Hook | undefined> {
  const hook = await readRecord(store, webhookKey(agentId), peopleRecords.webhook)
  if (hook === undefined) return undefined
  const { url, secretId } = hook.record
  if (url === null || secretId === undefined) return undefined
  const found = await readRecord(store, webhookStateKey(agentId), webhookRecords.state)
  return { url, record: hook.record, state: stateFor(secretId, found?.record) }
}

/** Of another address nothing counts but that the owner is still to be told of a recovery. */
function stateFor(secretId: string, known: WebhookState | undefined): WebhookState {
  if (known?.secretId === secretId) return known
  return { secretId, ...(known?.told && { told: true }) }
}

export const statePut = (agentId: string, state: WebhookState): Put => ({
  key: webhookStateKey(agentId),
  value: webhookRecords.state.encode(state),
})

/** Tells the account that owns the agent; an agent of nobody has nobody to tell. */
export async function ownerPuts(
  { store, runtime }: { readonly store: Store; readonly runtime: Runtime },
  agentId: string,
  event: 'webhook.failing' | 'webhook.recovered',
): Promise<Put[]> {
  const agent = (await readRecord(store, agentKey(agentId), records.agent))?.record
  if (agent?.ownerId === undefined) return []
  const owner = (await readRecord(store, accountKey(agent.ownerId), records.account))?.record
  if (owner === undefined) return []
  const notice = noticeToOwner(runtime, { agent: agent.actor, owner: owner.actor, event })
  return [putOf(runtime, notice)]
}
