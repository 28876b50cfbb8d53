/**
 * The error catalogue (interface §7): one row a code, thrown as `Refusal`. `status` is the HTTP
 * status when the refusal ends the request; `close` the websocket close code when it ends a
 * socket; `reportable` errors carry a `feedback` address.
 */
import { type CatalogueRow, discussionRows } from './discussion-errors.ts'

const rows = {
  ...discussionRows,
  INVALID_JSON: { extension: true, status: 400, message: 'The body is not valid JSON.' },
  INVALID_REQUEST: {
    extension: true,
    status: 400,
    message: 'The request does not have the documented form.',
  },
  UNEXPECTED_FIELD: { status: 400, message: 'The body has a field that is not accepted here.' },
  BASE_REVISION_REQUIRED: { status: 400, message: 'This kind of edit requires base_revision.' },
  REPLACE_DOCUMENT_WITH_EDITS: {
    status: 400,
    message: 'Send either edits or replace_document, not both.',
  },
  INVALID_FILTER: { status: 400, message: 'A read filter is malformed.' },
  AUTH_REQUIRED: {
    extension: true,
    status: 401,
    close: 4401,
    message: 'A valid credential is required.',
  },
  AUTH_HEADER_REQUIRED: {
    status: 401,
    close: 4401,
    message: 'Send the credential in the Authorization header, not in the URL.',
  },
  LOGIN_FAILED: {
    extension: true,
    status: 401,
    message: 'Wrong handle or password.',
  },
  FORBIDDEN: {
    extension: true,
    status: 403,
    close: 4403,
    message: 'Your role does not allow this.',
  },
  NOT_AUTHORIZED: { status: 403, message: 'This target belongs to another user.' },
  DOC_READ_ONLY: { status: 403, close: 4403, message: 'The owner has locked this document.' },
  DOC_NOT_FOUND: {
    extension: true,
    status: 404,
    close: 4404,
    message: 'Document not found.',
  },
  NOT_FOUND: { status: 404, ofTarget: 409, message: 'Resource not found.' },
  BLOCK_ID_NOT_FOUND: {
    status: 404,
    ofTarget: 409,
    message: 'This block is not in the document and was not recently deleted.',
  },
  HANDLE_NOT_FOUND: {
    extension: true,
    status: 404,
    message: 'No account has this handle.',
  },
  METHOD_NOT_ALLOWED: {
    extension: true,
    status: 405,
    message: 'This resource does not support this method.',
  },
  DOC_SLUG_CONFLICT_UNVERIFIED: {
    status: 409,
    message: 'This Idempotency-Key was used for a different create request.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    extension: true,
    status: 409,
    message: 'This Idempotency-Key was used for a different request.',
  },
  WEBHOOK_OFF: {
    extension: true,
    status: 409,
    message: 'No webhook_url is set, or its receiver answered 410. Set webhook_url first.',
  },
  IDENTITY_MISMATCH: {
    status: 409,
    message: 'This shared token is already identified by another name. Use your_token.',
  },
  BLOCK_ID_AMBIGUOUS: { status: 409, message: 'This block ID matches several blocks.' },
  BLOCK_ID_NOT_ADDRESSABLE: {
    status: 409,
    message: 'This block is only a wrapper. Use the ID of its parent or of a block inside it.',
  },
  EDIT_STALE: { status: 409, reportable: true, message: 'base_revision is not current.' },
  EDIT_STALE_FUTURE: {
    status: 409,
    reportable: true,
    message: 'base_revision is ahead of the document.',
  },
  EDIT_NOT_FOUND: {
    status: 409,
    reportable: true,
    message: 'The text to replace is not in the document.',
  },
  EDIT_AMBIGUOUS: {
    status: 409,
    reportable: true,
    message: 'The text occurs several times. Add surrounding text or use at.',
  },
  EDIT_OVERLAP: {
    status: 409,
    reportable: true,
    message: 'Another edit of this request replaces the same text.',
  },
  EDIT_DRIFT_UNRESOLVED: {
    status: 409,
    reportable: true,
    message: 'Other edits of this request moved the text. Send this edit again by itself.',
  },
  EDIT_STALE_DURING_REBASE: {
    status: 409,
    reportable: true,
    message: 'The document changed while the edit was rebased. Send it again.',
  },
  EDIT_STALE_DURING_PATCH: {
    status: 409,
    reportable: true,
    message: 'The document changed while the edit was validated. Send it again.',
  },
  EDIT_VERIFICATION_FAILED: {
    status: 409,
    reportable: true,
    message: 'The edit could not be verified before commit. Nothing was committed.',
  },
  BLOCK_NOT_FOUND: {
    status: 409,
    reportable: true,
    message:
      'This blk_ ID does not belong to the current revision. Use the bid_ IDs of content_blocks.',
  },
  BLOCK_TOMBSTONED: {
    status: 409,
    reportable: true,
    message: 'This block was deleted. Insert next to its nearest survivor.',
  },
  BLOCK_ORDER_INVALID: {
    status: 409,
    reportable: true,
    message: 'after_block does not come before before_block.',
  },
  ANCHOR_NOT_FOUND: {
    status: 409,
    reportable: true,
    message: 'The anchor is not in the document.',
  },
  ANCHOR_AMBIGUOUS: {
    status: 409,
    reportable: true,
    message: 'The anchor occurs several times. Add surrounding text to make it unique.',
  },
  ANCHOR_ORDER_INVALID: {
    status: 409,
    reportable: true,
    message: 'The after text does not come before the before text.',
  },
  EDIT_INTENT_AMBIGUOUS: {
    status: 409,
    reportable: true,
    message: 'The intended occurrence is ambiguous. Send this edit by itself.',
  },
  EDIT_APPLY_MISMATCH: {
    status: 409,
    reportable: true,
    message: 'The result of this edit did not match the request, so it was undone.',
  },
  BATCH_ROLLED_BACK: {
    status: 409,
    reportable: true,
    message: 'This edit matched, but the whole request was rejected.',
  },
  ALL_EDITS_FAILED: { status: 409, reportable: true, message: 'None of the edits applied.' },
  ALREADY_OWNED: { extension: true, status: 409, message: 'This document already has an owner.' },
  IDENTITY_TAKEN: {
    extension: true,
    status: 409,
    message: 'This identity belongs to another account.',
  },
  BOT_TARGET_MISMATCH: { status: 409, message: 'botId and botSlug name different bots.' },
  BOT_OWNER_DELETE_REQUIRED: { status: 409, message: 'Only its owner can delete a bot.' },
  NOT_ARCHIVED: {
    extension: true,
    status: 409,
    message: 'Only an archived document can be deleted forever. Archive it first.',
  },
  PURGE_STARTED: {
    extension: true,
    status: 409,
    message: 'This document is being deleted forever and cannot be restored.',
  },
  HANDLE_TAKEN: { extension: true, status: 409, message: 'This handle is taken.' },
  NAME_TAKEN: { extension: true, status: 409, message: 'This name is taken.' },
  FOLDER_NOT_EMPTY: { extension: true, status: 409, message: 'This folder is not empty.' },
  LIMIT_REACHED: {
    extension: true,
    status: 409,
    message: 'The limit for this kind of resource is reached. Delete one first.',
  },
  RETENTION_EXPIRED: {
    extension: true,
    status: 410,
    message: 'The 30-day retention period is over. This document cannot be restored.',
  },
  CONFIRMATION_SPENT: {
    extension: true,
    status: 410,
    message:
      'This confirmation was used or has expired. Request the short link again to get a new one.',
  },
  IDENTIFY_REQUIRED: {
    status: 412,
    close: 4412,
    message: 'Identify with a display name before writing.',
  },
  PAYLOAD_TOO_LARGE: {
    extension: true,
    status: 413,
    close: 4413,
    message: 'The request is over a size limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    extension: true,
    status: 415,
    message: 'This content type is not accepted here.',
  },
  INVALID_ARTIFACT: {
    extension: true,
    status: 422,
    message: 'The body is not one HTML document in UTF-8.',
  },
  RANGE_NOT_SATISFIABLE: {
    extension: true,
    status: 416,
    message: 'The requested range is outside the content.',
  },
  INVALID_MARKDOWN: {
    status: 422,
    reportable: true,
    message: 'The result would not be valid markdown for this service.',
  },
  AMBIGUOUS_STRUCTURE: {
    status: 422,
    reportable: true,
    message: 'The structural change is ambiguous. Make a smaller edit.',
  },
  UNSUPPORTED_NODE_TYPE: {
    status: 422,
    reportable: true,
    message: 'This kind of block is not allowed here.',
  },
  UNSUPPORTED_ATTR_CHANGE: {
    status: 422,
    reportable: true,
    message: 'This value is derived from other parts of the document and cannot be set directly.',
  },
  POST_APPLY_MISMATCH: {
    status: 422,
    reportable: true,
    message: 'The resulting markdown would not parse to what was requested.',
  },
  BROAD_REWRITE: {
    status: 422,
    reportable: true,
    message: 'The edits of this request rewrite too much text. Split the request.',
  },
  EDIT_FAILED: { status: 422, reportable: true, message: 'The edit could not be applied.' },
  INVALID_KIND: { status: 422, message: 'Unknown kind of library target.' },
  INVALID_PARENT: { status: 422, message: 'The parent folder does not exist or was deleted.' },
  DOC_ARCHIVED: { status: 423, close: 4423, message: 'This document is archived.' },
  UPGRADE_REQUIRED: {
    extension: true,
    status: 426,
    message: 'This endpoint only accepts WebSocket upgrades.',
  },
  RATE_LIMITED: { extension: true, status: 429, close: 1013, message: 'Too many requests.' },
  BUSY: {
    extension: true,
    status: 429,
    close: 1013,
    message: 'The server is at capacity. Try again shortly.',
  },
  INTERNAL: {
    extension: true,
    status: 500,
    close: 1011,
    reportable: true,
    message: 'Internal server error.',
  },
  UNAVAILABLE: {
    extension: true,
    status: 503,
    close: 1013,
    message: 'The service is temporarily unavailable. Try again later.',
  },
  DOC_DAMAGED: {
    extension: true,
    status: 503,
    close: 1013,
    message:
      'A stored record of this document is damaged. An operator must restore it from a backup.',
  },
} as const satisfies Record<string, CatalogueRow>

export type ErrorCode = keyof typeof rows

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueRow>> = rows

/** A request the service turns down; `details` are the extra fields of the error body. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** What is wrong is what a comment is about. */
  #isOfTarget = false

  constructor(code: ErrorCode, details: Readonly<Record<string, unknown>> = {}, message?: string) {
    super(message ?? errorCatalogue[code].message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }

  /** Said of what a comment is about. */
  static ofTarget(...given: ConstructorParameters<typeof Refusal>): Refusal {
    const refusal = new Refusal(...given)
    refusal.#isOfTarget = true
    return refusal
  }

  get isOfTarget(): boolean {
    return this.#isOfTarget
  }

  get status(): number {
    const { status, ofTarget = status } = errorCatalogue[this.code]
    return this.#isOfTarget ? ofTarget : status
  }

  get isReportable(): boolean {
    return this.#isOfTarget || errorCatalogue[this.code].reportable === true
  }
}

/** Marks a branch that the types rule out. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${String(value)}`)
}
