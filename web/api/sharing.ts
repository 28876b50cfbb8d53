/** What the page asks of a document's access and links over REST (interface §4.10; extensions §3). */
import type { Body, Success } from '../../schema/wire/api.ts'
import { ApiError, call } from './http.ts'

export type LinkAccess = Success<'GET /docs/:slug/link-access'>

/** A role that can be given. */
export type GivenRole = LinkAccess['role']

export type AccessList = Success<'GET /docs/:slug/access'>
export type AccessGrant = AccessList['grants'][number]
export type GivenToken = AccessList['tokens'][number]
export type Person = NonNullable<AccessList['owner']>
export type Offer = NonNullable<AccessList['offer']>

/** What is offered to whom, as far as this browser may know. */
export type Ownership = Pick<Success<'GET /docs/:slug/owner'>, 'owner' | 'offer'>

export type NamedLink = Success<'POST /docs/:slug/links'>

/** `current_role` is what it is worth now; `null`: it lets nobody in. */
export type ListedLink = Success<'GET /docs/:slug/links'>['links'][number]

const limit = 100

export const readLinkAccess = (slug: string): Promise<LinkAccess> =>
  call('GET /docs/:slug/link-access', ['mode', 'role'], { slug })

export const setLinkAccess = (slug: string, access: LinkAccess): Promise<LinkAccess> =>
  call('PATCH /docs/:slug/link-access', ['mode', 'role'], { slug, body: access })

export const listAccess = (slug: string, cursor?: string): Promise<AccessList> =>
  call('GET /docs/:slug/access', ['grants', 'tokens', 'next_cursor'], {
    slug,
    query: { limit, cursor },
  })

/** Again sets the role. */
export const invite = (slug: string, handle: string, role: GivenRole): Promise<Person> =>
  call('POST /docs/:slug/access', ['actor_id'], { slug, body: { handle, role } })

export const makeToken = (
  slug: string,
  token: { readonly role: GivenRole; readonly expires_at?: string },
) => call('POST /docs/:slug/access', ['access_token'], { slug, body: token })

/** A grant by its actor, or a token by its id. */
export const takeAccess = (slug: string, id: string, keepLinks = false) =>
  call('DELETE /docs/:slug/access/:id', [], { slug, id, query: { keep_links: keepLinks } })

export const listLinks = (slug: string, cursor?: string) =>
  call('GET /docs/:slug/links', ['links', 'next_cursor'], { slug, query: { limit, cursor } })

export const makeLink = (slug: string, link: Body<'POST /docs/:slug/links'>): Promise<NamedLink> =>
  call('POST /docs/:slug/links', ['code', 'url'], { slug, body: link })

export const revokeLink = (slug: string, code: string) =>
  call('DELETE /docs/:slug/links/:code', [], { slug, code })

export const readOwnership = (slug: string): Promise<Ownership> =>
  call('GET /docs/:slug/owner', ['owner', 'offer'], { slug })

export const offerDocument = (slug: string, handle: string) =>
  call('POST /docs/:slug/owner', [], { slug, body: { handle } })

/** By its owner to take it back, by who got it to decline it. */
export const withdrawOffer = (slug: string) => call('DELETE /docs/:slug/owner', [], { slug })

export const acceptDocument = (slug: string) => call('POST /docs/:slug/owner/accept', [], { slug })

/** Whether somebody without any credential reads the document. */
export async function opensForAnybody(slug: string): Promise<boolean> {
  try {
    await call('GET /docs/:slug', [], { slug, isHead: true, asNobody: true })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}
