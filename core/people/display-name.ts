/**
 * Display names (interface §4.7): what people and agents call themselves. Untrusted text that is
 * shown next to other people's words, so it is one line without invisible direction changes.
 */
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'

const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * The name as it is kept: trimmed. Refuses INVALID_REQUEST when it is empty, too long or not one
 * line.
 */
export function displayNameFrom(text: string, path = '/display_name'): string {
  const name = text.trim()
  const length = [...name].length
  const problem =
    length === 0
      ? 'must not be empty'
      : length > limits.displayNameMaxChars
        ? `must have at most ${limits.displayNameMaxChars} characters`
        : forbidden.test(name)
          ? 'must be one line without control characters'
          : undefined
  if (problem !== undefined) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path, message: problem }] })
  }
  return name
}
