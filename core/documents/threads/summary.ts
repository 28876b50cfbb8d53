/**
 * What tells whether a reader wants a thread (interface §4.4), without its comments: a page of a
 * thousand threads looks at all of these and at a few dozen threads.
 */
import type { ActorId, CommentId, ThreadId } from '../../../schema/ids.ts'
import type { Thread } from './thread.ts'

export interface ThreadSummary {
  readonly id: ThreadId
  readonly n: number
  readonly changedRevision: number
  readonly isResolved: boolean
  readonly suggestions: { readonly pending: number; readonly stale: number }
  /** Everybody whom something that stands in it mentions. */
  readonly mentions: readonly ActorId[]
}

/** `stale`: its pending suggestions whose words do not stand as they were. */
export function summaryOf(thread: Thread, stale: readonly CommentId[]): ThreadSummary {
  const { id, n, changedRevision, resolution } = thread
  const mentions = new Set(resolution?.mentions)
  let open = 0
  for (const comment of thread.comments) {
    if (comment.deleted) continue
    if (comment.suggestion?.status === 'pending') open += 1
    for (const actor of comment.mentions ?? []) mentions.add(actor)
  }
  return {
    id,
    n,
    changedRevision,
    isResolved: resolution !== undefined,
    suggestions: { pending: open - stale.length, stale: stale.length },
    mentions: [...mentions],
  }
}
