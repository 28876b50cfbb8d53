/**
 * Short links (interface §4.10, extensions §4): what a document's share link is, and where a code
 * leads. A person's browser goes straight to the document, a program has to follow one signed
 * address first, and who only draws previews learns nothing.
 */
import type { Static } from '@sinclair/typebox'
import type { ShortLink } from '../../core/links/short-links.ts'
import { Refusal } from '../../schema/errors.ts'
import type { confirmationSuccess, confirmedSuccess } from '../../schema/wire/links.ts'
import { isCrawler, isPersonsNavigation, refusePrefetch } from '../addresses/navigation.ts'
import { pathOf } from '../addresses/own-addresses.ts'
import type { Admitted } from '../admission/admitted.ts'
import { enterDocument } from '../admission/document-access.ts'
import { type Answer, json, redirectTo, textOf } from '../answers/answer.ts'
import { reserveRoom } from '../answers/answer-room.ts'
import { readAs } from '../documents/read-document.ts'
import { page, withoutValidator } from '../pages/page.ts'
import { documentRoute, route } from '../route.ts'
import type { Services } from '../services.ts'
import { accessActBy } from './acted-by.ts'
import {
  asksForPage,
  confirmationPage,
  confirmationPageType,
  spentPage,
} from './confirmation-page.ts'

const htmlType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'

export const shareLink = documentRoute(
  'POST /docs/:slug/share-link',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the general-access short link of a document',
    description:
      'Created on first request. Later requests return the same link (200). Anyone who ' +
      'follows it gets the current role of general access. While access is restricted, ' +
      '`role` is null and the link gives no access.',
    access: 'share',
    success: { status: 201, otherStatuses: [200] },
    errors: ['BUSY'],
  },
  async (input, { documents, people }) => {
    const { document, addresses } = input
    const { slug } = document
    const { code, linkId, isNew } =
      (await people.links.knownGeneralLink(slug)) ??
      (await documents.record(slug, accessActBy(input), () => people.links.planGeneralLink(slug)))
    const { mode, role } = document.facts.linkAccess
    const answer = json({
      url: `${addresses.shortLinkBase}/${code}`,
      code,
      role: mode === 'anyone' ? role : null,
      link_id: linkId,
    })
    return isNew ? answer : { ...answer, status: 200 }
  },
)

const open = { access: 'none', quota: 'link' } as const

/** A link by its code or its name, and by a name behind somebody's handle. */
const addresses = ['/s/@:handle/:name', '/s/:code'] as const

/** What stands for the link in the address. */
const askedFor = ({ params: { code, handle, name } }: Pick<Admitted, 'params'>): string =>
  code ?? `@${handle}/${name}`

const onTheWay = ['NOT_FOUND'] as const
const toTheDocument = [
  ...onTheWay,
  'FORBIDDEN',
  'DOC_NOT_FOUND',
  'DOC_ARCHIVED',
  'DOC_DAMAGED',
] as const

export const followShortLink = addresses.map((path) =>
  route(
    `GET ${path}`,
    {
      ...open,
      bodyLimit: 'none',
      answer: 'bounded',
      summary: 'Follow a short link',
      description:
        'A browser navigation is redirected to the document, or to a page that says that the ' +
        'link does not exist. Other clients get a signed confirmation address that is valid ' +
        'for five minutes and works once. Known crawlers get a page without any address.',
      success: {
        otherTypes: [htmlType],
        otherStatuses: [302, 404],
      },
      errors: onTheWay,
    },
    async (input, services) => {
      const asked = askedFor(input)
      refusePrefetch(input)
      const isBrowser = isPersonsNavigation(input, input.addresses.shortLinkBase)
      const isDead = isBrowser && (await services.people.links.shortLink(asked)) === undefined
      if (isDead) return deadLinkPage(input, services)
      const link = await resolved(input, isBrowser ? 'browser' : 'program', services)
      if (link === undefined) return nothingToSee()
      return isBrowser
        ? redirectTo(browserAddress(link, input))
        : confirmation(link, input, services)
    },
  ),
)

export const shortLinkJson = addresses.map((address) =>
  route(
    `GET ${address}.json`,
    {
      ...open,
      bodyLimit: 'none',
      answer: 'document',
      summary: 'Read the document of a short link as JSON',
      description: 'Known crawlers get a page without the document.',
      success: {
        otherTypes: [htmlType],
        otherStatuses: [304],
      },
      errors: toTheDocument,
    },
    (input, services) => readBy(input, 'json', services),
  ),
)

/** `.md` and `.okf` are the same. */
export const shortLinkMarkdown = addresses.flatMap((address) =>
  (['md', 'okf'] as const).map((suffix) =>
    route(
      `GET ${address}.${suffix}`,
      {
        ...open,
        bodyLimit: 'none',
        answer: 'document',
        summary: 'Read the document of a short link as OKF markdown',
        description: 'Known crawlers get a page without the document.',
        success: {
          type: markdownType,
          otherTypes: [htmlType],
          otherStatuses: [304],
        },
        errors: toTheDocument,
      },
      (input, services) => readBy(input, 'okf', services),
    ),
  ),
)

const confirming = {
  ...open,
  bodyLimit: 'none',
  answer: 'bounded',
} as const

export const confirmShortLink = route(
  'GET /s/:code/:ticket',
  {
    ...confirming,
    summary: 'Follow the confirmation of a short link',
    description:
      'Works once. `Location` is the document’s address with the token of the link. A ' +
      'navigation gets a page with a button and does not use up the confirmation. HEAD is ' +
      'refused.',
    success: {
      status: 302,
      otherTypes: [confirmationPageType],
      otherStatuses: [200, 404, 410],
    },
    errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'CONFIRMATION_SPENT'],
  },
  async (input, services) => {
    const { method, params, header, addresses } = input
    if (method === 'HEAD') throw new Refusal('METHOD_NOT_ALLOWED', { allow: ['GET', 'POST'] })
    const isForPage = asksForPage(input)
    if (isForPage) refusePrefetch(input)
    const { code = '', ticket = '' } = params
    const { links } = services.people
    const link = await links.shortLink(code)
    if (isForPage && link === undefined) return deadLinkPage(input, services)
    if (link === undefined) throw new Refusal('NOT_FOUND')
    if (isCrawler(header('user-agent'))) return nothingToSee()
    if (!isForPage) return spent(link, input, services)
    const isGood = await links.isGoodConfirmation(code, ticket)
    if (isGood === undefined) return deadLinkPage(input, services)
    const { origin } = new URL(addresses.baseUrl)
    return isGood ? confirmationPage(origin) : spentPage(origin)
  },
)

export const confirmByButton = route(
  'POST /s/:code/:ticket',
  {
    ...confirming,
    summary: 'Use the confirmation of a short link',
    description: 'Used by the button of the confirmation page. Answers 303 to the document.',
    success: {
      status: 303,
      otherTypes: [confirmationPageType],
      otherStatuses: [200],
    },
    errors: ['NOT_FOUND', 'CONFIRMATION_SPENT'],
  },
  async (input, services) => {
    const link = await linkOf(input.params['code'] ?? '', services)
    if (isCrawler(input.header('user-agent'))) return nothingToSee()
    return spent(link, input, services)
  },
)

/** Refuses NOT_FOUND, CONFIRMATION_SPENT. */
async function spent(
  { slug, token }: ShortLink,
  { params, addresses: { baseUrl } }: Admitted,
  { people }: Services,
): Promise<Answer<Static<typeof confirmedSuccess>>> {
  const { code = '', ticket = '' } = params
  const isGood = await people.links.spendConfirmation(code, ticket)
  if (isGood === undefined) throw new Refusal('NOT_FOUND')
  if (!isGood) throw new Refusal('CONFIRMATION_SPENT')
  const body = { slug, api_reference_url: `${baseUrl}/reference` }
  return json(body, { Location: `${baseUrl}/d/${slug}?token=${token}` })
}

async function deadLinkPage(input: Admitted, services: Services): Promise<Answer<never>> {
  const shown = { face: 'home', headers: { 'X-Robots-Tag': 'noindex' } } as const
  return { ...(await page(withoutValidator(input), services, shown)), status: 404 }
}

async function linkOf(code: string, { people }: Services): Promise<ShortLink> {
  const link = await people.links.shortLink(code)
  if (link === undefined) throw new Refusal('NOT_FOUND')
  return link
}

/** Notes in the log who came, and counts it; `undefined`: a crawler, who learns nothing. */
async function resolved(
  input: Admitted,
  via: 'browser' | 'program' | 'okf' | 'json',
  services: Services,
): Promise<ShortLink | undefined> {
  const link = await linkOf(askedFor(input), services)
  const isTold = !isCrawler(input.header('user-agent'))
  if (isTold) services.people.links.noteUse(link)
  services.logger.info(
    {
      event: 'shortlink.resolved',
      link_id: link.linkId,
      via: isTold ? via : 'crawler',
      request_id: input.requestId,
    },
    'shortlink.resolved',
  )
  return isTold ? link : undefined
}

const emptyPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">
<title>Shared document</title></head>
<body><p>A shared document. Open this link in a browser.</p></body></html>
`

/** Without any address, and nothing that could open one. */
const nothingToSee = (): Answer<never> => ({
  ...textOf(emptyPage, htmlType, { 'X-Robots-Tag': 'noindex, nofollow' }),
  status: 200,
})

/** Relative where the link's host is the page's, so that it holds for every name of that host. */
function browserAddress({ slug, token }: ShortLink, { addresses }: Admitted): string {
  const { baseUrl, shortLinkBase } = addresses
  const isSame = new URL(shortLinkBase).origin === new URL(baseUrl).origin
  return `${isSame ? pathOf(baseUrl) : baseUrl}/d/${slug}?token=${token}`
}

function confirmation(
  { code }: ShortLink,
  { addresses }: Admitted,
  { people }: Services,
): Answer<Static<typeof confirmationSuccess>> {
  const { ticket, expiresAt } = people.links.newConfirmation(code)
  return json({
    confirmation_url: `${addresses.shortLinkBase}/${code}/${ticket}`,
    expires_at: new Date(expiresAt).toISOString(),
  })
}

/** The document as whoever holds the link's token reads it; nothing is minted. */
async function readBy(
  input: Admitted,
  format: 'json' | 'okf',
  services: Services,
): Promise<Answer<never>> {
  const link = await resolved(input, format, services)
  if (link === undefined) return nothingToSee()
  const { credential, document } = await enterDocument(services, {
    slug: link.slug,
    action: 'read',
    credentialRequired: true,
    credential: () => services.people.access.authenticate(link.token),
  })
  await reserveRoom(input.room, { answer: 'document', slug: link.slug }, services)
  const header = (name: string) => (name === 'if-none-match' ? input.header(name) : undefined)
  const query = format === 'okf' ? { format } : {}
  const { method, sources, addresses } = input
  return readAs({ method, sources, addresses, header, query, credential, document }, services)
}
