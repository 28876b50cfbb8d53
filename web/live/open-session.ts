/** A session is made here and known by its interface everywhere else. */
import { LiveDocument } from './live-document.ts'
import type { DocumentSession } from './session.ts'

export const openSession = (slug: string): DocumentSession => new LiveDocument(slug)
