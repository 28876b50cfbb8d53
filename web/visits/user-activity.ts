/**
 * Whether somebody is at the page: it is in sight, and there was a sign of hands within the last
 * minutes. What changes while nobody is there has not been seen.
 */
import { createStore, type Readable } from '../platform/store.ts'

export interface UserActivity {
  readonly isHere: Readable<boolean>
  close(): void
}

const idleMs = 5 * 60_000
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const

export function watchUserActivity(): UserActivity {
  const isHere = createStore(document.visibilityState === 'visible')
  const ends = new AbortController()
  let lastSign = performance.now()
  let timer: number | undefined
  const look = () => {
    timer = undefined
    const left = lastSign + idleMs - performance.now()
    const isThere = document.visibilityState === 'visible' && left > 0
    isHere.set(isThere)
    if (isThere) timer = window.setTimeout(look, left)
  }
  const sign = () => {
    lastSign = performance.now()
    if (!isHere.get()) look()
  }
  const options = { signal: ends.signal, capture: true, passive: true }
  for (const type of signs) addEventListener(type, sign, options)
  document.addEventListener(
    'visibilitychange',
    () => {
      window.clearTimeout(timer)
      if (document.visibilityState === 'visible') sign()
      look()
    },
    options,
  )
  look()
  return {
    isHere,
    close() {
      ends.abort()
      window.clearTimeout(timer)
    },
  }
}
