/** What people do with their own account (extensions §3): name, password, sessions, its end. */
import { requirePassword } from '../../core/accounts/passwords.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import { json } from '../answers/answer.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import {
  counted,
  countPasswordTry,
  requirePresent,
  requireQuota,
  shownAccount,
  withoutSession,
} from './account-answers.ts'

const own = { access: 'session', extension: true } as const

/** Who has a session may not try passwords faster than who has none. */
function countTry(input: Admitted, services: Services, accountId: string): void {
  requireQuota(input, services.quotas.take('login', input.address))
  countPasswordTry(input, services, `account:${accountId}`)
}

export const changeAccount = route(
  'PATCH /auth/me',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Change your name or password',
    description:
      'A new password requires `current_password` if one is set, and ends all other ' +
      'sessions. Guests set a password with `POST /auth/signup`.',
    check: ({ password }) => {
      if (password !== undefined) requirePassword(password)
    },
    errors: ['LOGIN_FAILED', 'RATE_LIMITED', 'BUSY'],
  },
  async (input, services) => {
    const { body, sources } = input
    const { accounts } = services.people
    const present = requirePresent(input)
    const { account } = present
    const name = body.name === undefined ? undefined : displayNameFrom(body.name, '/name')
    const { password, current_password: current } = body
    if (password !== undefined) {
      countTry(input, services, account.accountId)
      const change = { password, current, name, address: sources.address }
      const changed = await counted(services, accounts.changePassword(present, change))
      return json(await shownAccount(changed, services))
    }
    const renamed = name === undefined ? account : await accounts.rename(account.accountId, name)
    return json(await shownAccount(renamed, services))
  },
)

export const endAccount = route(
  'DELETE /auth/me',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Delete your account',
    description:
      'Requires the password if one is set. The account’s documents are archived, its ' +
      'sessions and grants end, what it wrote keeps its name, and its handle becomes ' +
      'available.',
    optionalBody: true,
    errors: ['LOGIN_FAILED', 'RATE_LIMITED', 'BUSY'],
  },
  async (input, services) => {
    const present = requirePresent(input)
    const { accountId, actor } = present.account
    countTry(input, services, accountId)
    const proof = { password: input.body.password, address: input.sources.address }
    await counted(services, services.people.accounts.end(present, proof))
    return json({ deleted: true as const, actor_id: actor }, withoutSession(input))
  },
)

export const listSessions = route(
  'GET /auth/sessions',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'List your sessions',
    description: 'Most recently used first. At most 100 are kept.',
    errors: [],
  },
  async (input, { people }) => {
    const { account, sha256 } = requirePresent(input)
    const sessions = await people.accounts.sessions(account)
    return json({
      sessions: sessions.map((session) => ({
        id: session.id,
        created_at: new Date(session.createdAt).toISOString(),
        last_used_at: new Date(session.usedAt).toISOString(),
        current: session.sha256 === sha256,
      })),
    })
  },
)

export const endSession = route(
  'DELETE /auth/sessions/:id',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'End one of your sessions',
    errors: ['NOT_FOUND'],
  },
  async (input, { people }) => {
    const { account, sha256 } = requirePresent(input)
    const id = input.params['id'] ?? ''
    const ended = await people.accounts.endSessionById(account, id)
    if (ended === undefined) throw new Refusal('NOT_FOUND')
    const headers = ended === sha256 ? withoutSession(input) : {}
    return json({ deleted: true as const, id }, headers)
  },
)

export const answerGuestDocuments = route(
  'POST /auth/guest-documents',
  {
    ...own,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Decide about the documents of a former guest',
    description:
      'For an account that signed in from a guest’s session (`guest_documents` of `GET ' +
      '/auth/me`, one guest at a time; `actor_id` selects the guest). Moves the guest’s ' +
      'grants and ownership to the account, or leaves them. Authorship does not change.',
    errors: ['NOT_FOUND'],
  },
  async (input, { people }) => {
    const { account } = requirePresent(input)
    const { join, actor_id: guest } = input.body
    const answered = people.accounts.answerGuestDocuments(account.accountId, { join, guest })
    const documents = await answered
    if (documents === undefined) throw new Refusal('NOT_FOUND')
    return json({ joined: join, documents })
  },
)
