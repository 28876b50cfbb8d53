/** When something that is given ends, as it is asked for and as the service is told. */

/** Days, or a day as the browser writes it. */
export type ExpiryChoice = '' | '1' | '7' | '30' | 'day'

export interface Expiry {
  readonly end: ExpiryChoice
  /** `yyyy-mm-dd`, for `day`. */
  readonly day: string
}

export const noExpiry: Expiry = { end: '', day: '' }

const dayMs = 24 * 3_600_000

/** `undefined` without one. A day counts to its end, where this browser is. */
export function expiryOf({ end, day }: Expiry): string | undefined {
  if (end === '') return undefined
  if (end !== 'day') return new Date(Date.now() + Number(end) * dayMs).toISOString()
  const last = new Date(`${day}T23:59:59`)
  return Number.isNaN(last.getTime()) ? undefined : last.toISOString()
}
