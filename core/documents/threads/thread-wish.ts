/**
 * Which threads a read asks for, as plain data, and the one judgement of it (interface §4.4): the
 * same for open documents and for stored views. Knows neither comments' texts nor pages.
 */
import { assertNever } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import type { PlacedThread } from './placed.ts'
import type { ThreadSummary } from './summary.ts'
import { shownComments } from './thread.ts'

/** The filters of interface §4.4. They combine. */
export interface ThreadFilter {
  /** Undefined: the default of rule 1. */
  readonly resolved?: 'true' | 'false' | 'all' | undefined
  /** Null: nobody, so that no thread matches. */
  readonly mentions?: ActorId | null | undefined
  readonly sinceRevision?: number | undefined
  readonly suggestions?: 'pending' | 'stale' | 'open' | undefined
}

export type ThreadWish =
  | { readonly kind: 'all' }
  | { readonly kind: 'named'; readonly ids: readonly string[] }
  | ThreadPageWish

/** The newest that match the filter, of those `among` which they are looked for. */
export interface ThreadPageWish {
  readonly kind: 'page'
  /** Undefined: all. `comment`: only the thread that shows it. */
  readonly among?: { readonly ids: readonly string[] } | { readonly comment: string } | undefined
  readonly filter: ThreadFilter
  /** Only threads with a lower number. */
  readonly before?: number | undefined
  readonly most: number
  /** No further thread is told once the quotes of those before have more UTF-16 units. */
  readonly quotesMaxChars: number
  /** The thread that shows this comment is told too, whether it matches or not. */
  readonly focus?: string | undefined
}

/** What is told of the threads of one revision. */
export interface WishedThreads {
  /** Those that were wished and in which anything stands, the newest first. */
  readonly threads: readonly PlacedThread[]
  /** Undefined: no comment was named, or no thread shows it. */
  readonly focused?: PlacedThread | undefined
  /** Only of a page. */
  readonly totals?: ThreadTotals | undefined
}

/** What is counted of the threads among which a page is looked for. */
export interface ThreadTotals {
  readonly count: number
  /** Those of them that match the filter; the focused one counts too. */
  readonly matching: number
  /** Those that match and belong on this page or on a later one. */
  readonly due: number
  readonly suggestions: { readonly pending: number; readonly stale: number }
}

type Summarized = Pick<PlacedThread, 'id' | 'summary'>

/**
 * Those of `all`, the newest first, whose comments have to be looked at: the threads that are asked
 * for, or all where only the comments tell.
 */
export function chosenBy<T extends Summarized>(wish: ThreadWish, all: readonly T[]): readonly T[] {
  switch (wish.kind) {
    case 'all':
      return all
    case 'named':
      return named(wish.ids, all)
    case 'page': {
      const { among, focus } = wish
      if (focus !== undefined || (among !== undefined && 'comment' in among)) return all
      return onPage(wish, among === undefined ? all : named(among.ids, all))
    }
    default:
      return assertNever(wish)
  }
}

/** `standing`: the threads in which anything stands, the newest first. */
export function answerWish(wish: ThreadWish, standing: readonly PlacedThread[]): WishedThreads {
  if (wish.kind !== 'page') return { threads: chosenBy(wish, standing).map(plain) }
  const { among, focus, quotesMaxChars } = wish
  const all = among === undefined ? standing : foundAmong(among, standing)
  const focused = focus === undefined ? undefined : showing(focus, standing)
  const threads: PlacedThread[] = []
  let chars = 0
  for (const one of onPage(wish, all)) {
    if (chars > quotesMaxChars) break
    threads.push(plain(one))
    chars += one.quote?.length ?? 0
  }
  return { threads, focused: focused && plain(focused), totals: totalsOf(wish, all, focused) }
}

function totalsOf(
  { filter, before = Number.POSITIVE_INFINITY }: ThreadPageWish,
  all: readonly PlacedThread[],
  focused: PlacedThread | undefined,
): ThreadTotals {
  let [matching, due, pending, stale] = [0, 0, 0, 0]
  for (const { summary } of all) {
    pending += summary.suggestions.pending
    stale += summary.suggestions.stale
    if (!matches(summary, filter)) continue
    matching += 1
    if (summary.n < before) due += 1
  }
  if (focused !== undefined && !matches(focused.summary, filter)) matching += 1
  return { count: all.length, matching, due, suggestions: { pending, stale } }
}

/** Filter rules 1 to 3 of interface §4.4; `resolved` always narrows. */
export function matches(summary: ThreadSummary, filter: ThreadFilter): boolean {
  const { isResolved, changedRevision } = summary
  const { sinceRevision: since, mentions, suggestions } = filter
  const isFiltered = since !== undefined || mentions !== undefined || suggestions !== undefined
  const resolved = filter.resolved ?? (isFiltered ? 'all' : 'false')
  if (resolved !== 'all' && isResolved !== (resolved === 'true')) return false
  if (since !== undefined && changedRevision <= since) return false
  if (mentions === null) return false
  if (mentions !== undefined && !summary.mentions.includes(mentions)) return false
  if (suggestions === undefined) return true
  const { pending, stale } = summary.suggestions
  if (suggestions === 'open') return pending + stale > 0
  return (suggestions === 'pending' ? pending : stale) > 0
}

function onPage<T extends Summarized>(
  { filter, before = Number.POSITIVE_INFINITY, most }: ThreadPageWish,
  all: readonly T[],
): readonly T[] {
  const page: T[] = []
  for (const one of all) {
    if (page.length === most) break
    if (one.summary.n < before && matches(one.summary, filter)) page.push(one)
  }
  return page
}

function named<T extends Summarized>(wanted: readonly string[], all: readonly T[]): readonly T[] {
  const ids = new Set(wanted)
  return all.filter(({ id }) => ids.has(id))
}

function foundAmong(
  among: NonNullable<ThreadPageWish['among']>,
  all: readonly PlacedThread[],
): readonly PlacedThread[] {
  if ('ids' in among) return named(among.ids, all)
  const found = showing(among.comment, all)
  return found === undefined ? [] : [found]
}

const showing = (comment: string, all: readonly PlacedThread[]): PlacedThread | undefined =>
  all.find(({ thread }) => shownComments(thread).some(({ id }) => id === comment))

/** As a plain object, whatever finds its parts when they are asked for. */
function plain({ id, summary, thread, range, stale, quote }: PlacedThread): PlacedThread {
  return { id, summary, thread, range, stale, quote }
}
