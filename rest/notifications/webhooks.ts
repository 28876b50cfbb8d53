/**
 * The state of webhooks, and how deliveries are made again (extensions §6): by the agent itself,
 * and the same below `/auth/agents/:agent_id` by the account that owns it.
 */
import type { Static } from '@sinclair/typebox'
import type { DeliveryPage } from '../../core/webhooks/webhooks.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { ApiRoute, Success } from '../../schema/wire/api.ts'
import type { deliveriesSuccess } from '../../schema/wire/webhooks.ts'
import type { Admitted } from '../admission/admitted.ts'
import { agentOf, sessionOf } from '../admission/credential-kinds.ts'
import { shownProfile } from '../agents/shown-agents.ts'
import { type Answer, json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { isoOrNull, isoTime, timeFrom } from '../answers/times.ts'
import { type Checked, type Declaration, type Route, route } from '../route.ts'
import type { Services } from '../services.ts'

type AgentHandler<R extends ApiRoute> = (
  agentId: string,
  input: Admitted & Checked<R>,
  services: Services,
) => Promise<Answer<Success<R>>>

/** One route for the agent and one for its owner. */
function forAgentAndOwner<R extends ApiRoute>(
  [agents, owners]: readonly [agents: R, owners: R],
  declared: Omit<Declaration<R>, 'access' | 'extension'>,
  handler: AgentHandler<R>,
): readonly [Route, Route] {
  const { errors, summary } = declared
  const ofAgent: Declaration<R> = { ...declared, access: 'agent', extension: true }
  const ofOwner: Declaration<R> = {
    ...declared,
    summary: `${summary}, of an agent of this account`,
    access: 'session',
    extension: true,
    errors: [...new Set([...errors, 'NOT_FOUND' as const])],
  }
  return [
    route(agents, ofAgent, (input, services) =>
      handler(agentOf(input.credential).agentId, input, services),
    ),
    route(owners, ofOwner, async (input, services) =>
      handler(await ownedAgentId(input, services), input, services),
    ),
  ]
}

/** Refuses NOT_FOUND an agent of somebody else, as one that is not there. */
async function ownedAgentId(
  { credential, params }: Admitted,
  { people }: Services,
): Promise<string> {
  const agentId = params['agent_id'] ?? ''
  const { accountId } = sessionOf(credential).account
  if (await people.agents.isOwned(accountId, agentId)) return agentId
  throw new Refusal('NOT_FOUND')
}

export const readOwnedAgent = route(
  'GET /auth/agents/:agent_id',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the profile of an agent of this account',
    description: 'As the agent sees it, including the state of its webhook.',
    extension: true,
    access: 'session',
    errors: ['NOT_FOUND'],
  },
  async (input, services) => {
    const agentId = await ownedAgentId(input, services)
    return json(await shownProfile(agentId, services))
  },
)

export const listDeliveries = forAgentAndOwner(
  ['GET /agents/me/webhook-deliveries', 'GET /auth/agents/:agent_id/webhook-deliveries'],
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List webhook deliveries, newest first',
    description:
      'From the last 30 days, at most 10,000. A page filtered by `state` may have fewer ' +
      'deliveries than `limit` although there are more. Follow `next_cursor`.',
    errors: [],
  },
  async (agentId, { query: { state, ...page } }, { people }) => {
    const choice = { ...pageAsked(page), state }
    return json(shownPage(await people.webhooks.deliveries(agentId, choice)))
  },
)

export const redeliver = forAgentAndOwner(
  [
    'POST /agents/me/webhook-deliveries/:id/redeliver',
    'POST /auth/agents/:agent_id/webhook-deliveries/:id/redeliver',
  ],
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Redeliver one delivery',
    description: 'Uses the same `webhook-id`, with a new timestamp and signature.',
    success: { status: 202 },
    errors: ['NOT_FOUND', 'WEBHOOK_OFF', 'BUSY'],
  },
  async (agentId, { params }, { people }) => {
    const id = params['id'] ?? ''
    await people.webhooks.redeliver(agentId, id)
    return json({ id })
  },
)

export const replayDeliveries = forAgentAndOwner(
  [
    'POST /agents/me/webhook-deliveries/replay',
    'POST /auth/agents/:agent_id/webhook-deliveries/replay',
  ],
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Redeliver everything that failed since a time',
    description: 'In the order of the events, each with its own `webhook-id`.',
    success: { status: 202 },
    errors: ['WEBHOOK_OFF', 'BUSY'],
  },
  async (agentId, { body }, { people, runtime }) => {
    const since = timeFrom(body.since, '/since')
    if (since < runtime.now() - limits.deliveryKeptMs) {
      const issues = [{ path: '/since', message: 'must be at most 30 days back' }]
      throw new Refusal('INVALID_REQUEST', { issues })
    }
    return json({ queued: await people.webhooks.replay(agentId, since) })
  },
)

export const testWebhook = forAgentAndOwner(
  ['POST /agents/me/webhook-test', 'POST /auth/agents/:agent_id/webhook-test'],
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Send a signed `ping`',
    description: 'Sent regardless of `webhook_events`. `data` is `{agent_id}`.',
    success: { status: 202 },
    errors: ['WEBHOOK_OFF', 'BUSY'],
  },
  async (agentId, _input, { people }) => json({ id: await people.webhooks.test(agentId) }),
)

const shownPage = ({
  deliveries,
  titles,
  next,
}: DeliveryPage): Static<typeof deliveriesSuccess> => ({
  deliveries: deliveries.map(({ id, event, slug, at, state, attempts, dueAt }) => ({
    id,
    event,
    document:
      slug === undefined
        ? null
        : { id: slug, title: titles.get(slug) ?? null, apiUrl: `/docs/${slug}` },
    created_at: isoTime(at),
    state,
    attempts: attempts.map(({ at, status = null, error = null, ms }) => ({
      at: isoTime(at),
      status,
      error,
      ms,
    })),
    next_attempt_at: isoOrNull(dueAt),
  })),
  next_cursor: next === undefined ? null : cursorAfter(next),
})
