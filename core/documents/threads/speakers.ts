/** Who spoke in a document, for the choice of whom a comment may call (extensions §13). */
import { type ActorId, isNameless } from '../../../schema/ids.ts'
import type { Thread } from './thread.ts'

/**
 * The first `most` that have a name, each once: of the newest threads first, and in each who spoke
 * last. `threads`: the newest first.
 */
export function speakersIn(threads: Iterable<Pick<Thread, 'comments'>>, most: number): ActorId[] {
  const speakers = new Set<ActorId>()
  for (const { comments } of threads) {
    for (let at = comments.length - 1; at >= 0; at--) {
      if (speakers.size === most) return [...speakers]
      const by = comments[at]?.by
      if (by !== undefined && !isNameless(by)) speakers.add(by)
    }
  }
  return [...speakers]
}
