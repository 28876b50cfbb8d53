/** Access in words: what a role may, what a link is good for, when, and why something failed. */
import type { Issue } from '../../schema/wire/error.ts'
import { ApiError } from '../api/http.ts'
import type { GivenRole, LinkAccess } from '../api/sharing.ts'
import { troubleWords } from '../api/trouble.ts'
import type { Role } from '../live/session.ts'

export const roles: readonly GivenRole[] = ['editor', 'commenter', 'viewer']

/** What a link that was copied is good for; null: general access is restricted. */
export const copiedWords = (role: GivenRole | null): string =>
  role === null
    ? 'Link copied. It opens for people with access.'
    : `Link copied. Anyone with it ${canDo[role]}.`

/** As the label of a choice. */
export const canWords: Readonly<Record<GivenRole, string>> = {
  editor: 'Can edit',
  commenter: 'Can comment',
  viewer: 'Can read',
}

/** In the middle of a sentence. */
export const canDo: Readonly<Record<GivenRole, string>> = {
  editor: 'can edit',
  commenter: 'can read and comment',
  viewer: 'can read',
}

/** What stands under the choice. */
export const canMore: Readonly<Record<GivenRole, string>> = {
  editor: 'Edit, comment, and share with others.',
  commenter: 'Read, comment and suggest.',
  viewer: 'Read only.',
}

const rank: Readonly<Record<Role, number>> = { viewer: 1, commenter: 2, editor: 3, owner: 4 }

export const isMore = (role: Role, than: Role): boolean => rank[role] > rank[than]

/** Who can open the document beside those who are listed. */
export function generalWords({ mode, role }: LinkAccess): string {
  return mode === 'anyone'
    ? `Anyone with the link ${canDo[role]}.`
    : 'Only people with access can open it.'
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const nearFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const agoFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dayMs = 24 * 3_600_000

/** A day, with the time of it where that is near. */
export function dayWords(iso: string, now = Date.now()): string {
  const at = new Date(iso)
  return (at.getTime() - now < 2 * dayMs ? nearFormat : dayFormat).format(at)
}

/** Until when, as the end of a sentence; what is over is said to be. */
export function endWords(iso: string | null, now = Date.now()): string | undefined {
  if (iso === null) return undefined
  return Date.parse(iso) <= now ? 'expired' : `until ${dayWords(iso, now)}`
}

const spans: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function agoWords(iso: string, now = Date.now()): string {
  const passed = now - Date.parse(iso)
  for (const [unit, ms] of spans) {
    if (passed >= ms) return agoFormat.format(-Math.floor(passed / ms), unit)
  }
  return 'just now'
}

export const usedWords = (iso: string | null): string =>
  iso === null ? 'not used yet' : `last used ${agoWords(iso)}`

/** Who holds a token of the document has a handle that nobody can call it by. */
export const isKnown = (handle: string): boolean => !handle.startsWith('anon.')

/** A guest's is random, and says nothing to anybody. */
export function handleWords(handle: string): string | undefined {
  if (!isKnown(handle)) return undefined
  return handle.startsWith('guest-') ? 'guest' : `@${handle}`
}

/** Why it did not work, and what to do; `messages` are the words for this place, by code. */
export function problemOf(error: unknown, messages: Readonly<Record<string, string>> = {}): string {
  const body = error instanceof ApiError && error.code === 'INVALID_REQUEST' ? error.body : {}
  const [issue] = (body['issues'] ?? []) as readonly Issue[]
  return (issue && issueWords(issue)) ?? troubleWords(error, messages)
}

function issueWords({ path, message }: Issue): string | undefined {
  if (path === '/expires_at') return 'This date is in the past. Choose a later date.'
  if (path !== '/name') return undefined
  if (message === 'is reserved') return 'This name is reserved. Choose another name.'
  if (message === 'looks like a code')
    return 'This name looks like a generated code. Choose another name.'
  return 'Use 2 to 64 lowercase letters, digits and hyphens, with or without @your-handle/ before them.'
}
