/**
 * The way to a document, for requests and for websocket upgrades alike: no such document 404, then
 * the credential 401, then the role 403, then what is archived 423.
 */
import type { Credential } from '../../core/access/credentials.ts'
import { type Action, atLeast, needsOf } from '../../core/access/may.ts'
import {
  type Access,
  accessOn,
  requireLife,
  requireRole,
  type Standing,
} from '../../core/access/roles.ts'
import type { DocumentFacts } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import type { Services } from '../services.ts'

export interface Visit {
  readonly slug: string
  readonly action: Action
  /** General access is not enough, even to read. */
  readonly credentialRequired: boolean
  /** Looked for once the document is known to be there; refuses one that is no good. */
  readonly credential: (slug: Slug) => Promise<Credential | undefined>
}

/** Refuses DOC_NOT_FOUND, AUTH_HEADER_REQUIRED, AUTH_REQUIRED, FORBIDDEN, DOC_ARCHIVED in order. */
export async function enterDocument(
  { documents, people }: Pick<Services, 'documents' | 'people'>,
  { slug, action, credentialRequired, credential: look }: Visit,
): Promise<{ credential: Credential | undefined; document: DocumentContext }> {
  if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
  const facts = await documents.facts(slug)
  // What is being purged is gone, for whoever asks.
  if (facts.life.state === 'purging') requireLife(action, facts)
  const credential = await look(slug)
  const { role, part = false, account = false } = needsOf[action]
  if (credential === undefined && (credentialRequired || part || atLeast(role, 'commenter'))) {
    throw new Refusal('AUTH_REQUIRED')
  }
  const standing = await people.access.standing(credential, slug)
  const access = requireRole(credential, accessOn(standing, facts), role)
  if (part && access.through === 'general') throw new Refusal('FORBIDDEN')
  if (account && !isOfAccount(credential)) throw new Refusal('FORBIDDEN')
  requireLife(action, facts)
  return { credential, document: { slug, facts, standing, access } }
}

/** A person's session or an agent, not a token that may be anybody's. */
const isOfAccount = (credential: Credential | undefined): boolean =>
  credential?.kind === 'agent' ||
  (credential?.kind === 'browser' && credential.session !== undefined)

/** The document a request is about and what the caller is on it. */
export interface DocumentContext {
  readonly slug: Slug
  readonly facts: DocumentFacts
  readonly standing: Standing
  readonly access: Access
}
