/** The links of a document (interface §4.10, extensions §3): made, listed, revoked. */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import { givenRole } from '../../core/access/invitations.ts'
import { worthUnder } from '../../core/access/worth.ts'
import { requireName } from '../../core/links/link-names.ts'
import { makerOf } from '../../core/links/makers.ts'
import type { ListedLink } from '../../core/links/named-links.ts'
import { Refusal } from '../../schema/errors.ts'
import type { linkListSuccess, linkShape } from '../../schema/wire/links.ts'
import { linkAccessShape } from '../../schema/wire/read-document.ts'
import { noQuery } from '../../schema/wire/service.ts'
import type { Addresses } from '../addresses/own-addresses.ts'
import { madeOnce, retryable, withNote } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { endFrom, isoOrNull, isoTime } from '../answers/times.ts'
import { keepLink } from '../edits/patch-document.ts'
import { documentRoute } from '../route.ts'
import { accessActBy, accessActNaming } from './acted-by.ts'

export const makeLink = documentRoute(
  'POST /docs/:slug/links',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create a link with its own role',
    description:
      'Anyone who follows the link gets its role until it is revoked or expires. A name ' +
      'replaces the code in the address. Names without a handle require an account or a ' +
      'registered agent.',
    access: 'admit',
    ...retryable,
    optionalBody: true,
    check({ name, expires_at: end }, _, now) {
      if (name !== undefined) requireName(name)
      endFrom(end, now)
    },
    success: { status: 201 },
    errors: ['NAME_TAKEN', 'LIMIT_REACHED', 'BUSY', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { documents, people, runtime } = services
    const { body, credential, document, addresses } = input
    const { slug } = document
    const by = await accessActNaming(input, services)
    // The link rests on what is recorded for its maker.
    await keepLink(input, services)
    const plan = () =>
      people.links.planLink(slug, {
        role: body.role ?? 'editor',
        name: body.name,
        expiresAt: endFrom(body.expires_at, runtime.now()),
        audience: body.audience,
        by: by.writer.actor,
        handle: handleOf(credential),
        madeBy: makerOf(credential),
      })
    const made = await madeOnce<ShownLink>(input, services, async (attached) =>
      noteOf(await documents.record(slug, by, withNote(plan, attached, noteOf))),
    )
    return json(shown({ ...made, code: people.links.codeOf(made.linkId) }, addresses))
  },
)

export const listLinks = documentRoute(
  'GET /docs/:slug/links',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List the links of a document',
    description: 'Newest first, including the general-access link. No secrets are returned.',
    access: 'share',
    errors: [],
  },
  async ({ document, query, addresses }, { people }) => {
    const { slug, facts } = document
    const { limit, after } = pageAsked(query)
    const all = await people.links.listLinks(slug)
    const from = after === undefined ? 0 : all.findIndex(({ linkId }) => linkId === after) + 1
    const page = all.slice(from, from + limit)
    const { mode, role: generalRole } = facts.linkAccess
    const list: Static<typeof linkListSuccess> = {
      links: page.map((link) => ({
        ...shown(link, addresses),
        ...(link.role === undefined && { role: mode === 'anyone' ? generalRole : null }),
        current_role: givenRole(worthUnder(link.worth, facts.linkAccess)) ?? null,
        general: link.role === undefined,
        created_by: link.by ?? null,
        last_used_at: isoOrNull(link.lastUsedAt),
        uses: link.uses,
      })),
      next_cursor: from + limit < all.length ? cursorAfter(page.at(-1)?.linkId ?? '') : null,
    }
    return json(list)
  },
)

export const revokeLink = documentRoute(
  'DELETE /docs/:slug/links/:code',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Revoke a link',
    description:
      'By its code or name. This also ends the tokens, grants and sockets that came through ' +
      'it.',
    access: 'admit',
    params: { code: 'The code or name, encoded as one path segment.' },
    errors: ['NOT_FOUND', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const asked = input.params['code'] ?? ''
    const plan = () => people.links.planRevocation(slug, asked)
    const { code } = await documents.record(slug, accessActBy(input), plan)
    return json({ deleted: true as const, code })
  },
)

/** Of an account or a registered agent; a document token has none. */
function handleOf(credential: Credential | undefined): string | undefined {
  if (credential?.kind === 'browser') return credential.session?.account.handle
  return credential?.kind === 'agent' ? credential.handle : undefined
}

/** What is shown of a link but its code, which is no more in the store than a secret. */
type ShownLink = Pick<
  ListedLink,
  'linkId' | 'role' | 'name' | 'expiresAt' | 'createdAt' | 'audience'
>

const noteOf = (link: ListedLink): ShownLink => {
  const { linkId, role, name, expiresAt, createdAt, audience } = link
  return { linkId, role, name, expiresAt, createdAt, audience }
}

const shown = (
  {
    code,
    linkId,
    role,
    name,
    expiresAt,
    createdAt,
    audience,
  }: ShownLink & Pick<ListedLink, 'code'>,
  { shortLinkBase }: Addresses,
): Static<typeof linkShape> => ({
  code,
  url: `${shortLinkBase}/${name ?? code}`,
  role: role ?? null,
  name: name ?? null,
  expires_at: isoOrNull(expiresAt),
  created_at: isoTime(createdAt),
  link_id: linkId,
  ...(audience !== undefined && { audience }),
})

/** The general access of a document (interface §4.10): who may come by its link, and as what. */
const shared = {
  path: '/docs/:slug/link-access',
  answer: 'bounded',
  query: noQuery,
  success: { status: 200, body: linkAccessShape },
  errors: [],
} as const

export const readLinkAccess = documentRoute(
  'GET /docs/:slug/link-access',
  { ...shared, bodyLimit: 'none', summary: 'Get general access', access: 'share' },
  async ({ document }) => json(document.facts.linkAccess),
)

export const setLinkAccess = documentRoute(
  'PATCH /docs/:slug/link-access',
  {
    ...shared,
    bodyLimit: 'fields',
    summary: 'Set general access',
    description:
      'Requires a browser session of the owner. General-access links get the new role ' +
      'immediately.',
    access: 'configure',
  },
  async ({ body, document, credential, permission, addressHash }, { documents }) => {
    const { slug, access } = document
    if (credential?.kind !== 'browser' || access.writer === undefined)
      throw new Refusal('FORBIDDEN')
    const writer = { ...access.writer, ipHash: addressHash }
    const { facts } = await documents.configure(slug, { linkAccess: body }, { writer, permission })
    return json(facts.linkAccess)
  },
)
