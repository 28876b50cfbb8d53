/** Every code an edit can end with (interface §7): what a PATCH declares beside its own. */
import type { ErrorCode } from '../schema/errors.ts'

export const editErrors: readonly ErrorCode[] = [
  'BLOCK_ID_NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'EDIT_STALE',
  'EDIT_STALE_FUTURE',
  'EDIT_NOT_FOUND',
  'EDIT_AMBIGUOUS',
  'EDIT_OVERLAP',
  'EDIT_DRIFT_UNRESOLVED',
  'EDIT_VERIFICATION_FAILED',
  'ALL_EDITS_FAILED',
  'INVALID_MARKDOWN',
  'BROAD_REWRITE',
  'EDIT_FAILED',
  'COMMENT_NOT_FOUND',
]
