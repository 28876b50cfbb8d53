/** How agents are shown: to themselves, and to the accounts that own them. */
import type { Static } from '@sinclair/typebox'
import type { Agent } from '../../core/records/records.ts'
import type { agentProfileSuccess } from '../../schema/wire/agents.ts'
import { isoOrNull, isoTime } from '../answers/times.ts'
import type { Services } from '../services.ts'

export function kindOf({ bot, ephemeral }: Agent): 'registered' | 'ephemeral' | 'bot' {
  if (bot !== undefined) return 'bot'
  return ephemeral ? 'ephemeral' : 'registered'
}

/** Refuses AUTH_REQUIRED when the agent is gone. */
export async function shownProfile(
  agentId: string,
  { people }: Services,
): Promise<Static<typeof agentProfileSuccess>> {
  const { agent, webhook, endsAt } = await people.agents.profile(agentId)
  const status = await people.webhooks.status(agentId)
  return {
    agent_id: agent.agentId,
    actor_id: agent.actor,
    handle: agent.handle,
    name: agent.name,
    kind: kindOf(agent),
    avatar_url: agent.avatarUrl ?? null,
    webhook_url: webhook.url,
    webhook_events: [...webhook.events],
    webhook_headers: webhook.headers,
    webhook_status: {
      state: status.state,
      failing_since: isoOrNull(status.failingSince),
      last_success_at: isoOrNull(status.lastSuccessAt),
      last_error: status.lastError ?? null,
      waiting: status.waiting,
    },
    created_at: isoTime(agent.createdAt),
    ...(endsAt !== undefined && { expires_at: isoTime(endsAt) }),
  }
}
