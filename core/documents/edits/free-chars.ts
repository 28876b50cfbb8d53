/** How much an edit may bring while the disk is nearly full (interface §7, UNAVAILABLE). */
import { Refusal } from '../../../schema/errors.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { diffTexts } from '../../text/text-diff.ts'

/**
 * Refuses UNAVAILABLE where more than `freeChars` characters come; undefined: any number may.
 * Nothing is compared then.
 */
export function assertFree(
  freeChars: number | undefined,
  before: DocumentText,
  after: DocumentText,
): void {
  if (freeChars === undefined) return
  const comes = diffTexts(before, after)?.insert.length ?? 0
  if (comes <= freeChars) return
  throw new Refusal('UNAVAILABLE', { retry_after: 60 }, 'The server is out of disk space.')
}
