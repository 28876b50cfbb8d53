/**
 * A thread with its comments (interface §2.4, §2.5) as it is kept, and its records: one for the
 * thread, one for each comment and one for the reactions to it. Immutable: whoever changes
 * something makes another value. Knows neither text nor wire.
 */
import type { ActorId, CommentId, ThreadId } from '../../../schema/ids.ts'
import { jsonRecord, recordOf, type StoredRecord } from '../../commit/participant.ts'
import type { Anchor } from './anchor.ts'

export const sentiments = ['excited', 'grateful', 'curious', 'surprised', 'uneasy'] as const
export type Sentiment = (typeof sentiments)[number]

/** What a comment proposes. Whether it is stale follows from the text. */
export interface Suggestion {
  readonly kind: 'replace'
  /** Markdown that stands, or stood, where its thread is anchored. */
  readonly oldString: string
  readonly newString: string
  readonly status: 'pending' | 'accepted' | 'rejected'
  readonly createdAgainst: number
  /** How much of `oldString` is markup around the anchored characters. */
  readonly lead: number
  readonly trail: number
}

export interface Notify {
  readonly kind: 'blocked' | 'decision' | 'heads_up' | 'done'
  readonly line: string
  readonly options?: readonly { readonly label: string; readonly answer: string }[]
}

export interface Comment {
  readonly id: CommentId
  /** Ascends in the document. */
  readonly n: number
  readonly by: ActorId
  readonly at: number
  readonly revision: number
  readonly text: string
  readonly editedAt?: number
  readonly suggestion?: Suggestion
  readonly notify?: Notify
  readonly mentions?: readonly ActorId[]
  /** One an actor. */
  readonly sentiments?: readonly (readonly [ActorId, Sentiment])[]
  readonly plusOnes?: readonly ActorId[]
  readonly deleted?: { readonly at: number; readonly by: ActorId }
  /** How many agents' comments in a row it answers; a person's is 0. */
  readonly depth: number
}

export interface Resolution {
  readonly id: CommentId
  readonly by: ActorId
  readonly at: number
  readonly text: string
  readonly notify?: Notify
  readonly mentions?: readonly ActorId[]
}

export interface Thread {
  readonly id: ThreadId
  /** Ascends in the document. */
  readonly n: number
  readonly anchor: Anchor
  /** The markdown that was named, as it was sent; of a whole block, its own. */
  readonly quote: string
  /** How much of the quote is markup around the anchored characters. */
  readonly lead: number
  readonly trail: number
  /** The last write of a comment, a resolution or a suggestion's status (interface §4.4). */
  readonly changedRevision: number
  readonly resolution?: Resolution
  /** Chronological, the deleted ones too. */
  readonly comments: readonly Comment[]
}

/** Whether anything of it is left to be read. */
export const isStanding = ({ comments }: Thread): boolean =>
  comments.some(({ deleted }) => deleted === undefined)

/** The comments that are shown: those that stand, and a deleted root before others. */
export function shownComments({ comments }: Thread): readonly Comment[] {
  const standing = comments.filter(({ deleted }) => deleted === undefined)
  const [root] = comments
  return root?.deleted && standing.length > 0 ? [root, ...standing] : standing
}

/** What a thread takes beside its comments, about: mostly the words that it is about. */
export function threadBytes({ anchor, quote }: Pick<Thread, 'anchor' | 'quote'>): number {
  const words = anchor.words.length + (anchor.scope === 'range' ? (anchor.whole ?? '').length : 0)
  return words + quote.length + threadFactsBytes
}

const threadFactsBytes = 400

/** What is stored of a thread itself. */
type ThreadFacts = Omit<Thread, 'id' | 'comments'>

export const threadRecord = ({ id: _id, comments: _comments, ...facts }: Thread): Uint8Array =>
  jsonRecord(facts satisfies ThreadFacts)

type Reactions = Partial<Pick<Comment, 'sentiments' | 'plusOnes'>>

/** Without the reactions, which come and go by a few bytes. */
export function commentRecord({ id: _, sentiments: __, plusOnes: ___, ...facts }: Comment) {
  return jsonRecord(facts)
}

export const reactionsRecord = ({ sentiments, plusOnes }: Comment): Uint8Array =>
  jsonRecord({
    ...(sentiments && { sentiments }),
    ...(plusOnes && { plusOnes }),
  } satisfies Reactions)

/** What follows thread and comment in the key of the reactions. */
export const reactionsPath = 'reactions'

/** Out of the records of all kinds, in any order. */
export function threadsOf(records: readonly StoredRecord[]): Thread[] {
  const facts = new Map<ThreadId, ThreadFacts>()
  const comments = new Map<ThreadId, Comment[]>()
  const reactions = new Map<CommentId, Reactions>()
  for (const record of records) {
    const [, comment, more] = record.path as [ThreadId, CommentId?, string?]
    if (comment && more === reactionsPath) reactions.set(comment, recordOf<Reactions>(record))
  }
  for (const record of records) {
    const [thread, comment, more] = record.path as [ThreadId, CommentId?, string?]
    if (comment === undefined) facts.set(thread, recordOf<ThreadFacts>(record))
    else if (more === undefined) {
      // Of an older comment they stand in its own record, until one comes or goes.
      const said = recordOf<Omit<Comment, 'id'>>(record)
      const one = { id: comment, ...said, ...reactions.get(comment) }
      const others = comments.get(thread)
      if (others === undefined) comments.set(thread, [one])
      else others.push(one)
    }
  }
  return [...facts].map(([id, fact]) => ({
    id,
    ...fact,
    comments: (comments.get(id) ?? []).sort((a, b) => a.n - b.n),
  }))
}
