/** What this person should hear of (extensions §13). */
import type { Success } from '../../schema/wire/api.ts'
import { call } from './http.ts'

/** `document` is null where it is about the agent that is the actor. */
export type InboxEntry = Success<'GET /inbox'>['entries'][number]

/** The oldest first; `after` is `next` of the page before. */
export const inboxPage = (signal: AbortSignal, after?: string) =>
  call('GET /inbox', ['entries', 'next'], { query: { limit: 100, after }, signal })

/** All up to that entry is done. */
export const acknowledge = (upTo: string) => call('POST /inbox/ack', [], { body: { up_to: upTo } })
