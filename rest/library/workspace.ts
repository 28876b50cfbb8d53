/** A person's workspace (extensions §7): its members and its bots. */
import type { Static } from '@sinclair/typebox'
import { attachedRecordsOf } from '../../core/commit/attached-records.ts'
import type { Bot } from '../../core/library/bots.ts'
import type { WholeWorkspace } from '../../core/library/library.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import type { Account } from '../../core/records/records.ts'
import type { workspaceSuccess } from '../../schema/wire/workspace.ts'
import type { Admitted } from '../admission/admitted.ts'
import { sessionOf } from '../admission/credential-kinds.ts'
import { madeOnce, retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { route } from '../route.ts'

const own = { extension: true, access: 'session' } as const

const accountIdOf = ({ credential }: Admitted): string => sessionOf(credential).account.accountId

export const readWorkspace = route(
  'GET /workspace',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the workspace of this account',
    description:
      'Returns its containers (`personal` belongs to the account, `team` is shared with its ' +
      'members, each bot has a `brain`), its members and bots, and the teams of others that ' +
      'the account is a member of.',
    errors: [],
  },
  async (input, { people }) => json(shown(await people.library.workspace(accountIdOf(input)))),
)

export const addMember = route(
  'POST /workspace/members',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Add a person to the team',
    description: 'Members can edit everything in the team’s container.',
    success: { status: 201 },
    errors: ['HANDLE_NOT_FOUND', 'LIMIT_REACHED'],
  },
  async (input, { people }) =>
    json(person(await people.library.addMember(accountIdOf(input), input.body.handle))),
)

export const removeMember = route(
  'DELETE /workspace/members/:actor',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Remove a person from the team',
    description: 'Closes sockets that the person had open through the team.',
    errors: ['NOT_FOUND'],
  },
  async (input, { people }) => {
    const actor = input.params['actor'] ?? ''
    await people.library.removeMember(accountIdOf(input), actor)
    return json({ deleted: true as const, actor_id: actor })
  },
)

interface MadeBot {
  readonly bot: Omit<ReturnType<typeof shownBot>, 'active'>
  readonly secretId: string
}

export const makeBot = route(
  'POST /workspace/bots',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create a bot',
    description:
      'A bot is an agent of the workspace with its own brain. Its secret is shown only once.',
    quota: 'account',
    ...retryable,
    success: { status: 201 },
    errors: ['HANDLE_TAKEN', 'LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { library, secrets } = services.people
    const name = displayNameFrom(input.body.name, '/name')
    const request = { accountId: accountIdOf(input), name, slug: input.body.slug }
    const { secretId, bot } = await madeOnce<MadeBot>(input, services, async (attached) => {
      const { id: secretId, secret } = secrets.make('as')
      const noteOf = (agent: Parameters<typeof shownBot>[0]): MadeBot => {
        const { active: _, ...bot } = shownBot(agent)
        return { bot, secretId }
      }
      const made = await library.createBot(
        { ...request, secret },
        attachedRecordsOf(attached, noteOf),
      )
      return noteOf(made.agent)
    })
    return json({ ...bot, agent_secret: secrets.again('as', secretId) })
  },
)

export const changeBot = route(
  'PATCH /workspace/bots/:agent_id',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Rename, activate or deactivate a bot',
    errors: ['NOT_FOUND', 'HANDLE_TAKEN', 'LIMIT_REACHED'],
  },
  async (input, { people }) => {
    const { name, slug, active } = input.body
    const bot = { accountId: accountIdOf(input), agentId: input.params['agent_id'] ?? '' }
    const checked = name === undefined ? undefined : displayNameFrom(name, '/name')
    return json(shownBot(await people.library.changeBot(bot, { name: checked, slug, active })))
  },
)

export const deleteBot = route(
  'DELETE /workspace/bots/:agent_id',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete a bot permanently',
    description: 'Documents in its brain stay with the account.',
    errors: ['NOT_FOUND'],
  },
  async (input, { people }) => {
    const agentId = input.params['agent_id'] ?? ''
    await people.library.deleteBot(accountIdOf(input), agentId)
    return json({ deleted: true as const, agent_id: agentId })
  },
)

const person = ({ actor, handle, name }: Account) => ({ actor_id: actor, handle, name })

const shownBot = ({ agentId, actor, handle, name, bot }: Bot) => ({
  agent_id: agentId,
  actor_id: actor,
  handle,
  name,
  bot_slug: bot.slug,
  active: bot.active,
  container_id: bot.containerId,
})

function shown(whole: WholeWorkspace): Static<typeof workspaceSuccess> {
  const { workspace, brains, members, bots, teams } = whole
  return {
    id: workspace.workspaceId,
    containers: [
      { id: workspace.personal, kind: 'personal', name: 'Personal' },
      { id: workspace.team, kind: 'team', name: 'Team' },
      ...brains.map(({ containerId, name = '' }) => ({
        ...{ id: containerId, kind: 'brain' as const },
        name,
      })),
    ],
    members: members.map(person),
    bots: bots.map(shownBot),
    teams: teams.map(({ workspace: { team, workspaceId }, owner }) => ({
      ...{ id: team, workspace_id: workspaceId },
      owner: person(owner),
    })),
  }
}
