/** Who a browser is (extensions §3): guest accounts and the session. */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import type { Account } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import { accountSuccess, guestBody } from '../../schema/wire/account.ts'
import { noQuery, okSuccess } from '../../schema/wire/service.ts'
import { json } from '../answer.ts'
import { cookieHeader, sessionCookie } from '../credentials.ts'
import { route } from '../route.ts'

const open = { access: 'optional', query: noQuery, extension: true } as const

export const becomeGuest = route(
  {
    ...open,
    method: 'POST',
    path: '/auth/guest',
    summary: 'Take a guest account by a name alone',
    description:
      'Sets the cookie `session`. A browser that has a session keeps its account and renames it: 200.',
    quota: 'account',
    body: guestBody,
    success: { status: 201, body: accountSuccess, otherStatuses: [200] },
    errors: [],
  },
  async ({ body, credential, addresses }, { people }) => {
    const name = displayNameFrom(body.name, '/name')
    const known = accountOf(credential)
    if (known !== undefined) {
      return { ...json(shown(await people.accounts.rename(known.accountId, name))), status: 200 }
    }
    const { account, session } = await people.accounts.createGuest(name)
    return json(shown(account), { 'Set-Cookie': cookieHeader(sessionCookie, session, addresses) })
  },
)

export const whoAmI = route(
  {
    ...open,
    method: 'GET',
    path: '/auth/me',
    summary: 'The account of this browser’s session',
    success: { status: 200, body: accountSuccess },
    errors: [],
  },
  async ({ credential, cookie, addresses }) => {
    const account = accountOf(credential)
    const session = cookie(sessionCookie)
    if (account === undefined || session === undefined) throw new Refusal('AUTH_REQUIRED')
    return json(shown(account), { 'Set-Cookie': cookieHeader(sessionCookie, session, addresses) })
  },
)

export const logOut = route(
  {
    ...open,
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the session',
    description: 'A guest without its session is gone for good; what it wrote stays its own.',
    success: { status: 200, body: okSuccess },
    errors: [],
  },
  async ({ credential, cookie, addresses }, { people }) => {
    if (credential?.kind === 'browser' && credential.session !== undefined) {
      await people.accounts.endSession(credential.session)
    }
    // Another site's form comes without the cookie, and must not take it away.
    if (cookie(sessionCookie) === undefined) return json({ ok: true as const })
    const ended = cookieHeader(sessionCookie, '', { ...addresses, maxAgeSeconds: 0 })
    return json({ ok: true as const }, { 'Set-Cookie': ended })
  },
)

function accountOf(credential: Credential | undefined): Account | undefined {
  return credential?.kind === 'browser' ? credential.session?.account : undefined
}

const shown = ({ actor, handle, name, guest }: Account): Static<typeof accountSuccess> => ({
  actor_id: actor,
  handle,
  name,
  guest,
})
