/**
 * The one role resolver (interface §5): from a credential, or none, and the facts of a document to
 * what its holder may do there. Access is the highest of a list of grants, so that a further source
 * of rights is one more line in that list. It knows no HTTP and reads no store.
 */
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { DocumentFacts, Role, Writer } from '../documents/contract.ts'
import type { Credential, TokenCredential } from './credentials.ts'
import type { RecordedGrant } from './grants.ts'
import { type Action, atLeast, needsOf, type RoleSource } from './may.ts'
import type { PlaceGrant } from './place-grants.ts'
import { worthUnder } from './worth.ts'

/** One reason why somebody may do something. */
export interface Grant {
  readonly role: Role
  readonly through: RoleSource
}

/** What a caller is on one document. */
export interface Access {
  readonly role: Role
  /** What gives it the role. */
  readonly through: RoleSource
  /** Absent without a credential. */
  readonly actor: ActorId | undefined
  readonly displayName: string | undefined
  /** Whether this caller may write without naming itself first. */
  readonly identified: boolean
  /** Who is credited with a write; absent while the caller is not identified. */
  readonly writer: Writer | undefined
  /** Names the credential, the same for as long as it lasts; never a secret. */
  readonly holder: string
  /** The credential may be in many hands. */
  readonly sharedToken: boolean
}

/** What a token is worth on this document now; `undefined`: nothing. */
export const tokenRole = (
  { slug, worth }: TokenCredential,
  facts: DocumentFacts,
): Role | undefined => (slug === facts.slug ? worthUnder(worth, facts.linkAccess) : undefined)

/** All that the store says of a credential and one document, as of one look. */
export interface Standing {
  readonly credential: Credential | undefined
  /** `undefined`: it stands for nobody for whom anything could be recorded. */
  readonly recorded: RecordedGrant | undefined
  /** By where the document stands in a library. */
  readonly placed?: PlaceGrant | undefined
}

/** The records that a standing would not be without. */
export const checksOf = ({ credential, recorded, placed }: Standing): readonly Check[] => [
  ...(credential?.checks ?? []),
  ...(recorded?.checks ?? []),
  ...(placed?.checks ?? []),
]

/**
 * Every grant this caller has: the token's own, those recorded for the actor, what the document's
 * place is worth, and general access, which lets nobody do more than read. A token of another
 * document has no grant at all, nor has an owner key of any.
 */
export function grantsOf(standing: Standing, facts: DocumentFacts): Grant[] {
  const { credential, recorded, placed } = standing
  if (credential?.kind === 'owner-key') return []
  if (credential?.kind === 'token' && credential.slug !== facts.slug) return []
  const links = recorded?.links ?? []
  const roles = [recorded?.role, ...links.map((worth) => worthUnder(worth, facts.linkAccess))]
  const grants: Grant[] = roles
    .filter((role) => role !== undefined)
    .map((role) => ({ role, through: 'actor' }))
  const token = credential?.kind === 'browser' ? credential.link : credential
  const role = token?.kind === 'token' ? tokenRole(token, facts) : undefined
  if (role !== undefined) grants.push({ role, through: 'token' })
  if (placed?.isEditor === true) grants.push({ role: 'editor', through: 'place' })
  if (facts.linkAccess.mode === 'anyone') grants.push({ role: 'viewer', through: 'general' })
  return grants
}

/** What the caller is on the document of these facts; `undefined` when it is nothing. */
export const accessOn = (standing: Standing, facts: DocumentFacts): Access | undefined =>
  accessOf(standing.credential, grantsOf(standing, facts))

/** The access of the highest grant; `undefined` when there is none. */
export function accessOf(
  credential: Credential | undefined,
  grants: readonly Grant[],
): Access | undefined {
  const best = grants.reduce<Grant | undefined>(
    (high, grant) => (high !== undefined && atLeast(high.role, grant.role) ? high : grant),
    undefined,
  )
  if (best === undefined) return undefined
  if (credential === undefined) {
    return {
      role: best.role,
      through: best.through,
      actor: undefined,
      displayName: undefined,
      identified: false,
      writer: undefined,
      holder: 'nobody',
      sharedToken: false,
    }
  }
  const { actor, displayName } = credential
  const writer = displayName === undefined || actor === undefined ? undefined : actor
  return {
    role: best.role,
    through: best.through,
    actor,
    displayName,
    identified: writer !== undefined,
    writer: writer && { actor: writer, authMethod: authMethodOf(credential) },
    holder: credential.holder,
    sharedToken: credential.kind === 'token' && credential.shared,
  }
}

export const authMethodOf = ({ kind }: Credential): Writer['authMethod'] => {
  if (kind === 'owner-key') return 'owner_key'
  return kind === 'browser' ? 'session' : kind
}

/**
 * The access, or the refusal in its place: AUTH_REQUIRED when a credential could help, FORBIDDEN
 * when the one that came does not reach `needed`.
 */
export function requireRole(
  credential: Credential | undefined,
  access: Access | undefined,
  needed: Role,
): Access {
  if (access !== undefined && atLeast(access.role, needed)) return access
  if (credential === undefined) throw new Refusal('AUTH_REQUIRED')
  throw new Refusal('FORBIDDEN', {
    required_role: needed,
    ...(access && { your_role: access.role }),
  })
}

/**
 * Refuses DOC_ARCHIVED what nobody does to an archived document (interface §3), and DOC_NOT_FOUND
 * what nobody does to one that is being purged.
 */
export function requireLife(action: Action, { life, slug }: DocumentFacts): void {
  const { until = 'active' } = needsOf[action]
  if (lives.indexOf(life.state) <= lives.indexOf(until)) return
  throw life.state === 'archived'
    ? new Refusal('DOC_ARCHIVED')
    : new Refusal('DOC_NOT_FOUND', { slug })
}

const lives = ['active', 'archived', 'purging'] as const

/**
 * Refuses IDENTIFY_REQUIRED unless the caller has a name, or brings one (interface §2.3, §7). A
 * browser takes its name with a session, never with a write (extensions §3).
 */
export function requireIdentity(
  { identified, isBrowser }: { readonly identified: boolean; readonly isBrowser: boolean },
  name: string | undefined,
  slug: Slug,
): void {
  if (identified || (name !== undefined && !isBrowser)) return
  const next = isBrowser ? 'POST /auth/guest' : 'POST /agents/identify'
  throw new Refusal('IDENTIFY_REQUIRED', { next, slug })
}
