/**
 * The past of documents in their host (interface §4.11, extensions §12): `History` up to what is
 * durable now.
 */
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { undamaged } from '../../commit/damage.ts'
import { timed } from '../../runtime/steady-runtime.ts'
import { ConcurrencyLimit } from '../../turns/concurrency-limit.ts'
import type { Sources } from '../live/live-peer.ts'
import type { DocumentView, ReadWish } from '../views/document-view.ts'
import {
  type BlockDifference,
  type BlockPage,
  blockDifferences,
  blocksFrom,
  type PageStart,
  pageOf,
  type TextPage,
} from './comparisons.ts'
import { type FormerRevision, History, type HistoryPage } from './history.ts'
import { changedSince } from './since.ts'

/** Reads of the past that are under way; the others wait. */
const historyReadsAtOnce = 4

export type { BlockChanged, BlockPage, PageStart, TextChanged, TextPage } from './comparisons.ts'
export type * from './history.ts'

/** What is stored of one document, up to a revision that is on disk and closed. */
export interface OfPast {
  readonly slug: Slug
  readonly newest: number
}

/** `before`: only older ones. With the hashes of texts where asked for. */
export interface PageAsk extends OfPast {
  readonly before: number | undefined
  readonly limit: number
  readonly hashes: boolean
}

export interface RevisionAsk extends OfPast {
  readonly revision: number
  readonly authors: boolean
}

export interface DiffAsk extends OfPast {
  readonly from: number
  readonly to: number
  readonly begin: PageStart
}

/** Of a document as it is now. */
export interface SinceAsk {
  readonly slug: Slug
  readonly sources: Sources
  readonly revision: number
  readonly begin: SincePlace
}

/** `onWork` is told of the time that something took. */
export interface HostedPast {
  /** The newest first. */
  page(ask: PageAsk): Promise<HistoryPage>
  /** A revision as it was. Refuses NOT_FOUND. */
  at(ask: RevisionAsk): Promise<FormerRevision>
  /** By words, a page from `begin` on. Refuses NOT_FOUND. */
  diff(ask: DiffAsk, onWork: OnWork): Promise<TextPage>
  /**
   * Blocks that are not as they were, and the revision that they are of now: a page from `begin`
   * on, or from the first where the document is not known as it was then. Refuses NOT_FOUND.
   */
  since(ask: SinceAsk, onWork: OnWork): Promise<BlockPage & { readonly to: number }>
  /** All of the blocks. Refuses NOT_FOUND. */
  changedSince(since: Omit<SinceAsk, 'begin'>): Promise<BlockDifference>
}

type OnWork = (ms: number) => void

/** Where a page of changed blocks begins, in the list as of a revision. */
export interface SincePlace {
  /** Undefined: the newest. */
  readonly to: number | undefined
  readonly index: number
}

/** What the past needs of the present. */
export interface Present {
  readonly store: Store
  readonly runtime: Runtime
  /** The newest revision, on disk and closed. */
  settled(slug: Slug, sources: Sources): Promise<number>
  read(slug: Slug, wish: ReadWish, sources: Sources): Promise<DocumentView>
}

const sinceKey = (slug: Slug, from: number, to: number): string => `${slug}/${from}/${to}`

/** Of another list than the one that the place is in, the first page. */
function pageSince(one: BlockDifference, { to, index }: SincePlace) {
  return { ...blocksFrom(one, to === one.to ? index : 0), to: one.to }
}

export function pastOf({ store, runtime, settled, read }: Present): HostedPast {
  const history = new History(store, runtime)
  const since = blockDifferences()
  const readers = new ConcurrencyLimit(runtime, historyReadsAtOnce)
  /** What the store tells, with few others beside. */
  const told = <T>(slug: Slug, job: () => Promise<T>): Promise<T> =>
    readers.run(() => undamaged(slug, job))
  const blocksSince = async (
    { slug, revision, sources }: Omit<SinceAsk, 'begin'>,
    onWork: OnWork = () => {},
  ) => {
    const newest = await settled(slug, sources)
    if (revision > newest) throw new Refusal('NOT_FOUND')
    return since.get(sinceKey(slug, revision, newest), () => {
      const now = (wish: ReadWish) => read(slug, wish, sources)
      return told(slug, () =>
        changedSince(store, {
          revision,
          read: now,
          timed: (work) => timed(runtime, onWork, work),
        }),
      )
    })
  }
  return {
    page: ({ slug, ...wish }) => told(slug, () => history.page(slug, wish)),
    async at({ slug, revision, authors, newest }) {
      if (revision > newest) throw new Refusal('NOT_FOUND')
      const found = await told(slug, () => history.at(slug, revision, { authors }))
      if (found === undefined) throw new Refusal('NOT_FOUND')
      return found
    },
    async diff({ slug, from, to, begin, newest }, onWork) {
      if (Math.max(from, to) > newest) throw new Refusal('NOT_FOUND')
      const difference = await told(slug, () => history.diff(slug, { from, to }, onWork))
      return pageOf(difference, begin)
    },
    async since({ slug, revision, begin, sources }, onWork) {
      const key = begin.to === undefined ? '' : sinceKey(slug, revision, begin.to)
      const kept = since.known(key)
      if (kept !== undefined) return pageSince(await kept, begin)
      return pageSince(await blocksSince({ slug, revision, sources }, onWork), begin)
    },
    changedSince: (ask) => blocksSince(ask),
  }
}
