/** Times as bodies carry them: ISO 8601 in, ISO 8601 out. */
import { Refusal } from '../../schema/errors.ts'

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** Milliseconds since the epoch of an `expires_at`. Refuses INVALID_REQUEST unless it is to come. */
export function endFrom(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const time = shape.test(text) ? Date.parse(text) : Number.NaN
  if (time > now) return time
  const message = Number.isNaN(time) ? 'must be an ISO 8601 time' : 'must be in the future'
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: '/expires_at', message }] })
}

/** Milliseconds since the epoch. Refuses INVALID_REQUEST. */
export function timeFrom(text: string, path: string): number {
  const time = shape.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  const issues = [{ path, message: 'must be an ISO 8601 time' }]
  throw new Refusal('INVALID_REQUEST', { issues })
}

export const isoTime = (time: number): string => new Date(time).toISOString()

export const isoOrNull = (time: number | undefined | null): string | null =>
  time === undefined || time === null ? null : isoTime(time)
