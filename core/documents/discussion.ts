/** What documents offer of their discussion (interface §3, §4.6): shapes, no behaviour. */
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { IdempotencyClaim } from '../commit/kept-outcomes.ts'
import type { Permission, Writer } from '../commit/permission.ts'
import type { Sources } from './live/live-peer.ts'
import type { NewComment } from './threads/commenting.ts'
import type { Sentiment } from './threads/thread.ts'
import type { Edited, Fields, Unheard } from './threads/thread-acts.ts'

/** The body of an answer, in the spelling of the wire. */
export type Answered = Fields & { readonly revision: number }

/** Who speaks, and what lets them. */
export interface Speaker {
  readonly writer: Writer
  readonly permission?: Permission | undefined
  readonly sources?: Sources | undefined
  readonly idempotency?: IdempotencyClaim | undefined
  /** The agents that are told of nothing more that it does. */
  readonly unheard?: Unheard | undefined
  /** Told once who hears of the act. */
  readonly onNotified?: ((to: readonly ActorId[]) => void) | undefined
}

export interface Discussion {
  /** `comment` is asked for unless the request was answered before. */
  comment(
    slug: Slug,
    by: Speaker,
    comment: () => Promise<Omit<NewComment, 'by'>>,
  ): Promise<Answered>
  edit(slug: Slug, by: Speaker, id: string, edited: Edited): Promise<Answered>
  remove(slug: Slug, by: Speaker, id: string): Promise<Answered>
  /** By one of its comments, whose words must stand, or by itself. */
  resolve(
    slug: Slug,
    by: Speaker,
    what: { readonly comment: string } | { readonly thread: string },
    text: string,
  ): Promise<Answered>
  unresolve(slug: Slug, by: Speaker, thread: string): Promise<Answered>
  feel(slug: Slug, by: Speaker, id: string, sentiment: Sentiment): Promise<Answered>
  plusOne(slug: Slug, by: Speaker, id: string): Promise<Answered>
  /** Refuses FORBIDDEN those of others. */
  unfeel(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered>
  takePlusOne(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered>
  /** With the markdown that it makes. */
  accept(slug: Slug, by: Speaker & EditCosts, id: string): Promise<Answered>
  reject(slug: Slug, by: Speaker, id: string): Promise<Answered>
}

/** What an edit may cost, and who is told what it did. */
export interface EditCosts {
  /** The time that planning and applying took, as it passes. */
  readonly onWork?: ((ms: number) => void) | undefined
  /** How many characters may come; undefined: any number. */
  readonly freeChars?: number | undefined
  /** How many bytes its commit has because of it. */
  readonly onWritten?: ((bytes: number) => void) | undefined
}
