/**
 * What live editors wrote and no commit has stored, put together for the document that is opened
 * anew: as they sent it, in the order it came, since what it met here was never so.
 */
import type { SavedCount } from '../../commit/live-update.ts'
import type { PendingCommit } from '../../commit/pending-commit.ts'
import type { Waiting } from '../live/update-queue.ts'

export function unstoredWrites(commits: readonly PendingCommit[], queued: Waiting): Waiting {
  const left = [...commits.map(liveWritesOf), queued]
  const entries = left.flatMap((waiting) => waiting.entries)
  return {
    entries: entries.map((entry) => ({ ...entry, update: entry.asSent })),
    settles: left.flatMap((waiting) => waiting.settles),
  }
}

/** The live updates of a commit, and whose messages are settled with it. */
function liveWritesOf({ entries, settled }: PendingCommit): Waiting {
  const settles = [...settled].flatMap(([session, count]) => Array<SavedCount>(count).fill(session))
  return { entries, settles }
}
