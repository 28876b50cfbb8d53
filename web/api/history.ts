/** What the page asks of a document's past (interface §4.11; extensions §12). Editors only. */
import { call } from './http.ts'

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
  return call<HistoryPage>(`/docs/${slug}/history?limit=${wish.limit}${cursor}`)
}

export const formerText = (slug: string, revision: number, signal: AbortSignal) =>
  call<FormerText>(`/docs/${slug}?revision=${revision}`, { signal })

export async function wordChanges(
  slug: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<readonly WordChange[]> {
  const path = `/docs/${slug}/diff?from=${from}&to=${to}`
  return (await call<{ changes: readonly WordChange[] }>(path, { signal })).changes
}

/** Null takes the name away. */
export const nameRevision = (slug: string, revision: number, name: string | null) =>
  call(`/docs/${slug}/revisions/${revision}/name`, { method: 'PUT', body: { name } })

export interface Restore {
  readonly revision: number
  readonly base: number
  /** What becomes of comments that would lose their words. */
  readonly outcomes?: readonly unknown[]
}

export const restoreRevision = (slug: string, { revision, base, outcomes }: Restore) =>
  call<{ readonly revision: number }>(`/docs/${slug}/revert`, {
    method: 'POST',
    body: {
      revision,
      base_revision: base,
      ...(outcomes !== undefined && { comment_outcomes: outcomes }),
    },
  })
