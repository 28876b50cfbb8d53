/** What an agent does with itself (interface §4.12, extensions §4, §9): profile, secret, end. */
import type { RotatedSecret } from '../../core/agents/secrets.ts'
import { attachedRecordsOf } from '../../core/commit/attached-records.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { agentOf } from '../admission/credential-kinds.ts'
import { madeOnce, retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { isoTime } from '../answers/times.ts'
import { route } from '../route.ts'
import { shownProfile } from './shown-agents.ts'

export const readOwnAgent = route(
  'GET /agents/me',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    access: 'agent',
    summary: 'Get your agent profile',
    errors: [],
  },
  async ({ credential }, services) =>
    json(await shownProfile(agentOf(credential).agentId, services)),
)

export const changeOwnAgent = route(
  'PATCH /agents/me',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    access: 'agent',
    summary: 'Update your agent profile',
    description:
      'Fields that are left out stay unchanged. Setting `webhook_url` returns a new ' +
      '`webhook_secret`, only once. The previous secret also signs for 24 hours. The URL ' +
      'must resolve to public addresses unless an operator allows others.',
    errors: [],
  },
  async ({ body, credential }, services) => {
    const { agentId } = agentOf(credential)
    const { avatar_url: avatarUrl, webhook_url, webhook_events, webhook_headers } = body
    const { webhookSecret } = await services.people.agents.change(agentId, {
      name: body.name === undefined ? undefined : displayNameFrom(body.name, '/name'),
      avatarUrl,
      webhook: { url: webhook_url, events: webhook_events, headers: webhook_headers },
    })
    const profile = await shownProfile(agentId, services)
    return json({ ...profile, ...(webhookSecret && { webhook_secret: webhookSecret }) })
  },
)

type Rotated = Pick<RotatedSecret, 'previousUntil'> & { readonly secretId: string }

export const rotateKey = route(
  'POST /agents/me/rotate-key',
  {
    access: 'agent',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Rotate the agent secret',
    description:
      'The old secret stays valid for 24 hours. At most five old secrets are valid at a ' + 'time.',
    ...retryable,
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { agents, secrets } = services.people
    const { agentId, sha256: used } = agentOf(input.credential)
    const rotated = await madeOnce<Rotated>(input, services, async (attached) => {
      const { id: secretId, secret } = secrets.make('as')
      const noteOf = ({ previousUntil }: RotatedSecret) => ({ previousUntil, secretId })
      return noteOf(
        await agents.rotate({ agentId, used, secret }, attachedRecordsOf(attached, noteOf)),
      )
    })
    return json({
      agent_id: agentId,
      agent_secret: secrets.again('as', rotated.secretId),
      previous_valid_until: isoTime(rotated.previousUntil),
    })
  },
)

export const deleteOwnAgent = route(
  'DELETE /agents/me',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    access: 'agent',
    summary: 'Delete this agent permanently',
    description:
      'Its handle becomes available, and a new holder is a different actor. A bot can only ' +
      'be deleted by its owner.',
    errors: ['BOT_OWNER_DELETE_REQUIRED'],
  },
  async ({ credential }, { people }) => {
    const { agentId, sha256 } = agentOf(credential)
    await people.agents.deleteSelf({ agentId, used: sha256 })
    return json({ deleted: true as const, agent_id: agentId })
  },
)
