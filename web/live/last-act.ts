/**
 * What somebody did last to a document other than by editing it here: a suggestion accepted, a
 * version restored. Undo takes that back, by a revert, before any edit that was made earlier. It is
 * forgotten with the next change of one's own.
 */
import type * as Y from 'yjs'
import { affectedBy, restoreRevision } from '../api/history.ts'
import { ApiError } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import { notify } from '../platform/notices.ts'
import type { DocumentSession } from './session.ts'

const acts = new WeakMap<Y.Doc, () => Promise<void>>()

export function forgetLastAct(doc: Y.Doc): void {
  acts.delete(doc)
}

/** Whether there was one. */
export function undoLastAct(doc: Y.Doc): boolean {
  const undo = acts.get(doc)
  acts.delete(doc)
  void undo?.()
  return undo !== undefined
}

/** The revisions that it made; nothing is remembered where somebody else's lie between them. */
export function rememberAct(session: DocumentSession, revisions: readonly number[]): void {
  const [first, last] = [revisions[0], revisions.at(-1)]
  const { doc } = session.copy.get().fragment
  if (first === undefined || last === undefined || doc === null) return
  if (last - first !== revisions.length - 1) return
  acts.set(doc, () => revert(session.slug, { revision: first - 1, base: last }))
}

async function revert(
  slug: string,
  { revision, base }: { readonly revision: number; readonly base: number },
): Promise<void> {
  try {
    await restoreRevision(slug, { revision, base, outcomes: [] }).catch((error) => {
      const affected = affectedBy(error)
      if (affected === undefined) throw error
      // Those on the words that go, as the suggestion's own thread.
      const outcomes = affected.map(({ id }) => ({ id, action: 'keep' as const }))
      return restoreRevision(slug, { revision, base, outcomes })
    })
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'EDIT_STALE'
    const words = isStale
      ? 'This cannot be undone any more, because someone has edited the document since. Use the version history.'
      : troubleWords(error)
    notify(words, 'problem')
  }
}
