/** Who has access to a document (interface §4.10, extensions §3): given, listed, taken. */
import type { Static } from '@sinclair/typebox'
import type { HandleHolder } from '../../core/access/handles.ts'
import { makerOf } from '../../core/links/makers.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { accessListSuccess } from '../../schema/wire/access.ts'
import { madeOnce, retryable, withNote } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { endFrom, isoOrNull, isoTime } from '../answers/times.ts'
import { documentRoute } from '../route.ts'
import { accessActBy, accessActNaming } from './acted-by.ts'
import { personIn, shownOffer } from './shown-people.ts'

type Invited = Pick<HandleHolder, 'actor' | 'handle' | 'name'>

const asksForToken = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !('handle' in body)

export const giveAccess = documentRoute(
  'POST /docs/:slug/access',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Create a shareable token, or invite someone by handle',
    description:
      'With `handle` (editor): grants the role to a person or an agent, or changes their ' +
      'role. Without `handle` (owner): creates a token that can be shared. Reads with it ' +
      'mint `your_token`.',
    access: 'admit',
    actionOf: (body) => (asksForToken(body) ? 'own' : undefined),
    accountQuota: 'invite',
    ...retryable,
    check: (body, _, now) => void ('handle' in body || endFrom(body.expires_at, now)),
    success: { status: 201 },
    errors: ['HANDLE_NOT_FOUND', 'LIMIT_REACHED', 'BUSY', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { documents, people, runtime } = services
    const { body } = input
    const { slug } = input.document
    const by = await accessActNaming(input, services)
    const { role } = body
    if ('handle' in body) {
      const asked = { handle: body.handle, role, by: by.writer.actor }
      const plan = async () => {
        const { answer, records } = await people.access.planInvitation(slug, asked)
        if (records === undefined) return { answer }
        const told = people.outbox.invited(slug, by.writer.actor, answer.actor)
        return { answer, records: { ...records, puts: [...records.puts, ...told] } }
      }
      const noteOf = ({ actor, handle, name }: Invited): Invited => ({ actor, handle, name })
      const { actor, handle, name } = await madeOnce<Invited>(input, services, async (attached) =>
        noteOf(await documents.record(slug, by, withNote(plan, attached, noteOf))),
      )
      return json({ actor_id: actor, handle, name, role })
    }
    const expiresAt = endFrom(body.expires_at, runtime.now())
    const madeBy = makerOf(input.credential)
    const plan = () => people.links.planAccessToken(slug, { role, expiresAt, madeBy })
    const noteOf = ({ id }: { readonly id: string }) => ({ id })
    const { id } = await madeOnce<{ readonly id: string }>(input, services, async (attached) =>
      noteOf(await documents.record(slug, by, withNote(plan, attached, noteOf))),
    )
    const access_token = people.links.accessTokenAgain(id)
    return json({ token_id: id, access_token, role, expires_at: isoOrNull(expiresAt) })
  },
)

type AccessList = Static<typeof accessListSuccess>

export const listAccess = documentRoute(
  'GET /docs/:slug/access',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List who has access',
    description:
      'Lists grants of their own (`invite`, `creator`) and grants from a link (`link`), ' +
      'page by page, and the owner’s tokens. Holders of a link without a grant are not ' +
      'listed.',
    access: 'share',
    errors: [],
  },
  async ({ document, query }, { people }) => {
    const { slug, facts } = document
    const { limit, after } = pageAsked(query)
    const isFirst = after === undefined
    const [{ owner, offer }, page, given] = await Promise.all([
      people.access.ownership(slug),
      people.access.grants(facts, { after: after as ActorId | undefined, limit }),
      people.links.listTokens(slug),
    ])
    const { creator, shareAddress } = given
    const grants = [
      ...(isFirst && creator
        ? [{ ...creator, source: 'creator' as const, invitedBy: undefined }]
        : []),
      ...page.grants,
    ]
    const ids = [owner, offer?.to, ...grants.map(({ actor }) => actor)]
    const shown = await people.access.actors(ids.filter((id) => id !== undefined))
    const person = personIn(shown)
    const list: AccessList = {
      owner: owner === undefined ? null : person(owner),
      grants: grants.map(({ actor, role, source, invitedBy }) => ({
        ...{ id: actor, ...person(actor) },
        ...{ role, source, invited_by: invitedBy ?? null },
      })),
      tokens: (isFirst ? given.tokens : []).map((token) => ({
        token_id: token.id,
        role: token.role,
        created_at: isoTime(token.createdAt),
        expires_at: isoOrNull(token.expiresAt),
        last_used_at: isoOrNull(token.lastUsedAt),
      })),
      share_address: shareAddress ? { token_id: shareAddress.id, role: shareAddress.role } : null,
      offer: offer ? shownOffer(offer, person) : null,
      next_cursor: page.next === undefined ? null : cursorAfter(page.next),
    }
    return json(list)
  },
)

export const takeAccess = documentRoute(
  'DELETE /docs/:slug/access/:id',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Remove access',
    description:
      'Removes a grant or a token. An editor can only remove access up to its own role. ' +
      'Links and tokens that the removed person created are revoked and open sockets close. ' +
      'With `keep_links=true` the caller takes over these links and tokens. Invitations by ' +
      'handle stay.',
    access: 'admit',
    errors: ['NOT_FOUND', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug, access } = input.document
    const id = input.params['id'] ?? ''
    const keepLinks = /^(?:true|1|)$/.test(input.query.keep_links ?? 'false')
    const by = accessActBy(input)
    const maker = makerOf(input.credential)
    const keptBy = keepLinks && maker ? { maker, actor: by.writer.actor } : undefined
    const taking = { id, role: access.role, keptBy }
    await documents.record(slug, by, () => people.links.planTaking(slug, taking))
    return json({ deleted: true as const, id })
  },
)
