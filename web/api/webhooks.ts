/** Webhooks of one's own agents (extensions §6): how they fare, and sending again. */
import type { Success } from '../../schema/wire/api.ts'
import { call } from './http.ts'

export type AgentWebhook = Pick<
  Success<'GET /auth/agents/:agent_id'>,
  'webhook_url' | 'webhook_events' | 'webhook_status'
>
export type WebhookStatus = AgentWebhook['webhook_status']
export type Delivery =
  Success<'GET /auth/agents/:agent_id/webhook-deliveries'>['deliveries'][number]

export const readWebhook = (agent: string): Promise<AgentWebhook> =>
  call('GET /auth/agents/:agent_id', ['webhook_url', 'webhook_events', 'webhook_status'], {
    agent_id: agent,
  })

/** The newest first. */
export const lastDeliveries = async (agent: string) => {
  const asked = { agent_id: agent, query: { limit: 10 } }
  return (await call('GET /auth/agents/:agent_id/webhook-deliveries', ['deliveries'], asked))
    .deliveries
}

export const testWebhook = (agent: string) =>
  call('POST /auth/agents/:agent_id/webhook-test', [], { agent_id: agent })

export const redeliver = (agent: string, id: string) =>
  call('POST /auth/agents/:agent_id/webhook-deliveries/:id/redeliver', [], { agent_id: agent, id })

/** `since` is ISO 8601. */
export const replayDeliveries = (agent: string, since: string) =>
  call('POST /auth/agents/:agent_id/webhook-deliveries/replay', ['queued'], {
    agent_id: agent,
    body: { since },
  })
