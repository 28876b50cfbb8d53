/** `/auth/…` and `POST /docs/:slug/claim` (extensions §3, §9). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { nullable } from './primitives.ts'

/** What is read of a password that is only compared. */
const passwordSentMaxChars = 1_000

const nameShape = Type.String({ description: 'One line, at most 80 characters.' })
const handleShape = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{1,38}$' })
const newPasswordShape = Type.String({
  description: `${limits.passwordMinChars} to ${limits.passwordMaxChars} characters.`,
})
/** One that is only compared has no rule but that it is read at all. */
const passwordShape = Type.String({ maxLength: passwordSentMaxChars })
const closed = { additionalProperties: false } as const
const timeShape = Type.String({ description: 'ISO 8601.' })

export const guestBody = Type.Object({ name: nameShape }, closed)

export const signUpBody = Type.Object(
  { handle: handleShape, name: nameShape, password: newPasswordShape },
  closed,
)

export const signInBody = Type.Object(
  { handle: Type.String({ maxLength: 200 }), password: passwordShape },
  closed,
)

export const accountSuccess = Type.Object({
  actor_id: Type.String({ pattern: '^human:' }),
  handle: Type.String(),
  name: Type.String(),
  guest: Type.Boolean({
    description: 'The account has no password and can only be used by its session.',
  }),
  guest_documents: Type.Optional(
    Type.Object(
      { actor_id: Type.String(), name: Type.String(), documents: Type.Integer() },
      {
        description:
          'Documents of the guest that this browser was before. They move to the account with ' +
          '`POST /auth/guest-documents`.',
      },
    ),
  ),
})

export const accountChange = Type.Object(
  {
    name: Type.Optional(nameShape),
    password: Type.Optional(newPasswordShape),
    current_password: Type.Optional(passwordShape),
  },
  closed,
)

export const accountEnd = Type.Object({ password: Type.Optional(passwordShape) }, closed)

export const accountEnded = Type.Object({
  deleted: Type.Literal(true),
  actor_id: Type.String(),
})

export const sessionsSuccess = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Identifies the session. It is not a secret.' }),
      created_at: timeShape,
      last_used_at: timeShape,
      current: Type.Boolean({ description: 'The session of this request.' }),
    }),
  ),
})

export const sessionEnded = Type.Object({ deleted: Type.Literal(true), id: Type.String() })

export const guestDocumentsBody = Type.Object(
  { join: Type.Boolean(), actor_id: Type.Optional(Type.String({ maxLength: 200 })) },
  closed,
)

export const guestDocumentsSuccess = Type.Object({
  joined: Type.Boolean(),
  documents: Type.Integer(),
})

export const resetBody = Type.Object({ secret: passwordShape, password: newPasswordShape }, closed)

export const signInOptions = Type.Object({
  signup: Type.Union([Type.Literal('open'), Type.Literal('oidc'), Type.Literal('closed')]),
  guests: Type.Boolean({ description: 'Guests can write with only a name.' }),
  provider: Type.Boolean({ description: '`GET /auth/oidc` starts single sign-on.' }),
  account: Type.Optional(
    Type.Object(
      { password: Type.Boolean(), linked: Type.Boolean() },
      { description: 'The ways to sign in to this browser’s account.' },
    ),
  ),
})

/** Where a browser goes to sign in elsewhere, and what for. */
export const detourQuery = Type.Object(
  {
    link: Type.Optional(Type.Literal('1')),
    back: Type.Optional(
      Type.String({
        pattern: '^/(?:account|d/[0-9a-z]{20})?$',
        description: 'The page to return to.',
      }),
    ),
  },
  closed,
)

export const claimSuccess = Type.Object({
  id: Type.String(),
  your_role: Type.Literal('owner'),
})

export const givenBackSuccess = Type.Object({
  id: Type.String(),
  your_role: Type.Literal('editor'),
})

/** Owner keys of an account: `/auth/owner-keys` (extensions §3, §9). */
export const ownerKeyBody = Type.Object(
  { name: Type.Optional(Type.String({ description: 'One line, at most 80 characters.' })) },
  { additionalProperties: false },
)

export const newOwnerKeySuccess = Type.Object({
  key_id: Type.String(),
  key: Type.String({ description: 'Shown only once.' }),
  name: Type.String(),
  created_at: Type.String(),
})

export const ownerKeysSuccess = Type.Object({
  keys: Type.Array(
    Type.Object({
      key_id: Type.String(),
      name: Type.String(),
      created_at: Type.String(),
      last_used_at: nullable(Type.String()),
    }),
  ),
})

export const deletedOwnerKeySuccess = Type.Object({
  deleted: Type.Literal(true),
  key_id: Type.String(),
})
