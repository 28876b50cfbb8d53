/**
 * The links of a document (interface §4.10): made, listed, revoked. Each carries a token of its own
 * role; whatever came through it ends when it is revoked or its time is over. One that has ended
 * stays in the list until it is taken away, or makes room for another.
 */
import {
  generalLinkKey,
  indexRange,
  linkNameKey,
  linkOfDocument,
  parseKey,
  tokenBySha256,
  useKey,
} from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { GivenRole } from '../access/invitations.ts'
import { readSharing, writeSharing } from '../access/sharing.ts'
import { judgeTokens, type Worth } from '../access/worth.ts'
import type { PlannedRecords } from '../documents/contract.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { readRecord, readRecords, records, type ShortLinkRecord } from '../records/records.ts'
import { derivedCode } from '../records/secrets.ts'
import { assertFree, dropName, takeName } from './link-names.ts'
import { type Maker, noteMade, requireWorth } from './makers.ts'
import {
  codeOf,
  type LinkContext,
  linkKey,
  newLinkId,
  putLink,
  tokenOfLink,
} from './short-links.ts'
import { endToken, issueToken } from './tokens.ts'

export interface NewLink {
  readonly role: GivenRole
  readonly name: string | undefined
  readonly expiresAt: number | undefined
  /** It was made to be given to an agent. */
  readonly audience?: 'agent' | undefined
  readonly by: ActorId
  /** The maker's handle; absent where it has none. */
  readonly handle: string | undefined
  readonly madeBy: Maker | undefined
}

export interface ListedLink {
  readonly code: string
  readonly linkId: string
  /** Absent of the link of general access. */
  readonly role: GivenRole | undefined
  readonly name: string | undefined
  readonly expiresAt: number | undefined
  readonly createdAt: number
  readonly audience: 'agent' | undefined
  readonly by: ActorId | undefined
  readonly lastUsedAt: number | undefined
  readonly uses: number
  readonly worth: Worth
}

/** Refuses FORBIDDEN, NAME_TAKEN, LIMIT_REACHED. `name` has passed `requireName`. */
export async function planLink(
  context: LinkContext,
  slug: Slug,
  { role, name, expiresAt, audience, by, handle, madeBy }: NewLink,
): Promise<PlannedRecords<ListedLink>> {
  const { store, runtime, secretKey } = context
  const plan = new RecordPlan(store)
  const sharing = await readSharing(plan, slug)
  await requireWorth(context, slug, madeBy)
  const now = runtime.now()
  const known = await linksOf(context, slug)
  const isOver = ({ expiresAt: end }: ShortLinkRecord) => end !== undefined && end <= now
  const ended = known.filter((link) => isOver(link) && name !== undefined && link.name === name)
  const isFull = known.length - ended.length >= limits.linksPerDocument
  const leaving = isFull ? await worthless(context, slug, known) : ended
  for (const link of leaving) await endLink(context, plan, { link, now })
  if (isFull && leaving.length === 0) {
    throw new Refusal('LIMIT_REACHED', { limit: 'links', max: limits.linksPerDocument })
  }
  const linkId = newLinkId(runtime)
  if (name !== undefined) {
    await assertFree(plan, { name, slug, handle }, now)
    takeName(plan, name, { slug, linkId, ...(expiresAt !== undefined && { endsAt: expiresAt }) })
  }
  const token = issueToken(context, { slug, role, origin: 'link', expiresAt, madeBy })
  const code = derivedCode(secretKey, linkId)
  plan.put(token.puts)
  noteMade(plan, slug, madeBy)
  putLink(plan, code, {
    ...{ linkId, slug, tokenId: token.id, createdAt: now, role, by },
    ...(name !== undefined && { name }),
    ...(audience !== undefined && { audience }),
    ...(expiresAt !== undefined && { expiresAt }),
  })
  writeSharing(plan, slug, sharing)
  const unused = { lastUsedAt: undefined, uses: 0, worth: { always: role, most: role } }
  const made = { code, linkId, role, name, expiresAt, audience, createdAt: now, by }
  return plan.done({ ...made, ...unused })
}

const nothing: Worth = { always: undefined, most: undefined }

const worthOf = async (context: LinkContext, slug: Slug, sha256: string): Promise<Worth> =>
  (await judgeTokens(context, slug, [{ sha256 }])).of(sha256)

/** Those that let nobody in, as their time is over or their maker is worth nothing. */
async function worthless<Link extends ShortLinkRecord>(
  context: LinkContext,
  slug: Slug,
  links: readonly Link[],
): Promise<readonly Link[]> {
  const worths = await Promise.all(
    links.map((link) => worthOf(context, slug, tokenOfLink(context.secretKey, link))),
  )
  return links.filter((_, index) => worths[index]?.most === undefined)
}

/** All that a document has, by when they were made; at most `limits.linksPerDocument` and one. */
export async function linksOf(
  { store, secretKey }: LinkContext,
  slug: Slug,
): Promise<readonly (ShortLinkRecord & { readonly code: string })[]> {
  const codes: string[] = []
  for await (const { key } of store.scan(indexRange('link-of', slug))) {
    codes.push(derivedCode(secretKey, parseKey(key)?.path.at(-1) ?? ''))
  }
  const found = await readRecords(store, codes.map(linkKey), records.shortLink)
  return codes
    .flatMap((code, index) => {
      const link = found[index]?.record
      return link === undefined ? [] : [{ ...link, code }]
    })
    .sort((one, other) => one.createdAt - other.createdAt || (one.linkId < other.linkId ? -1 : 1))
}

/**
 * The newest first, each with what it is worth now. What was used just now is counted when `Uses`
 * has stored it.
 */
export async function listLinks(context: LinkContext, slug: Slug): Promise<readonly ListedLink[]> {
  const links = (await linksOf(context, slug)).toReversed()
  const hashes = links.map((link) => tokenOfLink(context.secretKey, link))
  const [uses, worths] = await Promise.all([
    readRecords(context.store, hashes.map(useKey), records.use),
    Promise.all(hashes.map((sha256) => worthOf(context, slug, sha256))),
  ])
  return links.map(({ code, linkId, role, name, expiresAt, audience, createdAt, by }, index) => ({
    ...{ code, linkId, role, name, expiresAt, audience, createdAt },
    worth: worths[index] ?? nothing,
    by: by as ActorId | undefined,
    lastUsedAt: uses[index]?.record.usedAt,
    uses: uses[index]?.record.uses ?? 0,
  }))
}

/** To end a link, by code or name, and what came through it. Refuses NOT_FOUND. */
export async function planRevocation(
  context: LinkContext,
  slug: Slug,
  codeOrName: string,
): Promise<PlannedRecords<{ readonly code: string }>> {
  const { store, runtime } = context
  const plan = new RecordPlan(store)
  const sharing = await readSharing(plan, slug)
  const code = await codeOf(context, codeOrName)
  const found = code && (await readRecord(store, linkKey(code), records.shortLink))
  if (!code || !found || found.record.slug !== slug) throw new Refusal('NOT_FOUND')
  await endLink(context, plan, { link: { ...found.record, code }, now: runtime.now() })
  writeSharing(plan, slug, sharing)
  return plan.done({ code })
}

interface Ending {
  readonly link: ShortLinkRecord & { readonly code: string }
  readonly now: number
}

/** Its token, its name, and itself. */
export async function endLink(
  { secretKey }: LinkContext,
  plan: RecordPlan,
  { link, now }: Ending,
): Promise<void> {
  const slug = link.slug as Slug
  const { linkId, code, name, expiresAt = now } = link
  const sha256 = tokenOfLink(secretKey, link)
  const token = await plan.read(tokenBySha256(sha256), records.secret)
  if (token?.type === 'document') endToken(plan, sha256, token)
  plan.delete(linkKey(code), linkOfDocument(slug, linkId))
  const general = await plan.read(generalLinkKey(slug), records.generalLink)
  if (general?.linkId === linkId) plan.delete(generalLinkKey(slug))
  if (name === undefined) return
  const named = await plan.read(linkNameKey(name), records.linkName)
  if (named?.linkId !== linkId) return
  dropName(plan, name, named)
  takeName(plan, name, { slug, linkId, endsAt: Math.min(expiresAt, now) })
}
