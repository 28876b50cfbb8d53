/** How much waits for this person, in whatever document: what the window's title says of it. */
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Store } from '../platform/store.ts'

const counts = new WeakMap<DocumentSession, Store<number>>()

export function waitingCount(session: DocumentSession): Store<number> {
  const known = counts.get(session)
  if (known !== undefined) return known
  const made = createStore(0)
  counts.set(session, made)
  return made
}
