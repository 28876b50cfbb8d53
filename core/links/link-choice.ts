/**
 * Of two links by which one browser came to a document, the one that counts there (extensions §3):
 * the one that lets it do more now. So a weaker link takes nothing away, whoever put it in the way.
 */
import type { Slug } from '../../schema/ids.ts'
import { type AccessContext, authenticate, type TokenCredential } from '../access/credentials.ts'
import { atLeast } from '../access/may.ts'
import { tokenRole } from '../access/roles.ts'
import type { DocumentFacts } from '../documents/contract.ts'

export interface LinkChoice {
  readonly slug: Slug
  /** The secret of the link that is followed now. */
  readonly offered: string
  /** The one that the browser has, if any. */
  readonly held: string | undefined
}

/** `undefined`: the offered one lets nobody do anything there, whatever is held. */
export async function chooseLink(
  context: AccessContext,
  { slug, offered, held }: LinkChoice,
  readFacts: () => Promise<DocumentFacts>,
): Promise<'offered' | 'held' | undefined> {
  const token = await tokenOf(context, offered, slug)
  if (token === undefined) return undefined
  const facts = await readFacts()
  if (tokenRole(token, facts) === undefined) return undefined
  const other =
    held === undefined || held === offered ? undefined : await tokenOf(context, held, slug)
  return other !== undefined && isNoWeaker(other, token, facts) ? 'held' : 'offered'
}

async function tokenOf(
  context: AccessContext,
  secret: string,
  slug: Slug,
): Promise<TokenCredential | undefined> {
  const credential = await authenticate(context, secret)
  return credential?.kind === 'token' && credential.slug === slug ? credential : undefined
}

/** First the role; then the creator's own address, by which alone one claims; then what lasts. */
function isNoWeaker(one: TokenCredential, other: TokenCredential, facts: DocumentFacts): boolean {
  const [role, otherRole] = [tokenRole(one, facts), tokenRole(other, facts)]
  if (role === undefined || otherRole === undefined) return otherRole === undefined
  if (role !== otherRole) return atLeast(role, otherRole)
  const claims = ({ origin }: TokenCredential) => origin === 'handoff'
  if (claims(one) !== claims(other)) return claims(one)
  return !one.follows || other.follows
}
