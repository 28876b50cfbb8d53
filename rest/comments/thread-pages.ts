/**
 * Pages of threads and of one thread's comments (interface §2.4): filtered, the newest thread
 * first, as many as a budget of bytes holds; a long thread's window shrinks before the thread is
 * put off. Following `next` gives each once, whatever is written meanwhile: a page ends at a number
 * that its last one has for good.
 */
import type {
  Comment,
  DocumentView,
  PlacedThread,
  ThreadFilter,
  ThreadPageWish,
  ThreadWish,
  WishedThreads,
} from '../../core/documents/contract.ts'
import { shownComments } from '../../core/documents/threads/thread.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { WireComment, WireThread } from '../../schema/wire/threads.ts'
import { actorsOf, wireComment, wireThread } from './shown-threads.ts'

/** The filters of interface §4.4, and where a page begins, as the address has them. */
export interface ThreadsAsked {
  readonly resolved?: 'true' | 'false' | 'all' | undefined
  readonly mentions?: 'me' | undefined
  readonly since_revision?: string | undefined
  readonly suggestions?: 'pending' | 'stale' | 'open' | undefined
  readonly thread_id?: string | undefined
  readonly focus?: string | undefined
  readonly cursor?: string | undefined
}

export interface ThreadPage {
  readonly threads: readonly WireThread[]
  readonly info: {
    readonly returned: number
    readonly total: number
    readonly next: string | null
    readonly doc_total?: number
  }
  readonly actors: ReadonlySet<ActorId>
}

/** Comments of one thread on one page; a longer thread has a window. */
const windowMax = 20
const windowMaxBytes = 16 * 1024

/** What JSON puts around a thread, its actors included, about. */
const aroundBytes = 512

/**
 * `told`: what the wish of a page was answered. `budget`: bytes of threads, with comments; with
 * actors, about.
 */
export function threadPage(
  slug: Slug,
  { threads: due, focused, totals }: WishedThreads,
  { asked, budget = limits.threadPageBytes }: { readonly asked: ThreadsAsked; budget?: number },
): ThreadPage {
  if (totals === undefined) throw new TypeError('the read did not wish a page')
  const filling = new Filling(slug, asked, budget)
  // It is on the first page, wherever it would be by its age.
  if (focused !== undefined && asked.cursor === undefined) filling.add(focused, true)
  let last: number | undefined
  let isCut = false
  for (const placed of due) {
    if (placed.id !== focused?.id && !filling.add(placed, last === undefined)) {
      isCut = true
      break
    }
    last = placed.summary.n
  }
  isCut ||= due.length < totals.due
  const threads = filling.threads.sort((a, b) => b.n - a.n).map(({ wire }) => wire)
  const { matching: total, count } = totals
  return {
    threads,
    info: {
      returned: threads.length,
      total,
      next: isCut && last !== undefined ? addressOf(slug, asked, `t${last}`) : null,
      ...(count !== total && { doc_total: count }),
    },
    actors: filling.actors,
  }
}

class Filling {
  readonly threads: { readonly n: number; readonly wire: WireThread }[] = []
  readonly actors = new Set<ActorId>()
  readonly #slug: Slug
  readonly #asked: ThreadsAsked
  #left: number

  constructor(slug: Slug, asked: ThreadsAsked, budget: number) {
    this.#slug = slug
    this.#asked = asked
    this.#left = budget
  }

  /** False: it does not fit, nor does the least of it. `isFirst`: it is shown all the same. */
  add(placed: PlacedThread, isFirst: boolean): boolean {
    const facts = wireThread(placed)
    const bytes = bytesOf(facts) + aroundBytes
    const comments = shownComments(placed.thread)
    const window = windowOf(comments, placed, Math.min(windowMaxBytes, this.#left - bytes))
    const size = bytes + window.bytes
    if (size > this.#left && !isFirst) return false
    this.#left -= size
    const wire = { ...facts, comments: window.wire, comments_info: this.#infoOf(placed, window) }
    this.threads.push({ n: placed.thread.n, wire })
    for (const actor of actorsOf(window.comments, placed)) this.actors.add(actor)
    return true
  }

  #infoOf({ thread }: PlacedThread, { comments, total }: CommentWindow) {
    const [root, next] = comments
    const omitted = total - comments.length
    const cursor = `c${root?.n ?? 0}-${next?.n ?? 0}`
    const asked = { ...this.#asked, thread_id: thread.id }
    return {
      returned: comments.length,
      total,
      omitted,
      next: omitted > 0 ? addressOf(this.#slug, asked, cursor) : null,
    }
  }
}

interface CommentWindow {
  readonly comments: readonly Comment[]
  readonly wire: WireComment[]
  readonly bytes: number
  readonly total: number
}

/** The root and the newest, at least one of them, as many as fit; no others are looked at. */
function windowOf(
  comments: readonly Comment[],
  placed: PlacedThread,
  budget: number,
): CommentWindow {
  const measured = (comment: Comment) => {
    const wire = wireComment(comment, placed)
    return { comment, wire, bytes: bytesOf(wire) }
  }
  const [first] = comments
  if (first === undefined) return { comments: [], wire: [], bytes: 0, total: 0 }
  const root = measured(first)
  const shown: (typeof root)[] = []
  let { bytes } = root
  for (const comment of comments
    .slice(1)
    .slice(1 - windowMax)
    .reverse()) {
    const reply = measured(comment)
    if (bytes + reply.bytes > budget && shown.length > 0) break
    shown.unshift(reply)
    bytes += reply.bytes
  }
  const all = [root, ...shown]
  return {
    comments: all.map(({ comment }) => comment),
    wire: all.map(({ wire }) => wire),
    bytes,
    total: comments.length,
  }
}

/** Refuses THREAD_NOT_FOUND, and INVALID_REQUEST a cursor that is none. */
export function commentPage(
  view: Pick<DocumentView, 'slug' | 'revision' | 'threads'>,
  asked: ThreadsAsked,
  budget: number = limits.threadPageBytes,
) {
  const placed = view.threads().find(({ summary }) => summary.id === asked.thread_id)
  if (placed === undefined) throw new Refusal('THREAD_NOT_FOUND')
  const { after, before } = commentCursor(asked.cursor)
  const all = shownComments(placed.thread)
  const due = all.filter(({ n }) => n > after && n < before)
  const shown: WireComment[] = []
  const comments: Comment[] = []
  let left = budget
  for (const comment of due) {
    const wire = wireComment(comment, placed)
    left -= bytesOf(wire)
    if (left < 0 && shown.length > 0) break
    shown.push(wire)
    comments.push(comment)
  }
  const isCut = comments.length < due.length
  const bound = Number.isFinite(before) ? before : ''
  const cursor = `c${comments.at(-1)?.n ?? 0}-${bound}`
  return {
    revision: view.revision,
    thread_id: placed.thread.id,
    comments: shown,
    comments_info: {
      returned: shown.length,
      total: all.length,
      omitted: all.length - shown.length,
      next: isCut ? addressOf(view.slug, asked, cursor) : null,
    },
    actors: new Set(actorsOf(comments, placed)),
  }
}

/** The comment that `?focus=` names, as it is shown; null: there is none. */
export function focusedComment(
  { focused }: WishedThreads,
  asked: ThreadsAsked,
): WireComment | null {
  const id = focusOf(asked)
  const comment = focused && shownComments(focused.thread).find((one) => one.id === id)
  return focused && comment ? wireComment(comment, focused) : null
}

/** The id of the comment. */
export const focusOf = ({ focus }: Pick<ThreadsAsked, 'focus'>): string | undefined =>
  focus?.slice('comment-'.length).toLowerCase()

/** `me`: whose mentions those of `mentions=me` are. */
function filterOf(asked: ThreadsAsked, me: ActorId | undefined): ThreadFilter {
  const { resolved, since_revision: since, mentions, suggestions } = asked
  return {
    resolved,
    suggestions,
    ...(since !== undefined && { sinceRevision: Number(since) }),
    ...(mentions !== undefined && { mentions: me ?? null }),
  }
}

/** No page holds more threads. */
const threadsPerPage = Math.ceil(limits.threadPageBytes / aroundBytes)

/** Those that an answer to this may have to show. */
export function threadsFor(asked: ThreadsAsked, me: ActorId | undefined): ThreadWish {
  const { thread_id: thread } = asked
  return thread === undefined ? pageFor(asked, me) : { kind: 'named', ids: [thread] }
}

export const pageFor = (asked: ThreadsAsked, me: ActorId | undefined): ThreadPageWish => ({
  kind: 'page',
  filter: filterOf(asked, me),
  before: threadCursor(asked.cursor),
  most: threadsPerPage,
  quotesMaxChars: limits.threadPageBytes,
  focus: focusOf(asked),
})

/** Undefined: the first page. */
function threadCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const number = /^t(\d{1,12})$/.exec(cursor)?.[1]
  return number === undefined ? wrongCursor() : Number(number)
}

function commentCursor(cursor: string | undefined): { after: number; before: number } {
  if (cursor === undefined) return { after: 0, before: Number.POSITIVE_INFINITY }
  const [, after, before] = /^c(\d{1,12})-(\d{0,12})$/.exec(cursor) ?? wrongCursor()
  return { after: Number(after), before: before ? Number(before) : Number.POSITIVE_INFINITY }
}

function wrongCursor(): never {
  const message = 'is not a cursor of this list'
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: '?cursor', message }] })
}

function addressOf(slug: Slug, asked: ThreadsAsked, cursor: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...asked, cursor })) {
    if (value !== undefined) query.set(name, value)
  }
  return `/docs/${slug}?${query}`
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
