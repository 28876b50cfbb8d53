/** What the page asks of a document's past (interface §4.11; extensions §12). Editors only. */
import type { Body, Success, SuccessWith } from '../../schema/wire/api.ts'
import { ApiError, call } from './http.ts'

export type HistoryPage = Success<'GET /docs/:slug/history'>
export type HistoryEntry = HistoryPage['entries'][number]
export type FormerText = SuccessWith<'GET /docs/:slug', 'at'>

/** Of words: where it stood in the older markdown, or stands in the newer one. */
export type WordChange =
  | {
      readonly kind: 'delete'
      readonly text: string
      readonly from: number
      readonly author: string
    }
  | { readonly kind: 'insert'; readonly text: string; readonly to: number; readonly author: string }

/** The newest first. */
export const historyPage = (slug: string, wish: { limit: number; cursor?: string | undefined }) =>
  call('GET /docs/:slug/history', ['entries', 'next_cursor'], { slug, query: wish })

export const formerText = (slug: string, revision: number, signal: AbortSignal) =>
  call('GET /docs/:slug', ['revision', 'markdown', 'at'], { slug, query: { revision }, signal })

/** All pages. */
export async function wordChanges(
  slug: string,
  revisions: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<readonly WordChange[]> {
  const changes: WordChange[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { ...revisions, cursor }
    const asked = { slug, query, signal }
    const page = await call('GET /docs/:slug/diff', ['changes', 'next_cursor'], asked)
    for (const change of page.changes) changes.push(change as WordChange)
    cursor = page.next_cursor
  }
  return changes
}

/** Null takes the name away. */
export const nameRevision = (slug: string, revision: number, name: string | null) =>
  call('PUT /docs/:slug/revisions/:n/name', [], { slug, n: revision, body: { name } })

/** What becomes of a thread that would lose its words (interface §4.5). */
export type CommentOutcome = NonNullable<
  Body<'POST /docs/:slug/revert'>['comment_outcomes']
>[number]

/** A thread of which words would go. */
export interface AffectedThread {
  readonly id: string
  readonly text: string
  readonly quote: string
  readonly resolved: boolean
  /** Where it could go, the nearest first. */
  readonly candidate_blocks: readonly { readonly idx: number; readonly quote: string }[]
}

/** `undefined`: the service did not refuse because of comments. */
export function affectedBy(error: unknown): readonly AffectedThread[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'EDITS_AFFECT_COMMENTS') return undefined
  return error.body['affected_comments'] as readonly AffectedThread[]
}

export interface Restore {
  readonly revision: number
  readonly base: number
  /** None where nothing was asked. */
  readonly outcomes: readonly CommentOutcome[]
}

export const restoreRevision = (slug: string, { revision, base, outcomes }: Restore) =>
  call('POST /docs/:slug/revert', ['revision'], {
    slug,
    body: {
      revision,
      base_revision: base,
      ...(outcomes.length > 0 && { comment_outcomes: outcomes }),
    },
  })
