/** Who a browser is (extensions §3): guest accounts and the session. */
import type { Static } from '@sinclair/typebox'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { Refusal } from '../../schema/errors.ts'
import type { accountSuccess, guestBody } from '../../schema/wire/account.ts'
import type { Admitted } from '../admission/admitted.ts'
import { cookieHeader, sessionCookie } from '../admission/credentials.ts'
import { originCookie } from '../admission/own-origin.ts'
import { type Answer, json } from '../answers/answer.ts'
import { documentRoute, route } from '../route.ts'
import type { Services } from '../services.ts'
import {
  presentOf,
  requirePresent,
  shownAccount,
  signedInAnswer,
  withoutSession,
} from './account-answers.ts'

const open = { access: 'optional', extension: true } as const

export const becomeGuest = route(
  'POST /auth/guest',
  {
    ...open,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create a guest account',
    description:
      'Requires only a name. Sets the cookie `session`. A browser that already has a ' +
      'session keeps its account (200): a guest is renamed, an account that was signed up is not.',
    quota: 'account',
    success: { status: 201, otherStatuses: [200] },
    errors: [],
  },
  guestNamed,
)

export const becomeGuestOfDocument = documentRoute(
  'POST /docs/:slug/guest',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    extension: true,
    summary: 'Create a guest account for a browser that came by a link',
    description:
      'Like `POST /auth/guest`, but the quota counts by link, so that many people behind ' +
      'one address can open the same link at once. 403 for a caller that did not come by a ' +
      'link.',
    access: 'read',
    credentialRequired: true,
    accountQuota: 'guest',
    success: { status: 201, otherStatuses: [200] },
    errors: [],
  },
  (input, services) => {
    const { credential } = input
    if (credential?.kind !== 'browser' || credential.link === undefined) {
      throw new Refusal('FORBIDDEN', { next: 'POST /auth/guest' })
    }
    return guestNamed(input, services)
  },
)

async function guestNamed(
  input: Admitted & { readonly body: Static<typeof guestBody> },
  services: Services,
): Promise<Answer<Static<typeof accountSuccess>>> {
  const { accounts } = services.people
  const name = displayNameFrom(input.body.name, '/name')
  const known = presentOf(input.credential)
  if (known !== undefined) {
    const { account } = known
    const kept = account.guest ? await accounts.rename(account.accountId, name) : account
    return { ...json(await shownAccount(kept, services)), status: 200 }
  }
  if (!services.config.guestsAllowed) {
    throw new Refusal('FORBIDDEN', { next: 'POST /auth/login' }, 'Guest accounts are turned off.')
  }
  return signedInAnswer(await accounts.createGuest(name), input, services)
}

export const whoAmI = route(
  'GET /auth/me',
  {
    ...open,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the account of this session',
    errors: [],
  },
  async (input, services) => {
    const { account } = requirePresent(input)
    // Kept for as long as it is used.
    return signedInAnswer({ account, session: input.cookie(sessionCookie) ?? '' }, input, services)
  },
)

export const attestOrigin = route(
  'POST /auth/origin',
  {
    ...open,
    access: 'none',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Confirm that a page belongs to this service',
    description:
      'For a page whose WebSocket is refused because of its `Origin`. The cookie that this ' +
      'sets serves WebSocket upgrades as `Sec-Fetch-Site` serves other requests. 403 names ' +
      'the setting that does not match.',
    errors: ['FORBIDDEN'],
  },
  async (input, { people }) => {
    input.requireOwnOrigin()
    const origin = input.header('origin') ?? ''
    if (!origin.startsWith('https:')) return json({ ok: true as const })
    const cookie = { sameSite: 'strict', baseUrl: origin } as const
    const value = people.access.originMark(origin)
    return json({ ok: true as const }, { 'Set-Cookie': cookieHeader(originCookie, value, cookie) })
  },
)

export const logOut = route(
  'POST /auth/logout',
  {
    ...open,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Sign out',
    description:
      'A guest account cannot be used again after signing out. What it wrote keeps its ' + 'name.',
    errors: [],
  },
  async (input, { people }) => {
    const present = presentOf(input.credential)
    if (present !== undefined) await people.accounts.endSession(present)
    // Another site's form comes without the cookie, and must not take it away.
    if (input.cookie(sessionCookie) === undefined) return json({ ok: true as const })
    return json({ ok: true as const }, withoutSession(input))
  },
)
