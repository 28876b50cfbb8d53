/** The agents of a person’s account (extensions §3). */
import { sessionOf } from '../admission/credential-kinds.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { isoOrNull, isoTime } from '../answers/times.ts'
import { route } from '../route.ts'
import { kindOf } from './shown-agents.ts'

export const listOwnedAgents = route(
  'GET /auth/agents',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List the agents of this account',
    description:
      'Agents registered with its session, ephemeral agents of its owner keys, and its ' + 'bots.',
    extension: true,
    access: 'session',
    errors: [],
  },
  async ({ credential, query }, { people }) => {
    const { accountId } = sessionOf(credential).account
    const { agents, next } = await people.agents.owned(accountId, pageAsked(query))
    return json({
      agents: agents.map(({ agent, lastUsedAt, endsAt }) => ({
        agent_id: agent.agentId,
        actor_id: agent.actor,
        handle: agent.handle,
        name: agent.name,
        kind: kindOf(agent),
        created_at: isoTime(agent.createdAt),
        last_used_at: isoOrNull(lastUsedAt),
        ...(endsAt !== undefined && { expires_at: isoTime(endsAt) }),
      })),
      next_cursor: next === undefined ? null : cursorAfter(next),
    })
  },
)

export const deleteOwnedAgent = route(
  'DELETE /auth/agents/:agent_id',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete an agent of this account permanently',
    description: 'Closes its sockets. Bots are deleted through the workspace.',
    extension: true,
    access: 'session',
    errors: ['NOT_FOUND'],
  },
  async ({ credential, params }, { people }) => {
    const agentId = params['agent_id'] ?? ''
    const { accountId } = sessionOf(credential).account
    const isBot = await people.library.hasBot(accountId, agentId)
    if (isBot) await people.library.deleteBot(accountId, agentId)
    else await people.agents.deleteOwned(accountId, agentId)
    return json({ deleted: true as const, agent_id: agentId })
  },
)
