/**
 * Signing in by a provider of identities (extensions §3): a browser leaves for it and comes back.
 * What it must bring along again lies in a cookie of its own, so that nobody else's return counts.
 */
import { Refusal } from '../../schema/errors.ts'
import { detourQuery } from '../../schema/wire/account.ts'
import { textSuccess } from '../../schema/wire/service.ts'
import { refusePrefetch } from '../addresses/navigation.ts'
import { pathOf } from '../addresses/own-addresses.ts'
import type { Admitted } from '../admission/admitted.ts'
import { cookieHeader, sessionCookie } from '../admission/credentials.ts'
import { type Answer, redirectTo } from '../answers/answer.ts'
import { failurePage } from '../pages/page.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { counted, presentOf, requireQuota } from './account-answers.ts'
import type { IdentityProvider } from './identity-provider.ts'

/** Between leaving for an identity provider and coming back; how long the provider may take. */
const signInDetourMs = 10 * 60_000

const detourCookie = 'detour'
const path = '/auth/oidc'
const callbackPath = `${path}/callback`
const open = { access: 'optional', extension: true } as const
const found = { status: 302, body: textSuccess, type: 'text/html; charset=utf-8' } as const

export const leaveForProvider = route(
  'GET /auth/oidc',
  {
    ...open,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Sign in with single sign-on (OpenID Connect)',
    description:
      '404 unless a provider is configured. `link=1` links the identity to the account of ' +
      'this session instead. If sign-in fails, the browser gets a page that says why.',
    success: found,
    errors: ['NOT_FOUND', 'LOGIN_FAILED', 'FORBIDDEN', 'UNAVAILABLE'],
  },
  (input, services) => {
    const { link, back = '/' } = input.query
    const way = { back, isLinking: link !== undefined }
    return explained({ input, services, ...way }, async () => {
      refusePrefetch(input)
      const provider = required(services.identityProvider)
      const present = presentOf(input.credential)
      if (link !== undefined) {
        refuseOthersLink(input)
        if (present?.account.guest !== false) throw new Refusal('AUTH_REQUIRED')
      }
      const { address, memory } = await provider.begin(input.addresses.baseUrl + callbackPath)
      const account = link === undefined ? undefined : present?.account.accountId
      const detour: Detour = { memory, back, ...(account !== undefined && { link: account }) }
      return redirectTo(address, { 'Set-Cookie': detourSet(input, written(detour)) })
    })
  },
)

export const comeFromProvider = route(
  'GET /auth/oidc/callback',
  {
    ...open,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Return from single sign-on',
    description: 'Sets the cookie `session` and redirects back to the page.',
    success: found,
    errors: [
      'NOT_FOUND',
      'LOGIN_FAILED',
      'FORBIDDEN',
      'IDENTITY_TAKEN',
      'RATE_LIMITED',
      'UNAVAILABLE',
    ],
  },
  (input, services) => {
    const detour = read(input.cookie(detourCookie))
    const way = { back: detour?.back ?? '/', isLinking: detour?.link !== undefined }
    return explained({ input, services, ...way }, async () => {
      refusePrefetch(input)
      // Here, so that a person who has to wait is told so by the page too.
      requireQuota(input, services.quotas.take('login', input.address))
      const provider = required(services.identityProvider)
      const over = detourSet(input, '', 0)
      if (detour === undefined) throw new Refusal('LOGIN_FAILED')
      const query = new URLSearchParams(input.query as Readonly<Record<string, string>>)
      const address = `${input.addresses.baseUrl}${callbackPath}?${query}`
      const identity = await counted(services, provider.finish(address, detour.memory))
      const { accounts } = services.people
      const from = presentOf(input.credential)
      if (detour.link !== undefined) {
        if (from?.account.accountId !== detour.link) throw new Refusal('AUTH_REQUIRED')
        await accounts.link(identity, from)
        return redirectTo(pathOf(input.addresses.baseUrl) + detour.back, { 'Set-Cookie': over })
      }
      const mayMake = services.config.signup !== 'closed'
      const signedIn = accounts.signInAs(identity, { from, mayMake })
      const { session } = await counted(services, signedIn)
      const set = cookieHeader(sessionCookie, session, input.addresses)
      return redirectTo(pathOf(input.addresses.baseUrl) + detour.back, {
        'Set-Cookie': [over, set],
      })
    })
  },
)

/** Another site may have signed this browser in at the provider as somebody else. */
function refuseOthersLink({ header }: Admitted): void {
  const site = header('sec-fetch-site') ?? 'none'
  if (site !== 'none' && site !== 'same-origin') throw new Refusal('FORBIDDEN')
}

interface Detour {
  readonly memory: string
  readonly back: string
  /** The account that is to be linked. */
  readonly link?: string
}

const written = (detour: Detour): string =>
  Buffer.from(JSON.stringify(detour)).toString('base64url')

/** `undefined`: there is none, or none of ours. */
function read(cookie: string | undefined): Detour | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString())
    if (typeof value !== 'object' || value === null) return undefined
    const { memory, back, link } = value as Partial<Record<keyof Detour, unknown>>
    if (typeof memory !== 'string' || typeof back !== 'string') return undefined
    if (!new RegExp(detourQuery.properties.back.pattern ?? '').test(back)) return undefined
    return { memory, back, ...(typeof link === 'string' && { link }) }
  } catch {
    return undefined
  }
}

const detourSet = (
  { addresses: { baseUrl } }: Admitted,
  value: string,
  maxAgeSeconds = signInDetourMs / 1000,
): string => cookieHeader(detourCookie, value, { baseUrl, path, maxAgeSeconds })

function required(provider: IdentityProvider | undefined): IdentityProvider {
  if (provider === undefined) throw new Refusal('NOT_FOUND')
  return provider
}

interface Way {
  readonly input: Admitted
  readonly services: Services
  readonly back: string
  readonly isLinking: boolean
}

/**
 * A person gets the page, which says what went wrong and tries again, in the place of an error's
 * body.
 */
async function explained(
  { input, services, back, isLinking }: Way,
  act: () => Promise<Answer<never>>,
): Promise<Answer<never>> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'NOT_FOUND') throw error
    const rootData = {
      'sign-in': error.code,
      'sign-in-back': back,
      ...(isLinking && { 'sign-in-link': '1' }),
    }
    const headers = { 'Set-Cookie': detourSet(input, '', 0) }
    return failurePage(input, services, { error, rootData, headers })
  }
}
