/** Whether one sees the page, its markdown, or both side by side. */
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Store } from '../platform/store.ts'

export type ViewMode = 'page' | 'split' | 'source'

const modes = new WeakMap<DocumentSession, Store<ViewMode>>()

/** The same store for everyone who asks with this session. */
export function viewMode(session: DocumentSession): Store<ViewMode> {
  const known = modes.get(session)
  if (known !== undefined) return known
  const made = createStore<ViewMode>('page')
  modes.set(session, made)
  return made
}
