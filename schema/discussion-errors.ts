/** The codes of comments, threads and suggestions (interface §7), a part of the one catalogue. */
import type { CatalogueRow } from './error-row.ts'

export const discussionRows = {
  INVALID_BLOCK_ID: {
    status: 400,
    message: 'A block_id is a bid_ id, or a deprecated blk_ one.',
  },
  EXPECTED_REVISION_REQUIRED: {
    status: 400,
    message: 'This suggestion needs expected_revision.',
  },
  REPLY_TARGET_DELETED: {
    status: 400,
    message: 'The comment that is answered was deleted.',
  },
  INVALID_REPLY: {
    status: 400,
    message: 'These fields of a reply do not go together.',
  },
  THREAD_TARGET_MISMATCH: {
    status: 400,
    message: 'The comment of reply_to is not in this thread.',
  },
  NOTIFICATION_REQUIRED: {
    status: 400,
    message: "An agent's mention of somebody needs notify.",
  },
  NOTIFICATION_INVALID: {
    status: 400,
    message: 'notify does not have the documented shape.',
  },
  GENERAL_SUGGESTION_UNSUPPORTED: {
    status: 400,
    message: 'A general comment cannot suggest; name a quote or a block.',
  },
  GENERAL_RESOLUTION_UNSUPPORTED: {
    status: 400,
    message: 'A general comment cannot resolve; name the thread.',
  },
  REPLY_TARGET_NOT_FOUND: {
    status: 404,
    message: 'There is no such comment to answer.',
  },
  THREAD_NOT_FOUND: { status: 404, message: 'There is no such thread.' },
  AMBIGUOUS: {
    status: 409,
    reportable: true,
    message: 'The quote occurs several times; add context to it.',
  },
  BLOCK_STALE: {
    status: 409,
    reportable: true,
    message: 'The block changed after expected_revision.',
  },
  EXPECTED_REVISION_FUTURE: {
    status: 409,
    reportable: true,
    message: 'expected_revision is ahead of the document.',
  },
  REPLY_TARGET_ANCHOR_LOST: {
    status: 409,
    reportable: true,
    message: 'The comment that is answered has no anchor.',
  },
  THREAD_RESOLVED: {
    status: 409,
    message: 'This thread is resolved; unresolve it to go on.',
  },
  ALREADY_RESOLVED: {
    status: 409,
    message: 'This thread is resolved already.',
  },
  THREAD_RESOLUTION_AMBIGUOUS: {
    status: 409,
    message: 'This resolution may be that of several threads.',
  },
  NOT_A_SUGGESTION: {
    extension: true,
    status: 409,
    message: 'This comment suggests nothing.',
  },
  SUGGESTION_CLOSED: {
    extension: true,
    status: 409,
    message: 'This suggestion was decided the other way.',
  },
  EDITS_AFFECT_COMMENTS: {
    status: 409,
    message: 'This edit takes the words of comments away; declare comment_outcomes.',
  },
  UNDECLARED_ORPHAN: {
    status: 409,
    message: 'A comment that this edit affects is not declared.',
  },
  COMMENT_ANCHOR_BLOCK_NOT_FOUND: {
    status: 422,
    reportable: true,
    message: 'No block with a durable id holds this.',
  },
  MARK_ANCHOR_NOT_FOUND: {
    status: 422,
    reportable: true,
    message: 'The words of this comment are gone; resolve its thread.',
  },
  MULTI_BLOCK_COMMENT_UNSUPPORTED: {
    status: 422,
    reportable: true,
    message: 'No block holds all of the quote; name less of it.',
  },
  ORPHANED_ANCHOR: {
    status: 422,
    reportable: true,
    message: 'The words that this is about are gone.',
  },
  NEW_BLOCK_IDX_OUT_OF_RANGE: {
    status: 422,
    message: 'There is no block with this index in the candidate.',
  },
  NEW_BLOCK_QUOTE_AMBIGUOUS: {
    status: 422,
    message: 'Several blocks of the candidate have this text.',
  },
  NEW_BLOCK_QUOTE_NOT_FOUND: {
    status: 422,
    message: 'No block of the candidate has this text.',
  },
  COMMENT_NOT_AT_RISK: {
    status: 422,
    message: 'A declared comment keeps its words under this edit.',
  },
  COMMENT_NOT_FOUND: { status: 422, message: 'A declared comment is not in this document.' },
  COMMENTS_DISABLED: { status: 403, message: 'The owner has turned commenting off.' },
} as const satisfies Record<string, CatalogueRow>
