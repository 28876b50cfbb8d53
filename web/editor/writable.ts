/** Whether this browser may change now what the page shows. */
import type { DocumentSession } from '../live/session.ts'
import { modesOf } from './mode.ts'

/**
 * Once there is a text: what is typed into an empty page while the text is on its way would stand
 * beside it. A page that is offline with a copy of its own goes on.
 */
export const isWritable = (session: DocumentSession): boolean => modesOf(session).takesTyping.get()
