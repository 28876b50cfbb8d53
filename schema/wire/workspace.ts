/** Workspaces of people and what stands in them (extensions §7). */
import { Type } from '@sinclair/typebox'
import { pageQuery } from './pages.ts'
import { nullable, roleShape } from './primitives.ts'

const personShape = Type.Object({
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
})

const containerShape = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('personal'), Type.Literal('team'), Type.Literal('brain')]),
  name: Type.String(),
})

const botShape = Type.Object({
  agent_id: Type.String(),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  bot_slug: Type.String(),
  active: Type.Boolean(),
  container_id: Type.String({ description: 'Its brain.' }),
})

export const workspaceSuccess = Type.Object({
  id: Type.String(),
  containers: Type.Array(containerShape),
  members: Type.Array(personShape),
  bots: Type.Array(botShape),
  teams: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The container of the team.' }),
      workspace_id: Type.String(),
      owner: personShape,
    }),
    { description: 'Teams of others that this account is a member of.' },
  ),
})

export const memberBody = Type.Object({ handle: Type.String() }, { additionalProperties: false })

export const memberSuccess = personShape

export const removedMemberSuccess = Type.Object({
  deleted: Type.Literal(true),
  actor_id: Type.String(),
})

const botName = Type.String({ description: 'One line, at most 80 characters.' })
const botSlug = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{1,38}$',
  description: 'Its name in the workspace. Previous slugs keep working.',
})

export const newBotBody = Type.Object(
  { name: botName, slug: Type.Optional(botSlug) },
  { additionalProperties: false },
)

export const newBotSuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown only once.' }),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  bot_slug: Type.String(),
  container_id: Type.String(),
})

export const botChangesBody = Type.Object(
  {
    name: Type.Optional(botName),
    slug: Type.Optional(botSlug),
    active: Type.Optional(
      Type.Boolean({
        description:
          'An inactive bot keeps its secret and its brain but loses access to the team’s files.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const botSuccess = botShape

const flag = (description: string) =>
  Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')], { description }))

const archived = flag('List archived documents instead of active ones.')

export const libraryQuery = Type.Object(
  {
    ...pageQuery.properties,
    container: Type.Optional(Type.String({ description: 'The personal container if left out.' })),
    parent: Type.Optional(Type.String({ description: 'A folder of this container.' })),
    archived,
    nested: flag('Lists the documents of all folders, without the folders.'),
  },
  { additionalProperties: false },
)

export const sharedQuery = Type.Object(
  { ...pageQuery.properties, archived },
  { additionalProperties: false },
)

const node = {
  id: Type.String(),
  kind: Type.Union([Type.Literal('folder'), Type.Literal('doc')]),
  name: Type.String({ description: 'The title. Untrusted text. Empty when there is none.' }),
  apiUrl: Type.Optional(Type.String()),
  updated_at: Type.String({
    description: 'When the text last changed, or when the folder was created.',
  }),
  updated_by: nullable(personShape),
  created_at: Type.Optional(Type.String({ description: 'Only for documents.' })),
  archived_at: Type.Optional(Type.String()),
}

const pageInfo = Type.Object({ nextCursor: nullable(Type.String()) })

export const librarySuccess = Type.Object({
  path: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'The folders from the root of the container down to this one.',
  }),
  nodes: Type.Array(Type.Object(node)),
  pageInfo,
})

export const sharedSuccess = Type.Object({
  nodes: Type.Array(Type.Object({ ...node, your_role: roleShape, owner: nullable(personShape) })),
  pageInfo,
})
