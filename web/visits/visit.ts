/**
 * This browser's visit of one document: up to which revision somebody here has seen it, and what
 * others changed while nobody was. What is told stays until it was read or put aside, also when the
 * page was closed before. It knows nothing of how that is shown.
 */
import { call, isPassing } from '../api/http.ts'
import type { Hello, LiveEvent } from '../live/event-socket.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { nobody } from '../platform/this-browser.ts'
import { type BlockChange, lastVisit, rememberVisit, type Unread } from './last-visits.ts'
import { joined, othersOf } from './unread.ts'
import { type UserActivity, watchUserActivity } from './user-activity.ts'

export interface DocumentVisit {
  /** What others changed while nobody was here, and nobody has read yet. */
  readonly unread: Readable<Unread | undefined>
  readonly attendance: UserActivity
  /** These blocks were read. */
  read(ids: readonly string[]): void
  dismiss(): void
  close(): void
}

/** Who looks away for less has not been away. */
const awayMinMs = 20_000
const keepEveryMs = 5_000
const askAgainMs = 10_000
const asksMax = 3

const visits = new WeakMap<DocumentSession, DocumentVisit>()

/** The same for everyone who asks with this session. */
export function visitOf(session: DocumentSession): DocumentVisit {
  const known = visits.get(session)
  if (known !== undefined) return known
  const made = new Visiting(session)
  visits.set(session, made)
  return made
}

interface SinceAnswer {
  readonly to: number
  readonly changes: readonly BlockChange[]
}

/** All pages; a page of another revision begins the list again. */
async function allSince(slug: string, revision: number, signal: AbortSignal): Promise<SinceAnswer> {
  let answer: { to: number; changes: BlockChange[] } = { to: 0, changes: [] }
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await call('GET /docs/:slug/since', ['to', 'changes', 'next_cursor'], {
      slug,
      query: { revision, cursor },
      signal,
    })
    if (page.to !== answer.to) answer = { to: page.to, changes: [] }
    for (const change of page.changes) answer.changes.push(change)
    cursor = page.next_cursor
  }
  return answer
}

class Visiting implements DocumentVisit {
  readonly unread = createStore<Unread | undefined>(undefined)
  readonly attendance = watchUserActivity()
  readonly #session: DocumentSession
  readonly #ends = new AbortController()
  readonly #stops: (() => void)[]
  /** Up to here somebody has seen it; undefined until the document has arrived. */
  #seen: { readonly revision: number; readonly at: number } | undefined
  #newest = 0
  #isAsking = false
  #leftAt: number | undefined
  #keepTimer: number | undefined

  constructor(session: DocumentSession) {
    this.#session = session
    const { isHere } = this.attendance
    this.#stops = [
      session.onEvent((event) => this.#hear(event)),
      session.hasArrived.subscribe(() => this.#begin()),
      isHere.subscribe(() => (isHere.get() ? this.#comeBack() : this.#goAway())),
    ]
    addEventListener('pagehide', () => this.#keep(), { signal: this.#ends.signal })
  }

  read(ids: readonly string[]): void {
    const unread = this.unread.get()
    if (unread === undefined) return
    const left = unread.changes.filter(({ block_id }) => !ids.includes(block_id))
    this.unread.set(left.length === 0 ? undefined : { ...unread, changes: left })
    this.#keepSoon()
  }

  dismiss(): void {
    this.unread.set(undefined)
    this.#keep()
  }

  close(): void {
    this.#keep()
    this.#ends.abort()
    window.clearTimeout(this.#keepTimer)
    for (const stop of this.#stops) stop()
    this.attendance.close()
    visits.delete(this.#session)
  }

  get #actor(): string {
    return this.#session.account.get()?.actor_id ?? nobody
  }

  #hear(event: LiveEvent): void {
    if (event.type === 'doc_changed') this.#newest = Math.max(this.#newest, event.revision)
    // After a restore from a backup the revisions are lower than they were.
    else if (event.event === 'hello') this.#newest = (event.data as Hello).revision
    else return
    if (this.#seen === undefined) this.#begin()
    else if (event.type === 'event' && this.#hasBeenAway(this.#seen.at)) this.#comeBackOnline()
    else this.#see()
  }

  #hasBeenAway(since: number): boolean {
    return Date.now() - since >= awayMinMs
  }

  /** While there was no connection nobody saw what came. */
  #comeBackOnline(): void {
    if (this.attendance.isHere.get()) void this.#ask()
  }

  #begin(): void {
    const { slug, hasArrived } = this.#session
    if (this.#seen !== undefined || !hasArrived.get() || this.#newest === 0) return
    const last = lastVisit(this.#actor, slug)
    this.#seen = { revision: last?.revision ?? this.#newest, at: last?.at ?? Date.now() }
    if (last?.unread !== undefined) this.unread.set(last.unread)
    void this.#ask()
  }

  /** Whoever is here sees what comes. */
  #see(): void {
    if (!this.attendance.isHere.get() || this.#isAsking || this.#seen === undefined) return
    this.#seen = { revision: this.#newest, at: Date.now() }
    this.#keepSoon()
  }

  #goAway(): void {
    this.#leftAt = Date.now()
    if (this.#seen !== undefined) this.#seen = { ...this.#seen, at: this.#leftAt }
    this.#keep()
  }

  #comeBack(): void {
    if (this.#hasBeenAway(this.#leftAt ?? Date.now())) void this.#ask()
    else this.#see()
  }

  /** What changed since it was seen last. */
  async #ask(): Promise<void> {
    const seen = this.#seen
    if (seen === undefined || this.#isAsking) return
    this.#isAsking = true
    const found = seen.revision < this.#newest ? await this.#since(seen.revision) : undefined
    this.#isAsking = false
    if (this.#ends.signal.aborted) return
    const others = othersOf(found?.changes ?? [], this.#actor)
    if (others.length > 0) {
      const since = { since: seen.at, from: seen.revision, changes: others }
      this.unread.set(joined(this.unread.get(), since))
    }
    this.#newest = Math.max(this.#newest, found?.to ?? 0)
    this.#see()
  }

  async #since(revision: number): Promise<SinceAnswer | undefined> {
    const { signal } = this.#ends
    for (let asks = 1; ; asks++) {
      try {
        return await allSince(this.#session.slug, revision, signal)
      } catch (error) {
        if (signal.aborted || !isPassing(error) || asks === asksMax) return undefined
        await new Promise((resolve) => setTimeout(resolve, askAgainMs))
      }
    }
  }

  #keepSoon(): void {
    this.#keepTimer ??= window.setTimeout(() => this.#keep(), keepEveryMs)
  }

  #keep(): void {
    window.clearTimeout(this.#keepTimer)
    this.#keepTimer = undefined
    if (this.#seen === undefined) return
    const at = this.attendance.isHere.get() ? Date.now() : this.#seen.at
    const { revision } = this.#seen
    const unread = this.unread.get()
    const { slug } = this.#session
    const visit = { actor: this.#actor, slug, revision, at }
    rememberVisit(unread === undefined ? visit : { ...visit, unread })
  }
}
