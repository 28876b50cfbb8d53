/** Parts of the discussion in a component. */
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { threadsOf } from '../threads/thread-store.ts'
import { type PendingSuggestion, pendingIn } from './suggestion-marks.ts'

/** All suggestions that wait. */
export const useWaiting = (session: DocumentSession): readonly PendingSuggestion[] =>
  pendingIn(useStore(threadsOf(session).all))
