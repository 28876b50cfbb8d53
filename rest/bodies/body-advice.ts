/**
 * What to send in place of a value of the wrong shape (interface §7: an error says what to do
 * next): one sentence for mistakes that clients make often, none for others. Judges nothing.
 */
import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'

export function adviceFor({ type, path, value, schema }: ValueError): string | undefined {
  const name = nameOf(path)
  switch (type) {
    case ValueErrorType.Array:
      return arrayAdvice(name, value)
    case ValueErrorType.Object:
      return holdsJson(value)
        ? `Send ${name} as a JSON object, not as a string of JSON.`
        : undefined
    case ValueErrorType.Integer:
    case ValueErrorType.Number:
      return isNumeric(value) ? `Send ${name} as the number ${value}, not as a string.` : undefined
    case ValueErrorType.Boolean:
      return value === 'true' || value === 'false'
        ? `Send ${name} as ${value} without quotes.`
        : undefined
    case ValueErrorType.ObjectAdditionalProperties:
      return fieldAdvice(name, schema)
    default:
      return undefined
  }
}

/** `edits[0].at` of `/edits/0/at`: the field, with its index where it is an item. */
function nameOf(path: string): string {
  const parts = path.split('/')
  const last = parts.pop() ?? ''
  return /^\d+$/.test(last) ? `${parts.pop() ?? ''}[${last}]` : last
}

const holdsJson = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[[{]/.test(value)

const isNumeric = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value)

function arrayAdvice(name: string, value: unknown): string | undefined {
  if (holdsJson(value)) return `Send ${name} as a JSON array, not as a string of JSON.`
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isOne ? `Send ${name} as an array: put the object in brackets, [{…}].` : undefined
}

/** A known field that differs in its spelling alone. */
function fieldAdvice(name: string, schema: TSchema): string | undefined {
  const fields = Object.keys((schema as { properties?: object }).properties ?? {})
  const bare = (field: string) => field.replace(/[_-]/g, '').toLowerCase()
  const meant = fields.find((field) => bare(field) === bare(name)) ?? otherNames[bare(name)]
  if (meant === undefined || !fields.includes(meant) || meant === name) return undefined
  return `Send ${meant} in place of ${name}.`
}

/** Names that other services have for fields of this one. */
const otherNames: Readonly<Record<string, string>> = {
  oldtext: 'old_string',
  oldstr: 'old_string',
  old: 'old_string',
  search: 'old_string',
  find: 'old_string',
  newtext: 'new_string',
  newstr: 'new_string',
  new: 'new_string',
  replace: 'new_string',
  replacement: 'new_string',
}
