/** Whether this browser may change the text now. */
import type { DocumentSession } from '../live/session.ts'

/**
 * An owner's and an editor's page, once it has the text: what is typed into an empty page while the
 * text is on its way would stand beside it. A page that is offline with a copy of its own goes on.
 */
export const isWritable = ({ canWrite }: DocumentSession): boolean => canWrite.get()
