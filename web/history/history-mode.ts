/**
 * Whether the page shows the document's past, and which of it: it is in the address, so that Back
 * leaves it and a reload comes back to it. `?history=57` is revision 57, `since` what its changes
 * are told from.
 */
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface Shown {
  /** Undefined: the newest. */
  readonly revision?: number | undefined
  /** Its changes are those since that one; undefined: since before its group. */
  readonly since?: number | undefined
}

export interface HistoryMode {
  readonly shown: Readable<Shown | undefined>
  enter(shown?: Shown): void
  /** Another part of the past; Back leaves all of it. */
  show(shown: Shown): void
  leave(): void
  close(): void
}

const modes = new WeakMap<DocumentSession, HistoryMode>()

/** The same for everyone who asks with this session. */
export function historyMode(session: DocumentSession): HistoryMode {
  const known = modes.get(session)
  if (known !== undefined) return known
  const made = openMode(() => modes.delete(session))
  modes.set(session, made)
  return made
}

/** In the browser's own state of the entry: there is a page to go back to. */
const mark = 'history'

function openMode(onClose: () => void): HistoryMode {
  const shown = createStore(shownIn(location.search))
  const read = () => {
    const next = shownIn(location.search)
    if (JSON.stringify(next) !== JSON.stringify(shown.get())) shown.set(next)
  }
  addEventListener('popstate', read)
  const go = (how: 'pushState' | 'replaceState', next: Shown | undefined) => {
    const state = how === 'pushState' ? { [mark]: true } : history.state
    history[how](state, '', addressOf(next))
    shown.set(next)
  }
  return {
    shown,
    enter: (next = {}) => go('pushState', next),
    show: (next) => go('replaceState', next),
    leave() {
      if ((history.state as Record<string, unknown> | null)?.[mark] === true) history.back()
      else go('replaceState', undefined)
    },
    close() {
      removeEventListener('popstate', read)
      onClose()
    },
  }
}

const number = (said: string | null): number | undefined =>
  said !== null && /^[1-9][0-9]{0,8}$/.test(said) ? Number(said) : undefined

export function shownIn(search: string): Shown | undefined {
  const asked = new URLSearchParams(search)
  if (!asked.has('history')) return undefined
  return { revision: number(asked.get('history')), since: number(asked.get('since')) }
}

function addressOf(shown: Shown | undefined): string {
  const asked = new URLSearchParams(location.search)
  asked.delete('history')
  asked.delete('since')
  if (shown !== undefined) asked.set('history', String(shown.revision ?? ''))
  if (shown?.since !== undefined) asked.set('since', String(shown.since))
  const search = asked.toString().replace(/\bhistory=(?=&|$)/, 'history')
  return `${location.pathname}${search === '' ? '' : `?${search}`}${location.hash}`
}
