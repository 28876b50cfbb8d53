/** The discussion in words: what somebody may not and why, and why something did not work. */
import { ApiError, signInEnded } from '../api/http.ts'
import type { Flags } from '../api/life.ts'
import type { Notify, Sentiment } from '../api/threads.ts'
import { troubleWords } from '../api/trouble.ts'
import type { Role, SaveState } from '../live/session.ts'

/** What this person may do in the discussion now. */
export interface Standing {
  readonly mayComment: boolean
  /** May say no to a suggestion, and yes to it. */
  readonly mayReject: boolean
  readonly mayAccept: boolean
  /** The service cannot be reached: nothing can be sent. */
  readonly isOffline: boolean
  /** Why not, and what becomes of what one writes. */
  readonly away: string | undefined
  /** Why nothing can be said. */
  readonly why: string | undefined
}

export interface Facts {
  readonly role: Role | undefined
  readonly flags: Flags | undefined
  readonly state: SaveState
  readonly canWrite: boolean
}

export function standingOf({ role, flags, state, canWrite }: Facts): Standing {
  const isOff = flags?.comments_disabled === true
  const isWriter = role === 'owner' || role === 'editor'
  const isOffline = state.kind === 'offline' || state.kind === 'reconnecting'
  const away = isOffline && state.signInEnded === true ? signedOutWords : offlineWords
  const mayComment = (isWriter || role === 'commenter') && !isOff && state.kind !== 'ended'
  return {
    mayComment,
    mayReject: mayComment && isWriter,
    mayAccept: mayComment && isWriter && canWrite,
    isOffline,
    away: isOffline ? away : undefined,
    why: mayComment ? undefined : isOff ? 'Comments are turned off.' : 'You have view-only access.',
  }
}

const offlineWords =
  'You are offline. Your comment is saved on this device. Send it when you are back online.'

const signedOutWords = `${signInEnded} Your text is saved on this device.`

const words: Readonly<Record<string, string>> = {
  OFFLINE:
    'Could not reach the server. Your text is saved on this device. Try again when you are online.',
  SIGN_IN_ENDED: signedOutWords,
  COMMENTS_DISABLED:
    'Comments were turned off for this document. Your text is saved on this device.',
  FORBIDDEN: 'You no longer have permission to do this.',
  THREAD_RESOLVED: 'This thread was resolved. Reopen it to reply.',
  ALREADY_RESOLVED: 'This thread is already resolved.',
  THREAD_NOT_FOUND: 'This thread was deleted.',
  NOT_FOUND: 'The selected text has changed. Select it again.',
  BLOCK_ID_NOT_FOUND: 'This block no longer exists.',
  BLOCK_TOMBSTONED: 'This block was deleted.',
  SUGGESTION_CLOSED: 'This suggestion was already accepted or rejected.',
  ORPHANED_ANCHOR: 'The text that this suggestion changes was deleted.',
  BLOCK_STALE: 'The text has changed since this was suggested, so it cannot be accepted.',
  LIMIT_REACHED: 'This document has reached its limit of comments. Delete some first.',
  PAYLOAD_TOO_LARGE: 'This comment is too long. Shorten it.',
  RATE_LIMITED: 'Too many requests. Try again in a moment.',
  BUSY: 'The server is busy. Try again in a moment.',
  DOC_ARCHIVED: 'This document was archived. Your text is saved on this device.',
  DOC_READ_ONLY: 'The owner has locked this document.',
}

/** Ends in a full stop. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  return troubleWords(error, words)
}

export const sentiments: Readonly<Record<Sentiment, readonly [string, string]>> = {
  excited: ['🎉', 'Excited'],
  grateful: ['🙏', 'Grateful'],
  curious: ['🤔', 'Curious'],
  surprised: ['😮', 'Surprised'],
  uneasy: ['😟', 'Uneasy'],
}

export const notifyWords: Readonly<Record<Notify['kind'], string>> = {
  blocked: 'Waiting for an answer',
  decision: 'Decision needed',
  heads_up: 'For your information',
  done: 'Done',
}

/** Of an agent that has only a token of this document. */
export const unreachableWords = (name: string): string =>
  `${name} will not be notified because it joined by a link without registering. To mention it, invite it again.`
