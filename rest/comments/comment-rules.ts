/**
 * What the fields of a comment's body may be together (interface §4.6): the 400 and 413 codes that
 * need no document.
 */
import { type ErrorCode, Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { CommentBody } from '../../schema/wire/comments.ts'
import { notifyFrom } from './notify.ts'

export const commentMaxBytes = 16 * 1024

export function checkComment(body: CommentBody): void {
  const { quote, block_id: block, reply_to: reply, thread_id: thread, suggestion } = body
  checkTargets(body)
  if (block !== undefined && !/^(?:bid|blk)_/.test(block)) throw new Refusal('INVALID_BLOCK_ID')
  const needsRevision = block !== undefined || reply !== undefined || thread !== undefined
  if (suggestion !== undefined) {
    if (needsRevision && body.expected_revision === undefined) {
      throw new Refusal('EXPECTED_REVISION_REQUIRED')
    }
    requireSize(suggestion.new_string, limits.suggestionMaxBytes)
  } else requireText(body.text)
  if (body.text !== undefined) requireSize(body.text, commentMaxBytes)
  if (quote !== undefined) requireSize(quote, limits.quoteMaxBytes)
  if (body.place !== undefined) requireSize(body.place.words, limits.quoteMaxBytes)
  if (body.notify !== undefined) notifyFrom(body.notify)
}

function checkTargets(body: CommentBody): void {
  const { quote, block_id: block, reply_to: reply, thread_id: thread } = body
  const isReply = reply !== undefined || thread !== undefined
  const isResolution = body.kind === 'resolution'
  const isTargeted =
    isReply || quote !== undefined || block !== undefined || body.place !== undefined
  if (!isTargeted && body.general === true) {
    if (body.suggestion !== undefined) throw new Refusal('GENERAL_SUGGESTION_UNSUPPORTED')
    if (isResolution) throw new Refusal('GENERAL_RESOLUTION_UNSUPPORTED')
    return
  }
  if (isResolution && (reply === undefined || thread !== undefined || body.suggestion)) {
    throw new Refusal('INVALID_REPLY')
  }
  if (isReply && (quote !== undefined || block !== undefined)) throw new Refusal('INVALID_REPLY')
  if (quote !== undefined && block !== undefined) {
    throw invalid('/block_id', 'cannot be combined with quote')
  }
  if (body.place !== undefined && (isReply || quote !== undefined || block !== undefined)) {
    throw invalid('/place', 'cannot be combined with another target')
  }
  if (!isTargeted) throw invalid('', 'needs a quote, block_id, reply_to, thread_id or general')
}

/** Refuses what is blank, and 413. */
export function requireText(text: string | undefined, path = '/text'): void {
  if (text === undefined || text.trim() === '') throw invalid(path, 'must not be blank')
  requireSize(text, commentMaxBytes)
}

export function requireSize(text: string, limit: number, code: ErrorCode = 'PAYLOAD_TOO_LARGE') {
  const size = Buffer.byteLength(text)
  if (size > limit) throw new Refusal(code, { limit, size })
}

const invalid = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] })
