/** What the page asks about a document's life and its flags (interface §3; extensions §3, §9). */
import type { Success } from '../../schema/wire/api.ts'
import { ApiError, call, readText } from './http.ts'

export type Archive = Success<'GET /docs/:slug/archive'>

/** Only the owner changes the text; nobody comments. */
export type Flags = Omit<Success<'PATCH /docs/:slug/settings'>, 'revision'>

const archiveFields = ['title', 'archived', 'your_role', 'actors'] as const

export const readArchive = (slug: string): Promise<Archive> =>
  call('GET /docs/:slug/archive', archiveFields, { slug })

/** The text of an archived document, for those who may restore it. */
export const readArchivedText = async (slug: string): Promise<string> => {
  const query = { include: 'markdown' } as const
  return (await call('GET /docs/:slug/archive', ['markdown'], { slug, query })).markdown
}

export const archiveDocument = (slug: string): Promise<Archive> =>
  call('POST /docs/:slug/archive', archiveFields, { slug })

export const restoreDocument = (slug: string): Promise<Archive> =>
  call('POST /docs/:slug/restore', archiveFields, { slug })

/** Resolves when nothing of it is left, or it is on its way out. */
export const deleteForever = (slug: string) => call('DELETE /docs/:slug/forever', [], { slug })

export const setFlags = (slug: string, flags: Partial<Flags>): Promise<Flags> =>
  call('PATCH /docs/:slug/settings', ['read_only', 'comments_disabled'], { slug, body: flags })

/** The document as OKF: markdown with what is known of it in front. */
export const readOkf = (slug: string): Promise<string> =>
  readText('GET /docs/:slug', { slug, query: { format: 'okf' } })

export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'DOC_NOT_FOUND'
