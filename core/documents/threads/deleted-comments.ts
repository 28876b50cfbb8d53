/** The comments of a document that were deleted (interface §2.5), page by page. */
import type { ThreadId } from '../../../schema/ids.ts'
import type { Comment, Thread } from './thread.ts'

export interface DeletedComment {
  readonly comment: Comment
  /** The thread that it was in. */
  readonly thread: ThreadId
}

/** Where a page ends: when its last comment was deleted, and the comment's number. */
export interface DeletedPlace {
  readonly at: number
  readonly n: number
}

export interface DeletedWish {
  readonly most: number
  /** Only comments behind this place. */
  readonly after?: DeletedPlace | undefined
}

export interface DeletedPage {
  /** The latest deleted first. */
  readonly comments: readonly DeletedComment[]
  /** Where the next page begins; undefined: there is none. */
  readonly next: DeletedPlace | undefined
}

export function deletedComments(
  threads: readonly Thread[],
  { most, after }: DeletedWish,
): DeletedPage {
  const all = threads
    .flatMap(({ id, comments }) =>
      comments.filter(({ deleted }) => deleted).map((comment) => ({ comment, thread: id })),
    )
    .filter(({ comment }) => after === undefined || compare(placeOf(comment), after) < 0)
    .sort((a, b) => compare(placeOf(b.comment), placeOf(a.comment)))
  const comments = all.slice(0, most)
  const last = comments.at(-1)
  const next = all.length > most && last !== undefined ? placeOf(last.comment) : undefined
  return { comments, next }
}

const placeOf = ({ deleted, n }: Comment): DeletedPlace => ({ at: deleted?.at ?? 0, n })

const compare = (one: DeletedPlace, other: DeletedPlace): number =>
  one.at - other.at || one.n - other.n
