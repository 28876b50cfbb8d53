/**
 * Which entries of an inbox wait for their person, and how far all is done. Pure. What is only to
 * be known is done once it was seen; what waits for an answer or a decision, once it has one or was
 * put aside. Only what has nothing that waits before it can be acknowledged, for that is a line up
 * to which all is done.
 */

import { under } from '../api/base.ts'
import type { InboxEntry } from '../api/inbox.ts'

export interface Dealt {
  /** The newest that was seen; as a number, 0 for none. */
  readonly seen: number
  /** Answered, decided or put aside. */
  readonly done: readonly string[]
}

/** What is asked for: words, a choice, or a yes or no to a suggestion. */
export function asksFor({ comment, notify }: InboxEntry): 'answer' | 'decision' | undefined {
  if (comment?.suggestion?.status === 'pending') return 'decision'
  if (notify?.kind === 'blocked') return 'answer'
  return notify?.kind === 'decision' ? 'decision' : undefined
}

/** A mention, a question, something to decide, or what became of the webhook of an own agent. */
export const needsSomebody = (entry: InboxEntry): boolean =>
  entry.event === 'mention' || isOfWebhook(entry) || asksFor(entry) !== undefined

export const isOfWebhook = ({ event }: InboxEntry): boolean => event.startsWith('webhook.')

/** In the order in which they are shown, the newest first. */
export function waitingOf(
  entries: readonly InboxEntry[],
  { seen, done }: Dealt,
): readonly InboxEntry[] {
  const waiting = entries.filter((entry) => {
    if (done.includes(entry.id) || !needsSomebody(entry)) return false
    return asksFor(entry) !== undefined || Number(entry.id) > seen
  })
  // Who is meant and asked in one comment is told of both; it is one thing to do.
  return waiting.toReversed().filter((entry, at, all) => {
    return all.findIndex((other) => isOfSame(entry, other)) === at
  })
}

/** Whether both are of one comment. */
export const isOfSame = (one: InboxEntry, other: InboxEntry): boolean =>
  one === other || (one.comment !== null && one.comment.id === other.comment?.id)

/** Up to which entry all is done; undefined: not even the first. */
export function doneUpTo(
  entries: readonly InboxEntry[],
  { seen, done }: Dealt,
): string | undefined {
  let last: string | undefined
  for (const entry of entries) {
    const isKnown = Number(entry.id) <= seen && asksFor(entry) === undefined
    if (!isKnown && !done.includes(entry.id)) break
    last = entry.id
  }
  return last
}

/** Of the page at its comment; of what is about an agent, the list of agents. */
export function addressOf({ document, comment }: InboxEntry): string {
  if (document === null) return under('/account#agents')
  return under(`/d/${document.id}${comment === null ? '' : `?focus=comment-${comment.id}`}`)
}
