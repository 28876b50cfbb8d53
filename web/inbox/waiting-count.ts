/** How much waits for this person, in whatever document: what the window's title says of it. */
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Store } from '../platform/store.ts'

export const waitingCount = oncePer((_: DocumentSession): Store<number> => createStore(0))
