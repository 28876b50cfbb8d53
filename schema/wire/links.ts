/** Links to a document and its general access (interface §4.10, extensions §4). */
import { Type } from '@sinclair/typebox'
import { expiresAtShape, givenRoleShape, timeShape } from './access.ts'
import { displayNameShape, nullable } from './primitives.ts'
import { linkAccessShape } from './read-document.ts'

export const shareLinkSuccess = Type.Object({
  url: Type.String({ description: 'The short link. It contains no secret.' }),
  code: Type.String({ pattern: '^[0-9a-z]{20}$' }),
  role: nullable(linkAccessShape.properties.role),
  link_id: Type.String({ description: 'The id of this link in the log.' }),
})

export const confirmationSuccess = Type.Object({
  confirmation_url: Type.String({ description: 'Follow it once.' }),
  expires_at: Type.String({ description: 'ISO 8601, five minutes from now.' }),
})

export const confirmedSuccess = Type.Object({
  slug: Type.String(),
  api_reference_url: Type.String(),
})

export const linkAccessBody = Type.Partial(linkAccessShape, {
  additionalProperties: false,
  minProperties: 1,
})

/** For whom a link was made; it lets in whoever has it. */
const audienceShape = Type.Literal('agent')

export const newLinkBody = Type.Object(
  {
    role: Type.Optional(givenRoleShape),
    name: Type.Optional(
      Type.String({
        maxLength: 140,
        description:
          '2 to 64 of `a–z`, `0–9` and `-`, not shaped like a generated code, or `@handle/name` ' +
          'with your own handle.',
      }),
    ),
    expires_at: Type.Optional(expiresAtShape),
    audience: Type.Optional(audienceShape),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)

export const linkShape = Type.Object({
  code: Type.String({ pattern: '^[0-9a-z]{20}$' }),
  url: Type.String({ description: 'With its name, if it has one.' }),
  /** Null of the link of general access while that is restricted. */
  role: nullable(givenRoleShape),
  name: nullable(Type.String()),
  expires_at: nullable(timeShape),
  created_at: timeShape,
  link_id: Type.String({ description: 'The id of this link in the log.' }),
  audience: Type.Optional(audienceShape),
})

export const linkListSuccess = Type.Object({
  links: Type.Array(
    Type.Object({
      ...linkShape.properties,
      current_role: nullable(givenRoleShape),
      general: Type.Boolean({ description: 'True for the general-access link.' }),
      created_by: nullable(Type.String({ description: 'The id of an actor.' })),
      last_used_at: nullable(timeShape),
      uses: Type.Integer({ description: 'How many times it was opened.' }),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const revokedLinkSuccess = Type.Object({
  deleted: Type.Literal(true),
  code: Type.String(),
})
