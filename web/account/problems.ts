/** What the service, or the form itself, has against what was typed, in words for its field. */
import { ApiError } from '../api/http.ts'
import { isOfSetting, troubleWords } from '../api/trouble.ts'

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
    text: 'Use 2 to 39 lowercase letters, digits, hyphens and underscores. Start with a letter or digit.',
  }
}

export function newPasswordProblem(password: string): Problem | undefined {
  const length = [...password].length
  if (length >= passwordMinChars && length <= passwordMaxChars) return undefined
  const text =
    length < passwordMinChars
      ? `Use at least ${passwordMinChars} characters.`
      : `Use at most ${passwordMaxChars} characters.`
  return { field: 'password', text }
}

export const nameProblem = (name: string): Problem | undefined =>
  name.trim() === '' ? { field: 'name', text: 'Enter your name.' } : undefined

/** `fields`: what each code is about in this form. */
export const problemOf = (
  error: unknown,
  fields: Readonly<Record<string, Problem>> = {},
): Problem =>
  (error instanceof ApiError && !isOfSetting(error) ? fields[error.code] : undefined) ?? {
    text: troubleWords(error),
  }
