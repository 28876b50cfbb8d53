/**
 * Tokens that an owner makes for others (interface §4.10): `dtk_…`, shared, of a role, perhaps with
 * an end. Listed with what else was given of a document on purpose: its creator's token and the one
 * in the create's share address.
 */
import { indexRange, tokenBySha256, useKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { GivenRole } from '../access/invitations.ts'
import { readSharing, writeSharing } from '../access/sharing.ts'
import type { PlannedRecords } from '../documents/contract.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { type DocumentToken, readRecords, records } from '../records/records.ts'
import { type Maker, noteMade, requireWorth } from './makers.ts'
import type { LinkContext } from './short-links.ts'
import { endToken, issueToken } from './tokens.ts'

export interface NewAccessToken {
  readonly id: string
  readonly secret: string
}

export interface NewToken {
  readonly role: GivenRole
  readonly expiresAt: number | undefined
  readonly madeBy: Maker | undefined
}

/** Refuses LIMIT_REACHED; those whose time is over make room. */
export async function planAccessToken(
  context: LinkContext,
  slug: Slug,
  { role, expiresAt, madeBy }: NewToken,
): Promise<PlannedRecords<NewAccessToken>> {
  const plan = new RecordPlan(context.store)
  const sharing = await readSharing(plan, slug)
  await requireWorth(context, slug, madeBy)
  const made = (await givenTokens(context, slug)).filter(({ token }) => token.origin === 'access')
  if (made.length >= limits.accessTokensPerDocument) {
    const now = context.runtime.now()
    const over = made.filter(({ token }) => (token.expiresAt ?? now + 1) <= now)
    if (over.length === 0) {
      throw new Refusal('LIMIT_REACHED', { limit: 'tokens', max: limits.accessTokensPerDocument })
    }
    for (const { sha256, token } of over) endToken(plan, sha256, token)
  }
  const { id, secret, puts } = issueToken(context, {
    ...{ slug, role, expiresAt, madeBy },
    origin: 'access',
  })
  plan.put(puts)
  noteMade(plan, slug, madeBy)
  writeSharing(plan, slug, sharing)
  return plan.done({ id, secret })
}

export interface GivenToken {
  readonly sha256: string
  readonly token: DocumentToken
}

/** At most `limits.accessTokensPerDocument` and two. */
export async function givenTokens(
  { store }: Pick<LinkContext, 'store'>,
  slug: Slug,
): Promise<readonly GivenToken[]> {
  const hashes: string[] = []
  for await (const { value } of store.scan(indexRange('given-token-of', slug))) {
    const home = records.actorHome.decode(value)
    if ('token' in home) hashes.push(home.token)
  }
  const found = await readRecords(store, hashes.map(tokenBySha256), records.secret)
  return hashes.flatMap((sha256, index) => {
    const token = found[index]?.record
    return token?.type === 'document' && token.revoked !== true ? [{ sha256, token }] : []
  })
}

export interface ListedTokens {
  /** The owner's, the oldest first. */
  readonly tokens: readonly (Pick<DocumentToken, 'id' | 'role' | 'createdAt' | 'expiresAt'> & {
    readonly lastUsedAt: number | undefined
  })[]
  /** Of who created the document without a credential. */
  readonly creator: { readonly actor: ActorId; readonly role: GivenRole } | undefined
  /** In the create's own share address, while it is good. */
  readonly shareAddress: { readonly id: string; readonly role: GivenRole } | undefined
}

/** What was used just now is told when `Uses` has stored it. */
export async function listTokens(
  context: Pick<LinkContext, 'store'>,
  slug: Slug,
): Promise<ListedTokens> {
  const given = await givenTokens(context, slug)
  const keys = given.map(({ sha256 }) => useKey(sha256))
  const uses = await readRecords(context.store, keys, records.use)
  const of = (origin: DocumentToken['origin']) =>
    given.find(({ token }) => token.origin === origin)?.token
  const creator = of('create')
  const share = of('handoff')
  return {
    tokens: given
      .map(({ token }, index) => ({ ...token, lastUsedAt: uses[index]?.record.usedAt }))
      .filter(({ origin }) => origin === 'access')
      .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)),
    creator: creator && { actor: creator.actor as ActorId, role: creator.role },
    shareAddress: share && { id: share.id, role: share.role },
  }
}
