/**
 * A document to which one may come back: after access was taken, or the document archived, the
 * service is asked now and then whether that is still so, and at once when one looks at the page.
 */
import { useEffect } from 'react'
import { whyNotOpened } from '../live/refusals.ts'
import type { DocumentSession, SaveState } from '../live/session.ts'
import { useStore } from '../platform/store.ts'

const firstAfterMs = 2_000
const slowest = { growth: 1.5, everyMs: 30_000 }

export type ReopenedFrom = 'no-access' | 'archived'

/** `undefined`: there is nothing to come back to. */
function fromOf(state: SaveState): ReopenedFrom | undefined {
  if (state.kind !== 'ended') return undefined
  const { because } = state
  return because === 'no-access' || because === 'archived' ? because : undefined
}

/** Calls `onBack` once; not while words wait to be copied. */
export function useReopening(session: DocumentSession, onBack: (from: ReopenedFrom) => void): void {
  const state = useStore(session.saveState)
  const keepsWords = useStore(session.lostText) !== undefined
  const from = keepsWords ? undefined : fromOf(state)
  useEffect(() => {
    if (from === undefined) return
    const leave = new AbortController()
    let timer: number | undefined
    let waitMs = firstAfterMs
    let isAsking = false
    const ask = async () => {
      if (isAsking) return
      isAsking = true
      window.clearTimeout(timer)
      const because = await whyNotOpened(session.slug).catch(() => 'unreachable')
      isAsking = false
      if (leave.signal.aborted) return
      if (because === undefined) return onBack(from)
      waitMs = Math.min(waitMs * slowest.growth, slowest.everyMs)
      timer = window.setTimeout(ask, waitMs)
    }
    timer = window.setTimeout(ask, waitMs)
    const look = () => {
      if (document.visibilityState === 'visible') void ask()
    }
    document.addEventListener('visibilitychange', look, { signal: leave.signal })
    return () => {
      leave.abort()
      window.clearTimeout(timer)
    }
  }, [from, session, onBack])
}
