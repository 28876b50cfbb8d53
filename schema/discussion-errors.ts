/** The codes of comments, threads and suggestions (interface §7), a part of the one catalogue. */

/** One code of the error catalogue (interface §7). */
export interface CatalogueRow {
  readonly status: number
  readonly message: string
  readonly close?: number
  readonly reportable?: true
  /** The status where it is said of a comment's target (interface §7 gives some codes two). */
  readonly ofTarget?: number
  /** Not in the interface's table: this implementation's own. */
  readonly extension?: true
}

export const discussionRows = {
  INVALID_BLOCK_ID: {
    status: 400,
    message: 'block_id must be a bid_ ID or a deprecated blk_ ID.',
  },
  EXPECTED_REVISION_REQUIRED: {
    status: 400,
    message: 'This suggestion requires expected_revision.',
  },
  REPLY_TARGET_DELETED: {
    status: 400,
    message: 'The comment in reply_to was deleted.',
  },
  INVALID_REPLY: {
    status: 400,
    message: 'These fields cannot be combined in a reply.',
  },
  THREAD_TARGET_MISMATCH: {
    status: 400,
    message: 'The comment of reply_to is not in this thread.',
  },
  NOTIFICATION_REQUIRED: {
    status: 400,
    message: 'A comment by an agent that mentions someone requires notify.',
  },
  NOTIFICATION_INVALID: {
    status: 400,
    message: 'notify does not have the documented form.',
  },
  GENERAL_SUGGESTION_UNSUPPORTED: {
    status: 400,
    message: 'A general comment cannot carry a suggestion. Send quote or block_id.',
  },
  GENERAL_RESOLUTION_UNSUPPORTED: {
    status: 400,
    message: 'A general comment cannot resolve a thread. Send reply_to.',
  },
  REPLY_TARGET_NOT_FOUND: {
    status: 404,
    message: 'The comment in reply_to does not exist.',
  },
  THREAD_NOT_FOUND: { status: 404, message: 'Thread not found.' },
  AMBIGUOUS: {
    status: 409,
    reportable: true,
    message: 'The quote occurs several times. Add surrounding text to make it unique.',
  },
  BLOCK_STALE: {
    status: 409,
    reportable: true,
    message: 'The block changed after expected_revision. Read the document again.',
  },
  EXPECTED_REVISION_FUTURE: {
    status: 409,
    reportable: true,
    message: 'expected_revision is ahead of the document.',
  },
  REPLY_TARGET_ANCHOR_LOST: {
    status: 409,
    reportable: true,
    message: 'The comment in reply_to has no anchor.',
  },
  THREAD_RESOLVED: {
    status: 409,
    message: 'This thread is resolved. Unresolve it first.',
  },
  ALREADY_RESOLVED: {
    status: 409,
    message: 'This thread is already resolved.',
  },
  THREAD_RESOLUTION_AMBIGUOUS: {
    status: 409,
    message: 'This resolution may belong to several threads.',
  },
  NOT_A_SUGGESTION: {
    extension: true,
    status: 409,
    message: 'This comment has no suggestion.',
  },
  SUGGESTION_CLOSED: {
    extension: true,
    status: 409,
    message: 'This suggestion was already decided the other way.',
  },
  EDITS_AFFECT_COMMENTS: {
    status: 409,
    message:
      'This edit would remove the text that comments are anchored to. Declare comment_outcomes.',
  },
  UNDECLARED_ORPHAN: {
    status: 409,
    message: 'A comment that this edit affects is missing from comment_outcomes.',
  },
  COMMENT_ANCHOR_BLOCK_NOT_FOUND: {
    status: 422,
    reportable: true,
    message: 'No block with a durable ID contains this.',
  },
  MARK_ANCHOR_NOT_FOUND: {
    status: 422,
    reportable: true,
    message: 'The text of this comment was deleted. Resolve its thread.',
  },
  MULTI_BLOCK_COMMENT_UNSUPPORTED: {
    status: 422,
    reportable: true,
    message: 'The quote spans several blocks. Quote text from one block.',
  },
  ORPHANED_ANCHOR: {
    status: 422,
    reportable: true,
    message: 'The text that this refers to was deleted.',
  },
  NEW_BLOCK_IDX_OUT_OF_RANGE: {
    status: 422,
    message: 'The candidate has no block with this index.',
  },
  NEW_BLOCK_QUOTE_AMBIGUOUS: {
    status: 422,
    message: 'Several blocks of the candidate contain this text.',
  },
  NEW_BLOCK_QUOTE_NOT_FOUND: {
    status: 422,
    message: 'No block of the candidate contains this text.',
  },
  COMMENT_NOT_AT_RISK: {
    status: 422,
    message: 'A declared comment is not affected by this edit. Remove it from comment_outcomes.',
  },
  COMMENT_NOT_FOUND: {
    status: 422,
    message: 'A declared comment does not exist in this document.',
  },
  COMMENTS_DISABLED: { status: 403, message: 'The owner has turned off comments.' },
} as const satisfies Record<string, CatalogueRow>
