/** What the page asks of documents over REST (interface §4.2, §4.10; extensions §3, §4). */

import type { Body, Success } from '../../schema/wire/api.ts'
import { absolute, under } from './base.ts'
import { call } from './http.ts'

/** With its token while it is nobody's. */
export type CreatedDocument = Pick<
  Success<'POST /docs'>,
  'id' | 'revision' | 'share_url' | 'access_token'
>

/**
 * Where one who made a document goes: to its own address; by the share address, which stays with
 * the browser whoever signs out of it, only to become the owner.
 */
export function addressOfNew({ id, share_url, access_token }: CreatedDocument): string {
  if (access_token === undefined) return under(`/d/${id}`)
  // Absolute where the service has a path.
  return share_url.startsWith('/') ? under(share_url) : share_url
}

/**
 * `target`: where in a library (interface §2.8); without one, where what is one's own goes. `key`:
 * the same request is done once.
 */
export const createDocument = (
  markdown: string,
  target?: Body<'POST /docs'>['library_target'],
  key?: string,
): Promise<CreatedDocument> =>
  call('POST /docs', ['id', 'revision', 'share_url'], {
    body: { markdown, library_target: target },
    idempotencyKey: key,
  })

/** All of its text anew, where nobody has changed it since (interface §4.5). */
export const replaceDocument = (
  slug: string,
  { markdown, revision }: { readonly markdown: string; readonly revision: number },
) =>
  call('PATCH /docs/:slug', ['revision'], {
    slug,
    body: { replace_document: markdown, base_revision: revision },
  })

/**
 * The clean short link of a document; it carries no secret. Editors and owners only. `role` is what
 * general access gives now; `null` while it is restricted, when the link opens nothing.
 */
export const shareLink = (slug: string) =>
  call('POST /docs/:slug/share-link', ['url', 'role'], { slug })

/** The page's own address: it opens for those who have access. */
export const pageAddress = (slug: string): string => absolute(`/d/${slug}`)

/** What is given to others: the link of general access; while that is restricted, the page's own. */
export async function openingLink(slug: string) {
  const { url, role } = await shareLink(slug)
  return { url: role === null ? pageAddress(slug) : url, role }
}

/** Takes the ownership of a document whose creator's share address this browser came by. */
export const claimDocument = (slug: string) =>
  call('POST /docs/:slug/claim', ['your_role'], { slug })

/** Within a day of the claim: nobody owns it again. */
export const giveBackDocument = (slug: string) =>
  call('DELETE /docs/:slug/claim', ['your_role'], { slug })

/** The text as it is stored, and its revision. */
export const readMarkdown = (slug: string) =>
  call('GET /docs/:slug', ['markdown', 'revision'], { slug })

/** Refuses what the service refuses (interface §4.5). */
export const editDocument = (
  slug: string,
  edits: Body<'PATCH /docs/:slug'>['edits'],
  revision: number,
) => call('PATCH /docs/:slug', ['revision'], { slug, body: { edits, base_revision: revision } })
