/**
 * The way to a document, for requests and for websocket upgrades alike: no such document 404, then
 * the credential 401, then the role 403. What is archived refuses here too, once it says so.
 */
import type { Role } from '../core/documents/contract.ts'
import type { Credential } from '../core/people/identity.ts'
import { atLeast, requireRole } from '../core/people/roles.ts'
import { Refusal } from '../schema/errors.ts'
import { isSlug, type Slug } from '../schema/ids.ts'
import type { DocumentContext } from './route.ts'
import type { Services } from './services.ts'

export interface Visit {
  readonly slug: string
  readonly role: Role
  /** General access is not enough, even to read. */
  readonly credentialRequired: boolean
  /** Looked for once the document is known to be there; refuses one that is no good. */
  readonly credential: (slug: Slug) => Promise<Credential | undefined>
}

/** Refuses DOC_NOT_FOUND, AUTH_HEADER_REQUIRED, AUTH_REQUIRED, FORBIDDEN, in this order. */
export async function enterDocument(
  { documents, people }: Pick<Services, 'documents' | 'people'>,
  { slug, role, ...visit }: Visit,
): Promise<{ credential: Credential | undefined; document: DocumentContext }> {
  if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
  const facts = await documents.facts(slug)
  const credential = await visit.credential(slug)
  if (credential === undefined && (visit.credentialRequired || atLeast(role, 'commenter'))) {
    throw new Refusal('AUTH_REQUIRED')
  }
  const access = requireRole(credential, await people.access(credential, facts), role)
  return { credential, document: { slug, facts, access } }
}
