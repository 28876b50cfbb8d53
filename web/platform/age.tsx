/**
 * How long ago something was, wherever the page says it. All ages are looked at anew at once, every
 * half minute and when the page comes back into sight, so that none contradicts another.
 */

import { ago, exactTime } from './ago.ts'
import { createStore, type Readable, useStore } from './store.ts'

export interface AgeProps {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly className?: string
  /** Behind the age. */
  readonly more?: string
}

export function Age({ at, className, more = '' }: AgeProps) {
  useStore(minutes)
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {ago(at)}
      {more}
    </time>
  )
}

const lookAfterMs = 30_000
const ticks = createStore(0)
const tick = () => ticks.set(ticks.get() + 1)
let readers = 0
let timer: number | undefined

/** Changes with the clock, as long as somebody reads it. */
const minutes: Readable<number> = {
  get: ticks.get,
  subscribe(listener) {
    const stop = ticks.subscribe(listener)
    readers += 1
    if (readers === 1) {
      timer = window.setInterval(tick, lookAfterMs)
      document.addEventListener('visibilitychange', tick)
    }
    return () => {
      stop()
      readers -= 1
      if (readers > 0) return
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  },
}
