/** What the page asks of documents over REST (interface §4.2, §4.10; extensions §3, §4). */

import { absolute, under } from './base.ts'
import { call } from './http.ts'
import type { GivenRole } from './sharing.ts'

export interface CreatedDocument {
  readonly id: string
  readonly revision: number
  readonly share_url: string
  /** Of a document that is nobody's so far. */
  readonly access_token?: string
}

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
  target?: object,
  key?: string,
): Promise<CreatedDocument> =>
  call('/docs', ['id', 'revision', 'share_url'], {
    method: 'POST',
    body: { markdown, library_target: target },
    ...(key === undefined ? {} : { idempotencyKey: key }),
  })

/** All of its text anew, where nobody has changed it since (interface §4.5). */
export const replaceDocument = (
  slug: string,
  { markdown, revision }: { readonly markdown: string; readonly revision: number },
): Promise<{ readonly revision: number }> =>
  call(`/docs/${slug}`, ['revision'], {
    method: 'PATCH',
    body: { replace_document: markdown, base_revision: revision },
  })

export interface ShareLink {
  readonly url: string
  /** What general access gives now; `null` while it is restricted, when the link opens nothing. */
  readonly role: GivenRole | null
}

/** The clean short link of a document; it carries no secret. Editors and owners only. */
export const shareLink = (slug: string): Promise<ShareLink> =>
  call(`/docs/${slug}/share-link`, ['url', 'role'], { method: 'POST' })

/** The page's own address: it opens for those who have access. */
export const pageAddress = (slug: string): string => absolute(`/d/${slug}`)

/** What is given to others: the link of general access; while that is restricted, the page's own. */
export async function openingLink(slug: string): Promise<ShareLink> {
  const { url, role } = await shareLink(slug)
  return { url: role === null ? pageAddress(slug) : url, role }
}

/** Takes the ownership of a document whose creator's share address this browser came by. */
export const claimDocument = (slug: string): Promise<{ readonly your_role: string }> =>
  call(`/docs/${slug}/claim`, ['your_role'], { method: 'POST' })

/** Within a day of the claim: nobody owns it again. */
export const giveBackDocument = (slug: string): Promise<{ readonly your_role: string }> =>
  call(`/docs/${slug}/claim`, ['your_role'], { method: 'DELETE' })

export interface ReadText {
  readonly markdown: string
  readonly revision: number
}

/** The text as it is stored, and its revision. */
export const readMarkdown = (slug: string): Promise<ReadText> =>
  call(`/docs/${slug}`, ['markdown', 'revision'])

/** Refuses what the service refuses (interface §4.5). */
export const editDocument = (
  slug: string,
  edits: readonly object[],
  revision: number,
): Promise<{ readonly revision: number }> =>
  call(`/docs/${slug}`, ['revision'], {
    method: 'PATCH',
    body: { edits, base_revision: revision },
  })
