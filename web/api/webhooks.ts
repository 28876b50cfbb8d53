/** Webhooks of one's own agents (extensions §6): how they fare, and sending again. */
import { call } from './http.ts'

export interface WebhookStatus {
  readonly state: 'off' | 'ok' | 'failing' | 'gone'
  readonly failing_since: string | null
  readonly last_success_at: string | null
  readonly last_error: string | null
  readonly waiting: number
}

export interface AgentWebhook {
  readonly webhook_url: string | null
  readonly webhook_events: readonly string[]
  readonly webhook_status: WebhookStatus
}

export interface Delivery {
  readonly id: string
  readonly event: string
  readonly document: { readonly id: string; readonly title: string | null } | null
  readonly created_at: string
  readonly state: 'waiting' | 'delivered' | 'given_up'
  readonly attempts: readonly {
    readonly at: string
    readonly status: number | null
    readonly error: string | null
  }[]
  readonly next_attempt_at: string | null
}

const at = (agent: string): string => `/auth/agents/${agent}`

export const readWebhook = (agent: string): Promise<AgentWebhook> =>
  call(at(agent), ['webhook_url', 'webhook_events', 'webhook_status'])

/** The newest first. */
export const lastDeliveries = async (agent: string): Promise<readonly Delivery[]> => {
  const path = `${at(agent)}/webhook-deliveries?limit=10`
  return (await call<{ readonly deliveries: readonly Delivery[] }>(path, ['deliveries'])).deliveries
}

export const testWebhook = (agent: string): Promise<unknown> =>
  call(`${at(agent)}/webhook-test`, [], { method: 'POST' })

export const redeliver = (agent: string, id: string): Promise<unknown> =>
  call(`${at(agent)}/webhook-deliveries/${id}/redeliver`, [], { method: 'POST' })

/** `since` is ISO 8601. */
export const replayDeliveries = (
  agent: string,
  since: string,
): Promise<{ readonly queued: number }> =>
  call(`${at(agent)}/webhook-deliveries/replay`, ['queued'], { method: 'POST', body: { since } })
