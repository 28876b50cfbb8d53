/** What the page asks of a document's past (interface §4.11; extensions §12). Editors only. */
import { ApiError, call } from './http.ts'

export interface HistoryEntry {
  readonly revision: number
  readonly at: string
  readonly event: string
  readonly actor_id: string
  readonly actor_ids?: readonly string[]
  readonly name?: string
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[]
  readonly next_cursor: string | null
}

export interface FormerText {
  readonly revision: number
  readonly title: string
  readonly markdown: string
  readonly at: string
  readonly actor_id: string
}

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
export const historyPage = (slug: string, wish: { limit: number; cursor?: string | undefined }) => {
  const cursor = wish.cursor === undefined ? '' : `&cursor=${wish.cursor}`
  return call<HistoryPage>(`/docs/${slug}/history?limit=${wish.limit}${cursor}`, [
    'entries',
    'next_cursor',
  ])
}

export const formerText = (slug: string, revision: number, signal: AbortSignal) =>
  call<FormerText>(`/docs/${slug}?revision=${revision}`, ['revision', 'markdown'], { signal })

interface DiffPage {
  readonly changes: readonly WordChange[]
  readonly next_cursor: string | null
}

/** All pages. */
export async function wordChanges(
  slug: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<readonly WordChange[]> {
  const path = `/docs/${slug}/diff?from=${from}&to=${to}`
  const changes: WordChange[] = []
  let page = await call<DiffPage>(path, ['changes', 'next_cursor'], { signal })
  for (;;) {
    for (const change of page.changes) changes.push(change)
    if (page.next_cursor === null) return changes
    page = await call<DiffPage>(`${path}&cursor=${page.next_cursor}`, ['changes', 'next_cursor'], {
      signal,
    })
  }
}

/** Null takes the name away. */
export const nameRevision = (slug: string, revision: number, name: string | null) =>
  call(`/docs/${slug}/revisions/${revision}/name`, [], { method: 'PUT', body: { name } })

/** What becomes of a thread that would lose its words (interface §4.5). */
export interface CommentOutcome {
  readonly id: string
  readonly action: 'remap' | 'remove' | 'keep'
  readonly new_block_idx?: number
}

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
  call<{ readonly revision: number }>(`/docs/${slug}/revert`, ['revision'], {
    method: 'POST',
    body: {
      revision,
      base_revision: base,
      ...(outcomes.length > 0 && { comment_outcomes: outcomes }),
    },
  })
