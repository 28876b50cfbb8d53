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
  readonly isOffline: boolean
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
  const mayComment = (isWriter || role === 'commenter') && !isOff && state.kind !== 'ended'
  return {
    mayComment,
    mayReject: mayComment && isWriter,
    mayAccept: mayComment && isWriter && canWrite,
    isOffline: state.kind === 'offline' || state.kind === 'reconnecting',
    why: mayComment ? undefined : isOff ? 'Comments are turned off.' : 'You can only read here.',
  }
}

export const offlineWords =
  'You are offline. This is kept on this device; send it once you are back.'

const words: Readonly<Record<string, string>> = {
  OFFLINE: 'The service could not be reached. What you wrote is kept on this device.',
  SIGN_IN_ENDED: `${signInEnded} What you wrote is kept on this device.`,
  COMMENTS_DISABLED: 'Comments have been turned off here. What you wrote is kept on this device.',
  FORBIDDEN: 'You may not do this here any more.',
  THREAD_RESOLVED: 'This was resolved meanwhile. Reopen it to answer.',
  ALREADY_RESOLVED: 'Somebody has resolved this already.',
  THREAD_NOT_FOUND: 'This thread is not there any more.',
  NOT_FOUND: 'These words have changed meanwhile. Select what you mean again.',
  BLOCK_ID_NOT_FOUND: 'This block is not there any more.',
  BLOCK_TOMBSTONED: 'This block was deleted meanwhile.',
  SUGGESTION_CLOSED: 'Somebody has decided on this already.',
  ORPHANED_ANCHOR: 'The words that this would change are gone.',
  BLOCK_STALE: 'The text has changed since this was suggested, so it cannot be put in.',
  LIMIT_REACHED: 'This document holds no more comments.',
  PAYLOAD_TOO_LARGE: 'This is too long for a comment.',
  RATE_LIMITED: 'That was a lot at once. Try again in a moment.',
  BUSY: 'The service is busy. Try again in a moment.',
  DOC_ARCHIVED: 'The document was archived. What you wrote is kept on this device.',
  DOC_READ_ONLY: 'The owner has locked the text.',
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
  blocked: 'Waits for an answer',
  decision: 'Asks for a decision',
  heads_up: 'For your information',
  done: 'Done',
}

/** Of an agent that has only a token of this document. */
export const unreachableWords = (name: string): string =>
  `${name} will not be notified: it came by a link without registering, so it has no inbox. Invite it again to be able to mention it.`
