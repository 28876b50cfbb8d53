/** What an agent says of itself (interface §2.7, §4.12): name, picture, where events are sent. */
import { agentKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import { urlProblem } from '../outbound/outbound.ts'
import { type Agent, records } from '../records/records.ts'
import { idleEndOf } from './idle-life.ts'
import { agentById } from './registration.ts'
import {
  changedWebhook,
  type ShownWebhook,
  shownWebhook,
  type WebhookChanges,
  type WebhookContext,
} from './webhooks.ts'

export interface AgentProfile {
  readonly agent: Agent
  readonly webhook: ShownWebhook
  /** Of an ephemeral one: when it ends unless it is used; milliseconds since the epoch. */
  readonly endsAt: number | undefined
}

export interface ProfileChanges {
  /** Has passed `displayNameFrom`. */
  readonly name?: string | undefined
  /** Null: none. */
  readonly avatarUrl?: string | null | undefined
  readonly webhook?: WebhookChanges | undefined
}

/** Refuses AUTH_REQUIRED when the agent is gone. */
export async function agentProfile(
  context: WebhookContext,
  agentId: string,
): Promise<AgentProfile> {
  const found = await agentById(context.store, agentId)
  if (found === undefined) throw new Refusal('AUTH_REQUIRED')
  const agent = found.record
  const webhook = await shownWebhook(context.store, agentId)
  return { agent, webhook, endsAt: await idleEndOf(context, agent) }
}

/** Answers the webhook's secret where its address was set. Refuses AUTH_REQUIRED, INVALID_REQUEST. */
export async function changeProfile(
  context: WebhookContext,
  agentId: string,
  changes: ProfileChanges,
): Promise<{ readonly webhookSecret: string | undefined }> {
  const key = agentKey(agentId)
  const { name, avatarUrl, webhook } = changes
  if (typeof avatarUrl === 'string') requirePicture(avatarUrl)
  for (;;) {
    const found = await agentById(context.store, agentId)
    if (found === undefined) throw new Refusal('AUTH_REQUIRED')
    const { avatarUrl: before, ...rest } = found.record
    const picture = avatarUrl === undefined ? before : (avatarUrl ?? undefined)
    const agent: Agent = {
      ...rest,
      ...(name !== undefined && { name }),
      ...(picture !== undefined && { avatarUrl: picture }),
    }
    const hook = webhook && (await changedWebhook(context, agentId, webhook))
    const result = await context.store.commit({
      checks: [{ key, version: found.version }, ...(hook?.checks ?? [])],
      puts: [{ key, value: records.agent.encode(agent) }, ...(hook?.puts ?? [])],
    })
    if (result.ok) return { webhookSecret: hook?.secret }
  }
}

function requirePicture(url: string): void {
  const message = urlProblem(url)
  if (message === undefined) return
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: '/avatar_url', message }] })
}
