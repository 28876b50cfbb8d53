/** Whether one sees the page, its markdown, or both side by side. */
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Store } from '../platform/store.ts'

export type ViewMode = 'page' | 'split' | 'source'

/** The same store for everyone who asks with this session. */
export const viewMode = oncePer(
  (_: DocumentSession): Store<ViewMode> => createStore<ViewMode>('page'),
)
