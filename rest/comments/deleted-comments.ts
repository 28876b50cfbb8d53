/** The comments of a document that were deleted (interface §2.5), page by page. */
import type { DeletedPage, DeletedWish } from '../../core/documents/contract.ts'
import { isoTime } from '../answers/times.ts'
import { wireComment } from './shown-threads.ts'

interface PageAsked {
  readonly limit: number
  readonly after: string | undefined
}

/** The comments that one page shows. */
export function tombstonesWish({ after, limit }: PageAsked): DeletedWish {
  if (after === undefined) return { most: limit }
  const [at = 0, n = 0] = after.split('-').map(Number)
  return { most: limit, after: { at, n } }
}

export const tombstonePage = ({ comments, next }: DeletedPage) => ({
  comments: comments.map(({ comment, thread }) => {
    const { deleted: _, ...living } = comment
    const { at = 0, by = comment.by } = comment.deleted ?? {}
    const shown = wireComment(living, { stale: [] })
    return { ...shown, deleted_at: isoTime(at), deleted_by: by, thread_id: thread }
  }),
  next: next && `${next.at}-${next.n}`,
})
