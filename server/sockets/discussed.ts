/**
 * What `doc_changed` says of threads (extensions §5): in which something was said, and what became
 * of anchors, so that a page reads only those. Bounded: of more than are named all may be others.
 */
import type { Change } from '../../core/documents/contract.ts'

const namedMax = 100

/** Undefined: nothing was said, and no anchor is otherwise. */
export function discussedIn({ threads = [], fates }: Omit<Change, 'actors'>): object | undefined {
  if (threads.length === 0 && fates === undefined) return undefined
  const all = [threads, fates?.moved ?? [], fates?.degraded ?? [], fates?.orphaned ?? []]
  const [said = [], moved = [], degraded = [], orphaned = []] = all.map((ids) =>
    ids.slice(0, namedMax),
  )
  return {
    ...(threads.length > 0 && { threads: said }),
    ...(fates && { comments: { moved, degraded, orphaned } }),
    ...(all.some((ids) => ids.length > namedMax) && { more_threads: true }),
  }
}
