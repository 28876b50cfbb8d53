/**
 * The browser page (extensions §3): the built files, and `/d/:slug`, where the token of a link is
 * taken out of the address and kept in a cookie that only this document's routes and page get.
 */
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Refusal } from '../../schema/errors.ts'
import { isSlug } from '../../schema/ids.ts'
import { textSuccess } from '../../schema/wire/service.ts'
import { isNavigation, refusePrefetch } from '../addresses/navigation.ts'
import { addressesFor, pathOf } from '../addresses/own-addresses.ts'
import type { Admitted } from '../admission/admitted.ts'
import { cookieHeader, cookieOf, linkCookie, visitorCookie } from '../admission/credentials.ts'
import { countWrongSecret } from '../admission/wrong-secrets.ts'
import {
  type Answer,
  type AnswerHeaders,
  bytesOf,
  notModified,
  redirectTo,
  textOf,
} from '../answers/answer.ts'
import { entityTag, matchesTag } from '../answers/entity-tag.ts'
import { failureAnswer } from '../answers/failure.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { prefersHtml } from '../sharing/confirmation-page.ts'
import { type Face, readAsset, readHtml } from './built-page.ts'

const htmlType = 'text/html; charset=utf-8'
const open = {
  access: 'none',
  extension: true,
  bodyLimit: 'none',
  answer: 'bounded',
} as const
const html = { status: 200, body: textSuccess, type: htmlType, otherStatuses: [304] } as const

export const openHome = route(
  'GET /',
  { ...open, summary: 'The home page', success: html, errors: [] },
  (input, services) => page(input, services, { face: 'home' }),
)

export const openAccount = route(
  'GET /account',
  { ...open, summary: 'The account page', success: html, errors: [] },
  (input, services) => page(input, services, { face: 'home' }),
)

export const openReset = route(
  'GET /reset',
  {
    ...open,
    summary: 'The page for setting a new password',
    description: 'Opened by a reset link from the operator. Its secret is in the fragment.',
    success: html,
    errors: [],
  },
  (input, services) => {
    const headers = { 'X-Robots-Tag': 'noindex' }
    return page(input, services, { face: 'home', headers })
  },
)

export const openDocument = route(
  'GET /d/:slug',
  {
    ...open,
    summary: 'Open a document in a browser',
    description:
      'A valid `token` is stored in a cookie for this document, unless the browser already ' +
      'has one with a higher role, and the browser is redirected to the address without it. ' +
      'An invalid token redirects to `?link=invalid`. Requests that are not navigations are ' +
      'only redirected.',
    success: { ...html, otherStatuses: [302, 304, 429] },
    errors: ['RATE_LIMITED'],
  },
  async (input, services) => {
    const { token, ...others } = input.query as Readonly<Record<string, string>>
    if (token === undefined)
      return page(input, services, { headers: { 'X-Robots-Tag': 'noindex' } })
    return exchange(input, { token, others }, services)
  },
)

export const pageAsset = route(
  'GET /assets/:file',
  {
    ...open,
    summary: 'A file of the browser page',
    success: { type: '*/*' },
    errors: ['NOT_FOUND'],
  },
  async ({ params, header }, { config }) => {
    const name = params['file'] ?? ''
    const asset = await readAsset(
      join(config.webDirectory, 'assets'),
      name,
      header('accept-encoding'),
    )
    if (asset === undefined) throw new Refusal('NOT_FOUND')
    return bytesOf(asset.bytes, asset.type, {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(asset.encoding !== undefined && { 'Content-Encoding': asset.encoding }),
    })
  },
)

export const pageWorker = route(
  'GET /worker.js',
  {
    ...open,
    summary: 'The service worker of the page',
    success: { type: 'text/javascript' },
    errors: ['NOT_FOUND'],
  },
  async (_, { config }) => {
    const worker = await readAsset(config.webDirectory, 'worker.js', undefined)
    if (worker === undefined) throw new Refusal('NOT_FOUND')
    return bytesOf(worker.bytes, worker.type, {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    })
  },
)

export const pageIcon = route(
  'GET /icon.svg',
  {
    ...open,
    summary: 'The icon of the browser page',
    success: { type: 'image/svg+xml' },
    errors: ['NOT_FOUND'],
  },
  async (_, { config }) => {
    const icon = await readAsset(config.webDirectory, 'icon.svg', undefined)
    if (icon === undefined) throw new Refusal('NOT_FOUND')
    return bytesOf(icon.bytes, icon.type, { 'Cache-Control': 'public, max-age=3600' })
  },
)

interface PageShown {
  readonly face?: Face
  readonly headers?: AnswerHeaders
  /** What its script is told, as `data-…` of the root. Names and values are ours. */
  readonly rootData?: Readonly<Record<string, string>>
}

/** The theme is set before the first paint, without a script. */
export async function page(
  { header, cookie, addresses }: Pick<Admitted, 'header' | 'cookie' | 'addresses'>,
  { config }: Services,
  { face = 'document', headers: extra = {}, rootData = {} }: PageShown,
): Promise<Answer<never>> {
  const prefix = pathOf(addresses.baseUrl)
  // Its files are named from where it is, which is not where every page is.
  const index = (await readHtml(config.webDirectory, face)).replaceAll('="./', `="${prefix}/`)
  const theme = /^(?:light|dark)$/.exec(cookie('theme') ?? '')?.[0]
  const attributes = {
    ...(theme !== undefined && { theme }),
    ...(prefix !== '' && { base: prefix }),
    ...rootData,
  }
  const text = Object.entries(attributes).reduce(
    (html, [name, value]) => html.replace('<html', `<html data-${name}="${value}"`),
    index,
  )
  const headers = {
    ...extra,
    ETag: entityTag([text], 'strong'),
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': pagePolicy(header('host'), addresses.baseUrl),
    'Cross-Origin-Opener-Policy': 'same-origin',
    Vary: 'Cookie',
  }
  if (matchesTag(header('if-none-match'), headers.ETag)) return notModified(headers)
  return textOf(text, htmlType, headers)
}

/** As one who has seen nothing of it yet asks for a page. */
export const withoutValidator = ({ header, cookie, addresses }: Admitted) => ({
  header: (name: string) => (name === 'if-none-match' ? undefined : header(name)),
  cookie,
  addresses,
})

interface FailurePage {
  readonly error: Refusal
  readonly rootData: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * In the place of an error's body, the page, which says what went wrong; programs get the error.
 */
export async function failurePage(
  input: Admitted,
  services: Services,
  { error, rootData, headers = {} }: FailurePage,
): Promise<Answer<never>> {
  if (!/\btext\/html\b/.test(input.header('accept') ?? '')) throw error
  const { answer } = failureAnswer(error, { id: input.requestId, slug: undefined })
  const shown = { face: 'home', headers: { ...answer.headers, ...headers }, rootData } as const
  return { ...(await page(withoutValidator(input), services, shown)), status: error.status }
}

interface Exchange {
  readonly token: string
  /** What else the address asks for. */
  readonly others: Readonly<Record<string, string>>
}

/** What is no person's way here changes nothing, and the token is not even looked at. */
async function exchange(
  input: Admitted,
  { token, others }: Exchange,
  services: Services,
): Promise<Answer<never>> {
  const { people, documents } = services
  const { params, cookie, addresses } = input
  const { baseUrl } = addresses
  refusePrefetch(input)
  const slug = params['slug'] ?? ''
  const { link: _, ...kept } = others
  const at = (parameters: Readonly<Record<string, string>>) =>
    pathOf(baseUrl) + pageAddress(slug, parameters)
  if (!isNavigation(input, baseUrl)) return redirectTo(at(kept))
  const choice = { offered: token, held: cookie(linkCookie) }
  const chosen = isSlug(slug)
    ? await people.links.chooseLink({ slug, ...choice }, () => documents.facts(slug))
    : undefined
  if (chosen === undefined) {
    try {
      if ((await people.access.authenticate(token)) === undefined) countWrongSecret(input, services)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return failurePage(input, services, { error, rootData: { link: error.code } })
    }
    return redirectTo(at({ ...kept, link: 'invalid' }))
  }
  const visitor = people.access.visitor(cookie(visitorCookie))
  // The second one comes back here, so that the next link can be weighed against it.
  const paths = chosen === 'offered' ? [`/docs/${slug}`, `/d/${slug}`] : []
  return redirectTo(at(kept), {
    'Set-Cookie': [
      ...paths.map((path) => cookieHeader(linkCookie, token, { baseUrl, path })),
      ...(visitor.isNew ? [cookieHeader(visitorCookie, visitor.cookie, { baseUrl })] : []),
    ],
  })
}

function pageAddress(slug: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  return `/d/${encodeURIComponent(slug)}${query === '' ? '' : `?${query}`}`
}

/**
 * What the page may load (its Content-Security-Policy): scripts from its own origin alone. Styles
 * may be inline, because the scroll lock of dialogs inserts a style element, and reading pasted
 * HTML meets the styles in it; images may come from elsewhere, because a reader may allow them for
 * a document, and from this device, while they are uploaded. `host` is the request's own, `baseUrl`
 * the service's; a socket may go to either.
 */
function pagePolicy(host: string | undefined, baseUrl: string): string {
  const hosts = new Set([new URL(baseUrl).host])
  const prefix = pathOf(baseUrl)
  if (host !== undefined && /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/.test(host)) {
    hosts.add(host)
  }
  const sockets = [...hosts].flatMap((one) => [`ws://${one}`, `wss://${one}`])
  // Of the own host what documents hold, and not what a link to a document does. A policy knows no
  // host that is a number of IPv6.
  const frames = [...hosts].map((one) => (one.startsWith('[') ? "'self'" : `${one}${prefix}/docs/`))
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: http: data: blob:",
    `connect-src 'self' ${sockets.join(' ')}`,
    "font-src 'self'",
    `frame-src ${frames.join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The page for a person who goes to an address that does not exist. `undefined`: it is another
 * failure, a program asks, or no page was built.
 */
export async function missingPage(
  request: IncomingMessage,
  thrown: unknown,
  services: Services,
): Promise<Answer | undefined> {
  const { method, headers } = request
  if (!(thrown instanceof Refusal) || thrown.status !== 404 || method !== 'GET') return undefined
  if (!prefersHtml(headers.accept ?? '')) return undefined
  const input = {
    header: (name: string) => (name === 'host' ? headers.host : undefined),
    cookie: (name: string) => cookieOf(request, name),
    addresses: addressesFor(request, services.config),
  }
  const rootData = { missing: thrown.code }
  const shown = { face: 'home', headers: { 'X-Robots-Tag': 'noindex' }, rootData } as const
  try {
    return { ...(await page(input, services, shown)), status: 404 }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
