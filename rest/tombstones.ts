/** The comments of a document that were deleted (interface §2.5), page by page. */
import type { Comment, DocumentView } from '../core/documents/contract.ts'
import { wireComment } from './shown-threads.ts'
import { isoTime } from './times.ts'

interface PageAsked {
  readonly limit: number
  readonly after: string | undefined
}

/** The latest deleted first; a page ends at when its last one was, and at its number. */
export function tombstonePage(view: DocumentView, { after, limit }: PageAsked) {
  const all = view
    .deletedComments()
    .toSorted((a, b) => compare(placeOf(b.comment), placeOf(a.comment)))
  const from = all.findIndex(({ comment }) => after === undefined || isBehind(comment, after))
  const page = from < 0 ? [] : all.slice(from, from + limit)
  const last = page.at(-1)
  const isCut = from >= 0 && from + limit < all.length
  return {
    comments: page.map(({ comment, thread }) => {
      const { deleted: _, ...living } = comment
      const { at = 0, by = comment.by } = comment.deleted ?? {}
      const shown = wireComment(living, { stale: [] })
      const deletion = { deleted_at: isoTime(at), deleted_by: by, thread_id: thread.id }
      return { ...shown, ...deletion }
    }),
    next: isCut && last !== undefined ? placeOf(last.comment).join('-') : undefined,
  }
}

type Place = readonly [at: number, n: number]

const placeOf = ({ deleted, n }: Comment): Place => [deleted?.at ?? 0, n]

const compare = ([at, n]: Place, [otherAt, other]: Place): number => at - otherAt || n - other

function isBehind(comment: Comment, after: string): boolean {
  const [at = 0, n = 0] = after.split('-').map(Number)
  return compare(placeOf(comment), [at, n]) < 0
}
