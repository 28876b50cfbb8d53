/** The thread in which somebody has just answered on this page: what waited for that is done. */
import { createStore } from './store.ts'

export const answeredThread = createStore<string | undefined>(undefined)
