/**
 * The threads of one document as this page knows them, outside React, the same for everyone who
 * asks with its session (`threadsOf`). Read in pages once the document is here; then only what
 * `doc_changed` names is read again, by ids, and all once more after a connection was lost meanwhile.
 *
 * `all` holds the open ones, the newest first, and those resolved that anybody had to read; a thread
 * in which nothing changed stays the same object, so comparing tells what is new. What it proposes
 * is in `comments[].suggestion`: `old_string`, `new_string`, `status`. Where the words are in the
 * editor's document say `highlights.ts` (`rangesIn`, `idsAt`). Whoever wrote to the service
 * calls `refresh(ids)` to see it without waiting for the word of it. It draws nothing, knows no
 * editor.
 */
import { ApiError, isPassing } from '../api/http.ts'
import {
  type Comment,
  commentsAt,
  type Thread,
  type ThreadsAnswer,
  type ThreadsWish,
  threadsAddress,
  threadsAt,
} from '../api/threads.ts'
import type { Hello, LiveEvent } from '../live/event-socket.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface Named {
  readonly name: string
  readonly handle: string
}

export interface Threads {
  readonly all: Readable<readonly Thread[]>
  /** False until the service has answered once. */
  readonly isRead: Readable<boolean>
  /** This person hears of nothing in this document but mentions. */
  readonly isMuted: Readable<boolean>
  /** What everybody in them is called, by actor id. */
  readonly people: Readable<ReadonlyMap<string, Named>>
  thread(id: string): Thread | undefined
  ofComment(id: string): Thread | undefined
  /** Reads these again; those that are gone leave. What cannot be read now is read later. */
  refresh(ids: readonly string[]): Promise<void>
  /** Reads the thread of a comment, resolved or not; undefined: it is not there. */
  find(comment: string): Promise<Thread | undefined>
  /** The words of resolved ones are marked too; from then on they are all here. */
  readonly showsResolved: Readable<boolean>
  showResolved(areShown: boolean): void
  /** The comments that a long thread has left out. */
  readOmitted(thread: Thread): Promise<readonly Comment[]>
  setMuted(isMuted: boolean): void
  close(): void
}

/** More threads than anybody looks through are not kept. */
const keptMax = 1_000
const idsMax = 100
const gatherMs = 60
const againAfterMs = 3_000

const known = new WeakMap<DocumentSession, KnownThreads>()

export function threadsOf(session: DocumentSession): Threads {
  const found = known.get(session)
  if (found !== undefined) return found
  const made = new KnownThreads(session)
  known.set(session, made)
  return made
}

class KnownThreads implements Threads {
  readonly all = createStore<readonly Thread[]>([])
  readonly isRead = createStore(false)
  readonly isMuted = createStore(false)
  readonly people = createStore<ReadonlyMap<string, Named>>(new Map())
  readonly showsResolved = createStore(false)
  readonly #session: DocumentSession
  readonly #leave = new AbortController()
  readonly #stops: (() => void)[]
  readonly #wanted = new Set<string>()
  /** The newest revision that was told of, and up to which all threads are read. */
  #newest = 0
  #readTo = 0
  #wantsAll = false
  #hasResolved = false
  #timer: number | undefined
  #reading: Promise<void> | undefined

  constructor(session: DocumentSession) {
    this.#session = session
    this.#stops = [
      session.onEvent((event) => this.#hear(event)),
      session.hasArrived.subscribe(() => this.#begin()),
    ]
    this.#begin()
  }

  thread(id: string): Thread | undefined {
    return this.all.get().find((thread) => thread.id === id)
  }

  ofComment(id: string): Thread | undefined {
    return this.all.get().find(({ comments }) => comments.some((comment) => comment.id === id))
  }

  async refresh(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#wanted.add(id)
    await this.#read().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
  }

  async find(comment: string): Promise<Thread | undefined> {
    const here = this.ofComment(comment)
    if (here !== undefined) return here
    const [found] = (await this.#page({ comment })).threads
    if (found !== undefined) this.#take([found], [])
    return found
  }

  showResolved(areShown: boolean): void {
    this.showsResolved.set(areShown)
    if (this.#hasResolved || !areShown) return
    this.#hasResolved = true
    this.#wantsAll = true
    this.#readSoon(0)
  }

  async readOmitted({ comments_info: { next } }: Thread): Promise<readonly Comment[]> {
    const found: Comment[] = []
    let address = next
    while (address !== null && found.length < keptMax) {
      const page = await commentsAt(address, this.#leave.signal)
      found.push(...page.comments)
      address = page.comments_info.next
    }
    return found
  }

  setMuted(isMuted: boolean): void {
    this.isMuted.set(isMuted)
  }

  close(): void {
    this.#leave.abort()
    window.clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
    known.delete(this.#session)
  }

  #begin(): void {
    if (!this.#session.hasArrived.get() || this.isRead.get()) return
    this.#wantsAll = true
    this.#readSoon(0)
  }

  #hear(event: LiveEvent): void {
    if (event.type === 'doc_changed') {
      this.#newest = Math.max(this.#newest, event.revision)
      const { comments, threads = [] } = event
      const { moved = [], degraded = [], orphaned = [] } = comments ?? {}
      for (const id of [...threads, ...moved, ...degraded, ...orphaned]) this.#wanted.add(id)
      if (event.more_threads === true) this.#wantsAll = true
      if (this.#wanted.size > 0 || this.#wantsAll) this.#readSoon(gatherMs)
    } else if (event.event === 'hello') {
      const { revision } = event.data as Hello
      // What was said while there was no connection nobody has told.
      if (this.isRead.get() && revision !== Math.max(this.#newest, this.#readTo)) {
        this.#wantsAll = true
      }
      this.#newest = revision
      if (this.#wanted.size > 0 || this.#wantsAll) this.#readSoon(gatherMs)
    }
  }

  #readSoon(ms: number): void {
    if (!this.#session.hasArrived.get() || this.#leave.signal.aborted) return
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined
      void this.#read().catch(() => undefined)
    }, ms)
  }

  /** One after the other: an older answer never comes behind a newer one. */
  async #read(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading.catch(() => undefined)
    if (this.#leave.signal.aborted) return
    this.#reading = this.#readWanted()
    try {
      await this.#reading
    } catch (error) {
      if (this.#leave.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      // Without a connection the next `hello` asks again.
      if (isPassing(error)) this.#readSoon((error.retryAfterS ?? 0) * 1_000 + againAfterMs)
      throw error
    } finally {
      this.#reading = undefined
    }
  }

  async #readWanted(): Promise<void> {
    if (this.#wantsAll) {
      this.#wantsAll = false
      this.#wanted.clear()
      await this.#readAll().catch((error: unknown) => {
        this.#wantsAll = true
        throw error
      })
    }
    while (this.#wanted.size > 0) {
      const ids = [...this.#wanted].slice(0, idsMax)
      for (const id of ids) this.#wanted.delete(id)
      const page = await this.#pages({ ids }, ids.length).catch((error: unknown) => {
        for (const id of ids) this.#wanted.add(id)
        throw error
      })
      this.#take(page, ids)
    }
  }

  async #readAll(): Promise<void> {
    const isOfAll = this.#hasResolved
    const from = this.#newest
    const threads = await this.#pages(isOfAll ? { resolved: 'all' } : {}, keptMax)
    const gone = this.all.get().filter(({ resolved }) => isOfAll || !resolved)
    this.#take(
      threads,
      gone.map(({ id }) => id),
    )
    this.#readTo = Math.max(this.#readTo, from)
    this.isRead.set(true)
  }

  async #pages(wish: ThreadsWish, most: number): Promise<readonly Thread[]> {
    const found: Thread[] = []
    let page = await this.#page(wish)
    for (;;) {
      found.push(...page.threads)
      const { next } = page.threads_info
      if (next === null || found.length >= most) return found
      page = this.#heard(await threadsAt(next, this.#leave.signal))
    }
  }

  async #page(wish: ThreadsWish): Promise<ThreadsAnswer> {
    const address = threadsAddress(this.#session.slug, wish)
    return this.#heard(await threadsAt(address, this.#leave.signal))
  }

  #heard(page: ThreadsAnswer): ThreadsAnswer {
    this.isMuted.set(page.muted)
    const people = this.people.get()
    const all = Object.values(page.actors)
    if (all.some(({ actor_id: id, name }) => people.get(id)?.name !== name)) {
      const told = all.map(({ actor_id: id, name, handle }) => [id, { name, handle }] as const)
      this.people.set(new Map([...people, ...told]))
    }
    return page
  }

  /** `asked`: of these what was not answered is gone. */
  #take(threads: readonly Thread[], asked: readonly string[]): void {
    const before = new Map(this.all.get().map((thread) => [thread.id, thread]))
    const after = new Map(before)
    for (const id of asked) after.delete(id)
    for (const thread of threads) {
      const old = before.get(thread.id)
      after.set(thread.id, old !== undefined && isSame(old, thread) ? old : thread)
    }
    const all = [...after.values()].sort(newestFirst).slice(0, keptMax)
    const isChanged =
      all.length !== before.size || all.some((thread) => before.get(thread.id) !== thread)
    if (isChanged) this.all.set(all)
  }
}

/** Of the markdown's offsets nobody here makes use: they change with every key. */
function isSame(one: Thread, other: Thread): boolean {
  const text = ({ range: _, ...thread }: Thread) => JSON.stringify(thread)
  return text(one) === text(other)
}

const rootAt = ({ comments: [root] }: Thread): string => root?.at ?? ''
const newestFirst = (a: Thread, b: Thread): number =>
  rootAt(a) === rootAt(b) ? (a.id < b.id ? 1 : -1) : rootAt(a) < rootAt(b) ? 1 : -1
