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
    { description: 'Of others, of which this account is a member.' },
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
  description: 'Its name in the workspace; old ones go on leading to it.',
})

export const newBotBody = Type.Object(
  { name: botName, slug: Type.Optional(botSlug) },
  { additionalProperties: false },
)

export const newBotSuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown this once.' }),
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
        description: 'An inactive bot keeps secret and brain, not the team’s files.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const botSuccess = botShape

const flag = (description: string) =>
  Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')], { description }))

const archived = flag('Archived documents in place of the others.')

export const libraryQuery = Type.Object(
  {
    ...pageQuery.properties,
    container: Type.Optional(Type.String({ description: 'Without one, the personal container.' })),
    parent: Type.Optional(Type.String({ description: 'A folder of it.' })),
    archived,
    nested: flag('The documents of all folders of the container, without the folders.'),
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
  name: Type.String({ description: 'The title, untrusted text; empty where there is none.' }),
  apiUrl: Type.Optional(Type.String()),
  updated_at: Type.String({ description: 'When its text changed last; when a folder was made.' }),
  updated_by: nullable(personShape),
  created_at: Type.Optional(Type.String({ description: 'Of a document.' })),
  archived_at: Type.Optional(Type.String()),
}

const pageInfo = Type.Object({ nextCursor: nullable(Type.String()) })

export const librarySuccess = Type.Object({
  path: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'The folders from the root of the container to this one.',
  }),
  nodes: Type.Array(Type.Object(node)),
  pageInfo,
})

export const sharedSuccess = Type.Object({
  nodes: Type.Array(Type.Object({ ...node, your_role: roleShape, owner: nullable(personShape) })),
  pageInfo,
})
