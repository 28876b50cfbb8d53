/**
 * What is said and decided in threads (interface §3, §4.6), each as an act on the document as it is
 * at one moment: it is refused, changes nothing, or is to be stored as one revision. What a role
 * may do, and whom an act calls, is known before; what only an author may do is decided here. Knows
 * no store and no wire.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, CommentId, ThreadId } from '../../../schema/ids.ts'
import type { Json } from '../../../schema/json.ts'
import { limits } from '../../../schema/limits.ts'
import type { RecordWriter } from '../../commit/participant.ts'
import { type Anchor, blocksOf } from './anchor.ts'
import { isAgent } from './recent-mentions.ts'
import {
  type Comment,
  type Notify,
  type Resolution,
  type Sentiment,
  type Suggestion,
  type Thread,
  threadBytes,
} from './thread.ts'
import type { Threads } from './threads.ts'

const reactionsPerComment = 1_000

const commentsMaxBytes = 16 * 1024 * 1024

const commentsMax = 50_000

/** About words of one block. */
const threadsPerBlock = 1_000

/** The document, and what making something new takes. */
export interface DiscussionMoment {
  readonly threads: Threads
  readonly revision: number
  readonly now: number
  readonly newThreadId: () => ThreadId
  readonly newCommentId: () => CommentId
  readonly unheard: Unheard
}

/** Agents that have answered an actor too often to be told of what it does now. */
export interface Unheard {
  /** Where it calls them by name. */
  readonly named: readonly ActorId[]
  /** Where it does not. */
  readonly others: readonly ActorId[]
}

const untold = ({ named, others }: Unheard, to: ReadonlySet<ActorId>): readonly ActorId[] => [
  ...named.filter((one) => to.has(one)),
  ...others.filter((one) => !to.has(one)),
]

/** `event` as of interface §6.1. */
export interface Act<T> {
  readonly event: 'comment' | 'suggestion' | 'resolution' | 'reaction'
  /** Undefined: all is so already. */
  readonly thread?: (revision: number) => Thread
  /** What others may want to hear of. */
  readonly said?: Omit<SaidAct, 'thread'>
  readonly answer: (revision: number) => T
}

/** What was said or decided, and the thread as it is then. */
export interface SaidAct {
  readonly kind: 'comment' | 'reply' | 'resolve' | 'accept' | 'reject'
  readonly thread: Thread
  readonly comment?: CommentId
  /** Agents that have answered this one too often to be told. */
  readonly unheard?: readonly ActorId[]
}

export type Fields = Readonly<Record<string, Json>>

/** The same act, answered otherwise. */
export const withAnswer = <T>(act: Act<T>, fields: (answer: T) => Fields): Act<Fields> => ({
  ...act,
  answer: (revision) => fields(act.answer(revision)),
})

/** What stores what an act makes of a thread; undefined: it changes nothing. */
export function threadActsOf<T>(
  threads: Threads,
  { thread }: Act<T>,
): ((records: RecordWriter, revision: number) => readonly ThreadId[]) | undefined {
  if (thread === undefined) return undefined
  return (records, revision) => {
    const after = thread(revision)
    threads.put(after, records)
    return [after.id]
  }
}

export interface CommentContent {
  readonly by: ActorId
  readonly text: string
  readonly suggestion?: Suggestion | undefined
  readonly notify?: Notify | undefined
  readonly mentions?: readonly ActorId[] | undefined
}

/** A comment in a thread that is there, or in a new one. */
export function comment(
  moment: DiscussionMoment,
  thread: Thread | Omit<Thread, 'id' | 'n' | 'comments' | 'changedRevision'>,
  said: CommentContent,
): Act<{ readonly comment: Comment; readonly thread: Thread }> {
  const { threads, now } = moment
  const known = 'id' in thread ? thread : undefined
  const opened = known === undefined ? threadBytes(thread) : 0
  assertRoom(threads, { bytes: opened + bytesOf(said), isNew: true, isThread: opened > 0 })
  if (known === undefined) assertRoomIn(threads, thread.anchor)
  const id = moment.newCommentId()
  const threadId = known?.id ?? moment.newThreadId()
  const numbers = { thread: known?.n ?? threads.takeNumber(), comment: threads.takeNumber() }
  const made = (revision: number): Comment => ({
    id,
    n: numbers.comment,
    by: said.by,
    at: now,
    revision,
    text: said.text,
    ...(said.suggestion && { suggestion: said.suggestion }),
    ...(said.notify && { notify: said.notify }),
    ...(said.mentions && said.mentions.length > 0 && { mentions: said.mentions }),
    depth: depthOf(said.by, known),
  })
  const after = (revision: number): Thread => ({
    ...thread,
    id: threadId,
    n: numbers.thread,
    changedRevision: revision,
    comments: [...(known?.comments ?? []), made(revision)],
  })
  return {
    event: said.suggestion === undefined ? 'comment' : 'suggestion',
    thread: after,
    said: {
      kind: known === undefined ? 'comment' : 'reply',
      comment: id,
      unheard: unheardBy(moment, said.by, named(known, said)),
    },
    answer: (revision) => ({ comment: made(revision), thread: after(revision) }),
  }
}

/** Whom it calls: who is mentioned, and who wrote in the thread. */
const named = (thread: Thread | undefined, { mentions }: Pick<CommentContent, 'mentions'>) =>
  new Set([...(mentions ?? []), ...(thread?.comments ?? []).map(({ by }) => by)])

/** Those whom it has answered too often, in this document or wherever. */
const unheardBy = (
  { threads, now, unheard }: DiscussionMoment,
  by: ActorId,
  to: ReadonlySet<ActorId>,
): readonly ActorId[] => [
  ...new Set([...threads.calls.unheard(by, now, to), ...untold(unheard, to)]),
]

interface Room {
  readonly bytes: number
  /** A comment, and a thread with it. */
  readonly isNew?: boolean
  readonly isThread?: boolean
}

/** Of everything that makes a discussion longer; refuses LIMIT_REACHED. */
function assertRoom(threads: Threads, { bytes, isNew = false, isThread = false }: Room): void {
  const isFull =
    (isThread && threads.count >= limits.threadsMax) ||
    (isNew && threads.commentCount >= commentsMax) ||
    (bytes > 0 && threads.bytes + bytes > commentsMaxBytes)
  if (isFull) throw new Refusal('LIMIT_REACHED')
}

/** Words that are talked of are looked up at each key typed in their block. */
function assertRoomIn(threads: Threads, anchor: Anchor): void {
  if (anchor.scope === 'block') return
  for (const block of blocksOf(anchor)) {
    if (threads.countIn(block) >= threadsPerBlock) throw new Refusal('LIMIT_REACHED')
  }
}

const bytesOf = ({ text, suggestion }: Pick<CommentContent, 'text' | 'suggestion'>): number =>
  Buffer.byteLength(text + (suggestion?.oldString ?? '') + (suggestion?.newString ?? ''))

/** One reaction as it is stored, about. */
const reactionBytes = 48

/** Extensions §10: how many agents answered each other. */
function depthOf(by: ActorId, thread: Thread | undefined): number {
  const last = thread?.comments.findLast(({ deleted }) => deleted === undefined)
  const isAnswer = isAgent(by) && last !== undefined && isAgent(last.by)
  return isAnswer ? last.depth + 1 : 0
}

/** What somebody said, by whoever is asked for; refuses NOT_FOUND and, of others', FORBIDDEN. */
function own(threads: Threads, id: string, by: ActorId) {
  const found = standing(threads, id)
  if (found.comment.by !== by) throw new Refusal('FORBIDDEN')
  return found
}

export function standing(threads: Threads, id: string) {
  const found = threads.ofComment(id)
  if (found === undefined || found.comment.deleted) throw new Refusal('NOT_FOUND')
  return found
}

export function standingThread(threads: Threads, id: string): Thread {
  const thread = threads.get(id)
  if (thread?.comments.some(({ deleted }) => deleted === undefined) !== true) {
    throw new Refusal('THREAD_NOT_FOUND')
  }
  return thread
}

const withComment = (thread: Thread, comment: Comment, revision: number): Thread => ({
  ...thread,
  changedRevision: revision,
  comments: thread.comments.map((each) => (each.id === comment.id ? comment : each)),
})

export interface Edited {
  readonly text?: string | undefined
  /** Of a pending suggestion. */
  readonly newString?: string | undefined
}

export function edit(
  { threads, now }: DiscussionMoment,
  { id, by, text, newString }: Edited & { readonly id: string; readonly by: ActorId },
): Act<Comment> {
  const { thread, comment } = own(threads, id, by)
  const { suggestion } = comment
  if (newString !== undefined) {
    if (suggestion === undefined) throw new Refusal('NOT_A_SUGGESTION')
    if (suggestion.status !== 'pending') throw new Refusal('SUGGESTION_CLOSED')
  }
  const isSame =
    (text ?? comment.text) === comment.text &&
    (newString ?? suggestion?.newString) === suggestion?.newString
  const event = suggestion === undefined ? 'comment' : 'suggestion'
  if (isSame) return { event, answer: () => comment }
  const after = {
    ...comment,
    ...(text !== undefined && { text }),
    ...(suggestion && {
      suggestion: { ...suggestion, ...(newString !== undefined && { newString }) },
    }),
    editedAt: now,
  }
  assertRoom(threads, { bytes: bytesOf(after) - bytesOf(comment) })
  return {
    event,
    thread: (revision) => withComment(thread, after, revision),
    answer: () => after,
  }
}

/** It stays as a tombstone (interface §2.5). */
export function remove({ threads, now }: DiscussionMoment, id: string, by: ActorId): Act<Comment> {
  const { thread, comment } = own(threads, id, by)
  const after = { ...comment, deleted: { at: now, by } }
  return {
    event: comment.suggestion === undefined ? 'comment' : 'suggestion',
    thread: (revision) => withComment(thread, after, revision),
    answer: () => after,
  }
}

export function resolve(
  moment: DiscussionMoment,
  thread: Thread,
  said: Omit<CommentContent, 'suggestion'>,
): Act<Resolution> {
  if (thread.resolution !== undefined) throw new Refusal('ALREADY_RESOLVED')
  assertRoom(moment.threads, { bytes: bytesOf(said) })
  const { by, text, notify, mentions = [] } = said
  const resolution = {
    id: moment.newCommentId(),
    by,
    at: moment.now,
    text,
    ...(notify && { notify }),
    ...(mentions.length > 0 && { mentions }),
  }
  return {
    event: 'resolution',
    thread: (revision) => ({ ...thread, resolution, changedRevision: revision }),
    said: {
      kind: 'resolve',
      unheard: unheardBy(moment, by, named(thread, said)),
    },
    answer: () => resolution,
  }
}

export function unresolve(thread: Thread): Act<readonly CommentId[]> {
  const { resolution, ...open } = thread
  if (resolution === undefined) return { event: 'resolution', answer: () => [] }
  return {
    event: 'resolution',
    thread: (revision) => ({ ...open, changedRevision: revision }),
    answer: () => [resolution.id],
  }
}

/** Whose reaction it is; each sets and takes back its own. */
interface Reacting {
  readonly id: string
  readonly by: ActorId
  readonly of: ActorId
}

/** Refuses NOT_FOUND, then FORBIDDEN others'. */
function reactingTo(threads: Threads, { id, by, of }: Reacting) {
  const found = standing(threads, id)
  if (of !== by) throw new Refusal('FORBIDDEN')
  return found
}

/** Null takes it back; refuses NOT_FOUND where there is none. */
export function feel(
  { threads }: DiscussionMoment,
  { sentiment, ...reacting }: Reacting & { readonly sentiment: Sentiment | null },
): Act<void> {
  const { by } = reacting
  const { thread, comment } = reactingTo(threads, reacting)
  const others = (comment.sentiments ?? []).filter(([actor]) => actor !== by)
  const before = comment.sentiments?.find(([actor]) => actor === by)?.[1] ?? null
  const after = sentiment === null ? others : [...others, [by, sentiment] as const]
  const given = { before, after: sentiment, others }
  return reaction(threads, { thread, comment: { ...comment, sentiments: after } }, given)
}

export function plusOne(
  { threads }: DiscussionMoment,
  { isGiven, ...reacting }: Reacting & { readonly isGiven: boolean },
): Act<void> {
  const { by } = reacting
  const { thread, comment } = reactingTo(threads, reacting)
  const others = (comment.plusOnes ?? []).filter((actor) => actor !== by)
  const before = others.length === (comment.plusOnes?.length ?? 0) ? null : true
  const plusOnes = isGiven ? [...others, by] : others
  const after = isGiven ? true : null
  const given = { before, after, others }
  return reaction(threads, { thread, comment: { ...comment, plusOnes } }, given)
}

function reaction(
  threads: Threads,
  { thread, comment }: { readonly thread: Thread; readonly comment: Comment },
  given: { readonly before: unknown; readonly after: unknown; readonly others: readonly unknown[] },
): Act<void> {
  const { before, after, others } = given
  if (after === null && before === null) throw new Refusal('NOT_FOUND')
  if (after !== null && others.length >= reactionsPerComment) {
    throw new Refusal('LIMIT_REACHED')
  }
  const answer = () => undefined
  if (before === after) return { event: 'reaction', answer }
  if (before === null) assertRoom(threads, { bytes: reactionBytes })
  return {
    event: 'reaction',
    // No write of a comment (interface §4.4, since_revision).
    thread: () => withComment(thread, comment, thread.changedRevision),
    answer,
  }
}

export function decide(
  { threads, unheard }: DiscussionMoment,
  id: string,
  status: 'accepted' | 'rejected',
): Act<Comment> & { readonly from: Thread; readonly suggestion: Suggestion } {
  const { thread, comment } = standing(threads, id)
  const { suggestion } = comment
  if (suggestion === undefined) throw new Refusal('NOT_A_SUGGESTION')
  const event = 'suggestion'
  if (suggestion.status === status) {
    return { event, answer: () => comment, from: thread, suggestion }
  }
  if (suggestion.status !== 'pending') throw new Refusal('SUGGESTION_CLOSED')
  const after = { ...comment, suggestion: { ...suggestion, status } }
  return {
    event,
    thread: (revision) => withComment(thread, after, revision),
    said: {
      kind: status === 'accepted' ? 'accept' : 'reject',
      comment: comment.id,
      unheard: untold(unheard, new Set([comment.by])),
    },
    answer: () => after,
    from: thread,
    suggestion,
  }
}
