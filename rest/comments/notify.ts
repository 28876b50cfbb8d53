/** What an agent's mention asks of whom it calls (interface §4.6, `notify`). */
import type { Notify } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'

const kinds = ['blocked', 'decision', 'heads_up', 'done'] as const
const lineMaxChars = 120
const optionsMax = 6
const optionMaxChars = 200

/** What, a dash between blanks, then the ask. */
const asks = /\S\s[—–-]\s+\S/

/** Refuses NOTIFICATION_INVALID. */
export function notifyFrom(value: unknown): Notify {
  if (!isObject(value)) return wrong('must be an object')
  const { kind, line, options, ...others } = value
  if (Object.keys(others).length > 0)
    return wrong(`has the unknown field ${Object.keys(others)[0]}`)
  const known = kinds.find((one) => one === kind)
  if (known === undefined) return wrong(`kind must be one of ${kinds.join(', ')}`)
  if (typeof line !== 'string' || [...line].length > lineMaxChars || /[\n\r]/.test(line)) {
    return wrong(`line must be one line of at most ${lineMaxChars} characters`)
  }
  if (!asks.test(line)) return wrong('line must have the form "subject - request"')
  if (options === undefined) return { kind: known, line }
  if (known !== 'blocked' && known !== 'decision') return wrong(`${known} does not accept options`)
  return { kind: known, line, options: optionsFrom(options) }
}

function optionsFrom(value: unknown): NonNullable<Notify['options']> {
  if (!Array.isArray(value) || value.length > optionsMax) {
    return wrong(`options must be at most ${optionsMax}`)
  }
  return value.map((option: unknown) => {
    const { label, answer, ...others } = isObject(option) ? option : {}
    const isWhole = isShort(label) && isShort(answer) && Object.keys(others).length === 0
    return isWhole ? { label, answer } : wrong('each option must be {label, answer}')
  })
}

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= optionMaxChars

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function wrong(message: string): never {
  throw new Refusal('NOTIFICATION_INVALID', { issues: [{ path: '/notify', message }] })
}
