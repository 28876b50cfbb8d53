/** What the page asks about a document's life and its flags (interface §3; extensions §3, §9). */
import { ApiError, call, readText } from './http.ts'
import type { GivenRole } from './sharing.ts'

export interface Archive {
  readonly title: string
  readonly archived: boolean
  readonly archived_at: string | null
  readonly archived_by: string | null
  readonly restorable_until: string | null
  /** It is being deleted for good. */
  readonly purging: boolean
  readonly your_role: GivenRole | 'owner'
  readonly actors: Readonly<Record<string, { readonly name: string }>>
}

export interface Flags {
  /** Only the owner changes the text. */
  readonly read_only: boolean
  /** Nobody comments. */
  readonly comments_disabled: boolean
}

const archiveFields = ['title', 'archived', 'your_role', 'actors'] as const

export const readArchive = (slug: string): Promise<Archive> =>
  call(`/docs/${slug}/archive`, archiveFields)

/** The text of an archived document, for those who may restore it. */
export const readArchivedText = async (slug: string): Promise<string> => {
  const path = `/docs/${slug}/archive?include=markdown`
  return (await call<{ readonly markdown: string }>(path, ['markdown'])).markdown
}

export const archiveDocument = (slug: string): Promise<Archive> =>
  call(`/docs/${slug}/archive`, archiveFields, { method: 'POST' })

export const restoreDocument = (slug: string): Promise<Archive> =>
  call(`/docs/${slug}/restore`, archiveFields, { method: 'POST' })

/** Resolves when nothing of it is left, or it is on its way out. */
export const deleteForever = (slug: string): Promise<unknown> =>
  call(`/docs/${slug}/forever`, [], { method: 'DELETE' })

export const setFlags = (slug: string, flags: Partial<Flags>): Promise<Flags> =>
  call(`/docs/${slug}/settings`, ['read_only', 'comments_disabled'], {
    method: 'PATCH',
    body: flags,
  })

/** The document as OKF: markdown with what is known of it in front. */
export const readOkf = (slug: string): Promise<string> => readText(`/docs/${slug}?format=okf`)

export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'DOC_NOT_FOUND'
