/** Naming a document token (interface §4.7) and registering an agent (§4.12). */
import { displayNameFrom } from '../../core/records/display-name.ts'
import { Refusal } from '../../schema/errors.ts'
import {
  identifyBody,
  identifySuccess,
  registerBody,
  registerSuccess,
} from '../../schema/wire/agents.ts'
import { noQuery } from '../../schema/wire/service.ts'
import { json } from '../answer.ts'
import { documentRoute, route } from '../route.ts'

export const identify = documentRoute(
  {
    method: 'POST',
    path: '/agents/identify',
    summary: 'Give a document token a name',
    description: 'Calling again renames. A registered agent has its name already and keeps it.',
    access: 'read',
    slugIn: 'body',
    credentialRequired: true,
    quota: 'identify',
    query: noQuery,
    body: identifyBody,
    success: { status: 200, body: identifySuccess },
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
  {
    method: 'POST',
    path: '/agents/register',
    summary: 'Register an agent',
    description: 'The secret is shown this once. It authenticates the agent everywhere.',
    access: 'optional',
    quota: 'account',
    query: noQuery,
    body: registerBody,
    success: { status: 201, body: registerSuccess },
    errors: ['FORBIDDEN', 'HANDLE_TAKEN'],
  },
  async ({ body }, { people, config }) => {
    if (config.registrationOpen === false) throw new Refusal('FORBIDDEN')
    const name = displayNameFrom(body.name, '/name')
    const { agent, secret } = await people.agents.register({ name, handle: body.handle })
    return json({
      agent_id: agent.agentId,
      agent_secret: secret,
      actor_id: agent.actor,
      handle: agent.handle,
      name: agent.name,
    })
  },
)
