/** `/auth/…` and `POST /docs/:slug/claim` (extensions §3, §9). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'

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
  guest: Type.Boolean({ description: 'It has no password: only its session leads back to it.' }),
  guest_documents: Type.Optional(
    Type.Object(
      { actor_id: Type.String(), name: Type.String(), documents: Type.Integer() },
      {
        description:
          'What the guest had that this browser was before. It joins the account when ' +
          '`POST /auth/guest-documents` says so.',
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
      id: Type.String({ description: 'Names the session; it opens nothing.' }),
      created_at: timeShape,
      last_used_at: timeShape,
      current: Type.Boolean({ description: 'The session that asks.' }),
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
  guests: Type.Boolean({ description: 'A name alone is enough to write.' }),
  provider: Type.Boolean({ description: '`GET /auth/oidc` leads to a provider of identities.' }),
  account: Type.Optional(
    Type.Object(
      { password: Type.Boolean(), linked: Type.Boolean() },
      { description: 'By what this browser’s account can be entered.' },
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
        description: 'The page that it comes back to.',
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
