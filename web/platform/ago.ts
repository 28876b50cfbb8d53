/** When something was, as people say it. */

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const thisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const withYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** “now”, “5 min. ago”, “yesterday”, “12 Mar”; a clock that is behind counts as now. */
export function ago(at: number, now = Date.now()): string {
  const past = Math.max(0, now - at)
  if (past < minuteMs) return relative.format(0, 'second')
  if (past < hourMs) return relative.format(-Math.floor(past / minuteMs), 'minute')
  if (past < dayMs) return relative.format(-Math.floor(past / hourMs), 'hour')
  if (past < 7 * dayMs) return relative.format(-Math.floor(past / dayMs), 'day')
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? thisYear : withYear).format(at)
}

export const exactTime = (at: number): string => exact.format(at)
