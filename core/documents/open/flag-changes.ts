/** What a change of a document's flags comes to: all of them as they are then, and its event. */
import { isDeepStrictEqual } from 'node:util'
import type { DocumentFacts, DocumentFlags, FlagChanges } from '../../commit/facts.ts'

/** `undefined`: everything is set as asked already. */
export function changedFlags(
  { linkAccess, readOnly, commentsDisabled }: DocumentFacts,
  changes: FlagChanges,
): { readonly flags: DocumentFlags; readonly event: 'access' | 'settings' } | undefined {
  const before: DocumentFlags = { linkAccess, readOnly, commentsDisabled }
  const flags = { ...before, ...changes, linkAccess: { ...linkAccess, ...changes.linkAccess } }
  if (isDeepStrictEqual(flags, before)) return undefined
  return { flags, event: changes.linkAccess === undefined ? 'settings' : 'access' }
}
