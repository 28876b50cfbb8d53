/** What the service, or the form itself, has against what was typed, in words for its field. */
import { ApiError } from '../api/http.ts'

export type FieldName = 'handle' | 'name' | 'password' | 'current'

export interface Problem {
  /** Absent: it is nothing that was typed. */
  readonly field?: FieldName
  readonly text: string
}

export const passwordMinChars = 8
const passwordMaxChars = 200
const handleForm = /^[a-z0-9][a-z0-9_-]{1,38}$/

/** `undefined`: it may be sent. */
export function handleProblem(handle: string): Problem | undefined {
  if (handleForm.test(handle)) return undefined
  return {
    field: 'handle',
    text: '2 to 39 small letters, digits, - and _, beginning with a letter or digit.',
  }
}

export function newPasswordProblem(password: string): Problem | undefined {
  const length = [...password].length
  if (length >= passwordMinChars && length <= passwordMaxChars) return undefined
  const text =
    length < passwordMinChars
      ? `At least ${passwordMinChars} characters.`
      : `At most ${passwordMaxChars} characters.`
  return { field: 'password', text }
}

export const nameProblem = (name: string): Problem | undefined =>
  name.trim() === '' ? { field: 'name', text: 'Say under which name you write.' } : undefined

/** How long that is, said roughly. */
export function inWords(seconds: number): string {
  if (seconds < 2) return 'a second'
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

/** `fields`: what each code is about in this form. */
export function problemOf(error: unknown, fields: Readonly<Record<string, Problem>> = {}): Problem {
  if (!(error instanceof ApiError)) return { text: 'That did not work. Try again.' }
  const known = fields[error.code]
  if (known !== undefined) return known
  const wait = inWords(error.retryAfterS ?? 1)
  switch (error.code) {
    case 'OFFLINE':
      return { text: 'The service cannot be reached. Try again once you are online.' }
    case 'RATE_LIMITED':
      return { text: `Too many tries. Wait ${wait} and try again.` }
    case 'BUSY':
    case 'UNAVAILABLE':
      return { text: `The service is busy. Try again in ${wait}.` }
    case 'AUTH_REQUIRED':
      return { text: 'You are signed out by now. Reload the page.' }
    default:
      return { text: error.message }
  }
}
