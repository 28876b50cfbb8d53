/** Who a browser is (extensions §3): guest accounts, the session, and the claim to a document. */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import type { Account } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import { accountSuccess, claimSuccess, guestBody } from '../../schema/wire/account.ts'
import { noQuery, okSuccess } from '../../schema/wire/service.ts'
import { json } from '../answer.ts'
import { cookieHeader, sessionCookie } from '../credentials.ts'
import { documentRoute, route } from '../route.ts'

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
  async ({ credential, addresses }, { people }) => {
    if (credential?.kind === 'browser' && credential.session !== undefined) {
      await people.accounts.endSession(credential.session)
    }
    const ended = cookieHeader(sessionCookie, '', { ...addresses, maxAgeSeconds: 0 })
    return json({ ok: true as const }, { 'Set-Cookie': ended })
  },
)

export const claimDocument = documentRoute(
  {
    method: 'POST',
    path: '/docs/:slug/claim',
    summary: 'Become the owner of a document that has none',
    description:
      'For an account, guests too, that came by the create’s own share address; the first wins. ' +
      'Agents are never owners.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    query: noQuery,
    success: { status: 200, body: claimSuccess },
    errors: ['ALREADY_OWNED'],
  },
  async ({ credential, document }, { people }) => {
    if (credential?.kind !== 'browser') throw new Refusal('FORBIDDEN')
    await people.access.claim(credential, document.slug)
    return json({ id: document.slug, your_role: 'owner' as const })
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
