/** What this person should hear of (extensions §13). */
import { call } from './http.ts'
import type { Comment, Notify } from './threads.ts'

export interface InboxEntry {
  readonly id: string
  readonly event: string
  readonly at: string
  /** Null: it is about the agent that is the actor. */
  readonly document: { readonly id: string; readonly title: string } | null
  readonly actor: { readonly actor_id: string; readonly name: string }
  readonly thread_id: string | null
  readonly comment: Comment | null
  readonly quote: string | null
  readonly notify: Notify | null
  readonly count: number
}

export interface InboxPage {
  readonly entries: readonly InboxEntry[]
  readonly next: string
}

/** The oldest first; `after` is `next` of the page before. */
export const inboxPage = (signal: AbortSignal, after?: string) =>
  call<InboxPage>(
    `/inbox?limit=100${after === undefined ? '' : `&after=${after}`}`,
    ['entries', 'next'],
    { signal },
  )

/** All up to that entry is done. */
export const acknowledge = (upTo: string) =>
  call('/inbox/ack', [], { method: 'POST', body: { up_to: upTo } })
