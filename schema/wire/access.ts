/** Who has access to a document, and giving and taking it (interface §4.10, extensions §3). */
import { Type } from '@sinclair/typebox'
import { displayNameShape, nullable } from './primitives.ts'
import { linkAccessShape } from './read-document.ts'

export const givenRoleShape = linkAccessShape.properties.role

/** Whether a time is one, and to come, is judged where the clock is. */
export const expiresAtShape = Type.String({
  description: 'ISO 8601, in the future. If left out, it does not expire.',
})

export const timeShape = Type.String({ description: 'ISO 8601.' })

export const giveAccessBody = Type.Union([
  Type.Object(
    {
      role: givenRoleShape,
      expires_at: Type.Optional(expiresAtShape),
      display_name: Type.Optional(displayNameShape),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      handle: Type.String({ maxLength: 100, description: 'The handle of a person or an agent.' }),
      role: givenRoleShape,
      display_name: Type.Optional(displayNameShape),
    },
    { additionalProperties: false },
  ),
])

export const giveAccessSuccess = Type.Union([
  Type.Object({
    token_id: Type.String(),
    access_token: Type.String({
      pattern: '^dtk_',
      description:
        'Shown only once. Everyone who uses it shares one identity. Reads with it return ' +
        '`your_token`.',
    }),
    role: givenRoleShape,
    expires_at: nullable(timeShape),
  }),
  Type.Object({
    actor_id: Type.String(),
    handle: Type.String(),
    name: Type.String(),
    role: givenRoleShape,
  }),
])

const personShape = Type.Object({
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
})

const offerShape = Type.Object({
  ...personShape.properties,
  offered_at: timeShape,
  expires_at: timeShape,
})

export const accessListSuccess = Type.Object({
  owner: nullable(personShape),
  grants: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Delete it by this id.' }),
      actor_id: Type.String(),
      handle: Type.String(),
      name: Type.String(),
      role: givenRoleShape,
      source: Type.Union([Type.Literal('invite'), Type.Literal('link'), Type.Literal('creator')]),
      invited_by: nullable(Type.String({ description: 'The id of the actor who did.' })),
    }),
  ),
  tokens: Type.Array(
    Type.Object({
      token_id: Type.String(),
      role: givenRoleShape,
      created_at: timeShape,
      expires_at: nullable(timeShape),
      last_used_at: nullable(timeShape),
    }),
    { description: 'All tokens, on the first page only.' },
  ),
  share_address: nullable(
    Type.Object(
      { token_id: Type.String(), role: givenRoleShape },
      { description: 'The original share address, while it is valid.' },
    ),
  ),
  offer: nullable(offerShape),
  next_cursor: nullable(Type.String()),
})

export const takeAccessQuery = Type.Object(
  {
    keep_links: Type.Optional(
      Type.String({
        pattern: '^(?:true|false|1|0|)$',
        description: 'The caller takes over the links and tokens that they created.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const takenAccessSuccess = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
})

export const ownershipSuccess = Type.Object({
  id: Type.String(),
  owner: nullable(personShape),
  offer: nullable(offerShape),
})

export const offerBody = Type.Object(
  {
    handle: Type.String({
      maxLength: 100,
      description: 'The handle of a person with a full account.',
    }),
  },
  { additionalProperties: false },
)

export const offerSuccess = Type.Object({
  id: Type.String(),
  offered_to: personShape,
  expires_at: timeShape,
})
