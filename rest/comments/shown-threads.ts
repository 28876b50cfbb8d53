/** Threads and comments in the spelling of the wire (interface §2.4, §2.5). */
import type { Comment, Notify, PlacedThread, Resolution } from '../../core/documents/contract.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { WireComment, WireThread } from '../../schema/wire/threads.ts'
import { isoTime } from '../answers/times.ts'

export function wireComment(comment: Comment, { stale }: Pick<PlacedThread, 'stale'>): WireComment {
  const { id, by, at, text, suggestion, sentiments = [], plusOnes = [] } = comment
  if (comment.deleted) return { id, by, at: isoTime(at), text: '', deleted: true }
  return {
    id,
    by,
    at: isoTime(at),
    text,
    ...(comment.editedAt !== undefined && { edited_at: isoTime(comment.editedAt) }),
    ...(suggestion && {
      suggestion: {
        kind: suggestion.kind,
        old_string: suggestion.oldString,
        new_string: suggestion.newString,
        status: stale.includes(id) ? ('stale' as const) : suggestion.status,
        created_against_revision: suggestion.createdAgainst,
      },
    }),
    ...(comment.notify && { notify: wireNotify(comment.notify) }),
    ...(comment.mentions && { mentions: [...comment.mentions] }),
    ...(sentiments.length > 0 && {
      sentiments: sentiments.map(([actor, sentiment]) => ({ actor_id: actor, sentiment })),
    }),
    ...(plusOnes.length > 0 && { plus_ones: [...plusOnes] }),
  }
}

const wireNotify = ({ kind, line, options }: Notify) => ({
  kind,
  line,
  ...(options && { options: options.map((option) => ({ ...option })) }),
})

/** Of a thread all but its comments. */
export function wireThread(placed: PlacedThread): Omit<WireThread, 'comments' | 'comments_info'> {
  const { thread, range, summary } = placed
  const { anchor, resolution } = thread
  const isBlock = anchor.scope === 'block'
  return {
    id: thread.id,
    block_id: range === undefined ? null : anchor.block,
    range: range ?? { from: 0, to: 0 },
    quote: placed.quote ?? null,
    whole_block: range !== undefined && isBlock,
    orphaned: range === undefined,
    ...(range === undefined && { words: wordsOf(placed) }),
    resolved: resolution !== undefined,
    ...(resolution && { resolution: wireResolution(resolution) }),
    suggestions: summary.suggestions,
  }
}

const wireResolution = ({ id, by, at, text, notify, mentions }: Resolution) => ({
  id,
  by,
  at: isoTime(at),
  text,
  ...(notify && { notify: wireNotify(notify) }),
  ...(mentions && { mentions: [...mentions] }),
})

const wordsOf = ({ thread: { anchor } }: PlacedThread): string =>
  anchor.scope === 'range' ? (anchor.whole ?? anchor.words) : anchor.words

/** Whom these comments, and what is said of their thread, speak of. */
export function actorsOf(
  comments: readonly Comment[],
  { thread: { resolution } }: PlacedThread,
): ActorId[] {
  const of = ({ by, mentions = [], sentiments = [], plusOnes = [] }: Comment) => [
    by,
    ...mentions,
    ...sentiments.map(([actor]) => actor),
    ...plusOnes,
  ]
  const closing = resolution ? [resolution.by, ...(resolution.mentions ?? [])] : []
  return [...comments.flatMap(of), ...closing]
}
