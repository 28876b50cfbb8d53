/** What the page asks of a document's access and links over REST (interface §4.10; extensions §3). */
import { ApiError, call } from './http.ts'

/** A role that can be given. */
export type GivenRole = 'editor' | 'commenter' | 'viewer'

export interface LinkAccess {
  readonly mode: 'restricted' | 'anyone'
  readonly role: GivenRole
}

export interface Person {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
}

export interface AccessGrant extends Person {
  readonly id: string
  readonly role: GivenRole
  readonly source: 'invite' | 'link' | 'creator'
  /** Of an invitation: the actor who did. */
  readonly invited_by: string | null
}

export interface GivenToken {
  readonly token_id: string
  readonly role: GivenRole
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface Offer extends Person {
  readonly offered_at: string
  readonly expires_at: string
}

export interface AccessList {
  readonly owner: Person | null
  readonly grants: readonly AccessGrant[]
  readonly tokens: readonly GivenToken[]
  readonly share_address: { readonly token_id: string; readonly role: GivenRole } | null
  readonly offer: Offer | null
  readonly next_cursor: string | null
}

export interface NamedLink {
  readonly code: string
  readonly url: string
  /** `null` of the link of general access while that is restricted. */
  readonly role: GivenRole | null
  readonly name: string | null
  readonly expires_at: string | null
  readonly created_at: string
  /** It was made for an agent. */
  readonly audience?: 'agent'
}

export interface ListedLink extends NamedLink {
  /** What it is worth now; `null`: it lets nobody in. */
  readonly current_role: GivenRole | null
  readonly general: boolean
  readonly created_by: string | null
  readonly last_used_at: string | null
  readonly uses: number
}

export interface LinkList {
  readonly links: readonly ListedLink[]
  readonly next_cursor: string | null
}

export interface NewLink {
  readonly role: GivenRole
  readonly audience?: 'agent'
  readonly name?: string
  readonly expires_at?: string
}

/** What is offered to whom, as far as this browser may know. */
export interface Ownership {
  readonly owner: Person | null
  readonly offer: Offer | null
}

const pageSize = 100
const page = (cursor: string | undefined): string =>
  `limit=${pageSize}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`

export const readLinkAccess = (slug: string): Promise<LinkAccess> =>
  call(`/docs/${slug}/link-access`, ['mode', 'role'])

export const setLinkAccess = (slug: string, access: LinkAccess): Promise<LinkAccess> =>
  call(`/docs/${slug}/link-access`, ['mode', 'role'], { method: 'PATCH', body: access })

export const listAccess = (slug: string, cursor?: string): Promise<AccessList> =>
  call(`/docs/${slug}/access?${page(cursor)}`, ['grants', 'tokens', 'next_cursor'])

/** Again sets the role. */
export const invite = (slug: string, handle: string, role: GivenRole): Promise<Person> =>
  call(`/docs/${slug}/access`, ['actor_id'], { method: 'POST', body: { handle, role } })

export const makeToken = (
  slug: string,
  token: { readonly role: GivenRole; readonly expires_at?: string },
): Promise<{ readonly access_token: string }> =>
  call(`/docs/${slug}/access`, ['access_token'], { method: 'POST', body: token })

/** A grant by its actor, or a token by its id. */
export const takeAccess = (slug: string, id: string, keepLinks = false): Promise<unknown> =>
  call(`/docs/${slug}/access/${encodeURIComponent(id)}?keep_links=${keepLinks}`, [], {
    method: 'DELETE',
  })

export const listLinks = (slug: string, cursor?: string): Promise<LinkList> =>
  call(`/docs/${slug}/links?${page(cursor)}`, ['links', 'next_cursor'])

export const makeLink = (slug: string, link: NewLink): Promise<NamedLink> =>
  call(`/docs/${slug}/links`, ['code', 'url'], { method: 'POST', body: link })

export const revokeLink = (slug: string, code: string): Promise<unknown> =>
  call(`/docs/${slug}/links/${encodeURIComponent(code)}`, [], { method: 'DELETE' })

export const readOwnership = (slug: string): Promise<Ownership> =>
  call(`/docs/${slug}/owner`, ['owner', 'offer'])

export const offerDocument = (slug: string, handle: string): Promise<unknown> =>
  call(`/docs/${slug}/owner`, [], { method: 'POST', body: { handle } })

/** By its owner to take it back, by who got it to decline it. */
export const withdrawOffer = (slug: string): Promise<unknown> =>
  call(`/docs/${slug}/owner`, [], { method: 'DELETE' })

export const acceptDocument = (slug: string): Promise<unknown> =>
  call(`/docs/${slug}/owner/accept`, [], { method: 'POST' })

/** Whether somebody without any credential reads the document. */
export async function opensForAnybody(slug: string): Promise<boolean> {
  try {
    await call(`/docs/${slug}`, [], { method: 'HEAD', asNobody: true })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}
