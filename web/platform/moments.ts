/** How a moment is said to a reader: the nearer, the shorter. In the reader's language and zone. */

const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })
const dayOfYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** Midnights between two moments. */
function daysBetween(at: number, now: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  return Math.round((midnight(now) - midnight(at)) / 86_400_000)
}

export const timeOf = (at: number): string => time.format(at)

/** `today`, `yesterday`, `Tuesday`, `3 November`, `3 November 2024`. */
export function dayOf(at: number, now = Date.now()): string {
  const days = daysBetween(at, now)
  if (days >= 0 && days < 2) return relative.format(-days, 'day')
  if (days > 0 && days < 7) return weekday.format(at)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? day : dayOfYear).format(at)
}

/** `18:40`, `yesterday 18:40`, `Tuesday 18:40`, `3 November`. */
export function momentOf(at: number, now = Date.now()): string {
  const days = daysBetween(at, now)
  if (days === 0) return timeOf(at)
  return days > 0 && days < 7 ? `${dayOf(at, now)} ${timeOf(at)}` : dayOf(at, now)
}
