/** Naming a document token (interface §4.7) and making an agent (§4.12). */
import { endOfIdle } from '../../core/agents/idle-life.ts'
import { attachedRecordsOf } from '../../core/commit/attached-records.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import type { Agent } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import { ownerKeyOf } from '../admission/credential-kinds.ts'
import { madeOnce, retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { isoTime } from '../answers/times.ts'
import { documentRoute, route } from '../route.ts'
import type { Services } from '../services.ts'

export const identify = documentRoute(
  'POST /agents/identify',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Give a document token a display name',
    description:
      'Calling it again changes the name. A registered agent already has a name and keeps ' + 'it.',
    access: 'identify',
    slugIn: 'body',
    credentialRequired: true,
    quota: 'identify',
    errors: [],
  },
  async ({ credential, displayName }, { people }) => {
    if (credential === undefined || displayName === undefined) {
      throw new TypeError('identify was run without a credential or a name')
    }
    const named = await people.links.identify(credential, displayName)
    return json({ actor_id: named.actor, display_name: named.displayName })
  },
)

export const register = route(
  'POST /agents/register',
  {
    quota: 'account',
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Register an agent',
    description:
      'The secret is shown only once. It authenticates the agent on every document. With a ' +
      'person’s session, the agent belongs to that account.',
    access: 'optional',
    ...retryable,
    success: { status: 201 },
    errors: ['FORBIDDEN', 'HANDLE_TAKEN', 'LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { body, credential } = input
    const { people, config } = services
    if (config.registrationOpen === false) throw new Refusal('FORBIDDEN')
    const name = displayNameFrom(body.name, '/name')
    const session = credential?.kind === 'browser' ? credential.session : undefined
    const ownerId = session?.account.accountId
    const request = { name, handle: body.handle, ownerId }
    return json(shownNew(await registeredOnce(input, services, request), people.secrets))
  },
)

export const registerEphemeral = route(
  'POST /agents/ephemeral',
  {
    quota: 'account',
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create an ephemeral agent',
    description:
      'Requires an owner key. The agent has a random handle, expires after 30 idle days, ' +
      'and can never become a bot.',
    access: 'owner-key',
    ...retryable,
    optionalBody: true,
    success: { status: 201 },
    errors: ['LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { body, credential } = input
    const name = displayNameFrom(body.name ?? 'Ephemeral agent', '/name')
    const ownerId = ownerKeyOf(credential).account.accountId
    const request = { name, ownerId, ephemeral: true }
    const made = await registeredOnce(input, services, request)
    const expires_at = isoTime(endOfIdle(made.createdAt))
    return json({ ...shownNew(made, services.people.secrets), expires_at })
  },
)

type Registered = Pick<Agent, 'agentId' | 'actor' | 'handle' | 'name' | 'createdAt'> & {
  readonly secretId: string
}

function registeredOnce(
  input: Admitted,
  services: Services,
  request: Parameters<Services['people']['agents']['register']>[0],
): Promise<Registered> {
  const { agents, secrets } = services.people
  return madeOnce<Registered>(input, services, async (attached) => {
    const { id: secretId, secret } = secrets.make('as')
    const noteOf = ({ agentId, actor, handle, name, createdAt }: Agent): Registered => ({
      ...{ agentId, actor, handle, name, createdAt, secretId },
    })
    const made = await agents.register({ ...request, secret }, attachedRecordsOf(attached, noteOf))
    return noteOf(made.agent)
  })
}

const shownNew = (
  { agentId, actor, handle, name, secretId }: Registered,
  secrets: Services['people']['secrets'],
) => ({
  ...{ agent_id: agentId, agent_secret: secrets.again('as', secretId) },
  ...{ actor_id: actor, handle, name },
})
