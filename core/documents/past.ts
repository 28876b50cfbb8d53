/** What documents offer of their past (interface §4.11, extensions §12): shapes, no behaviour. */
import type { Slug } from '../../schema/ids.ts'
import type { Permission } from '../commit/permission.ts'
import type { FormerRevision, HistoryPage } from './history/history.ts'
import type { BlockPage, PageStart, SincePlace, TextPage } from './history/past.ts'
import type { Sources } from './live/live-peer.ts'

export type {
  BlockChanged,
  BlockPage,
  PageStart,
  TextChanged,
  TextPage,
} from './history/comparisons.ts'
export type * from './history/history.ts'

export interface Past {
  /** The newest first; `before`: only older ones. With the hashes of texts where asked for. */
  page(
    slug: Slug,
    wish: {
      readonly before?: number | undefined
      readonly limit: number
      readonly hashes: boolean
      readonly sources: Sources
    },
  ): Promise<HistoryPage>
  /** A revision as it was. Refuses NOT_FOUND. */
  at(
    slug: Slug,
    revision: number,
    wish: { readonly authors: boolean; readonly sources: Sources },
  ): Promise<FormerRevision>
  /** By words, a page from `begin` on. Refuses NOT_FOUND. */
  diff(
    slug: Slug,
    between: Compared & { readonly from: number; readonly to: number; readonly begin: PageStart },
  ): Promise<TextPage>
  /**
   * Blocks that are not as they were, and the revision that they are of now: a page from `begin`
   * on, or from the first where the document is not known as it was then. Refuses NOT_FOUND.
   */
  since(
    slug: Slug,
    revision: number,
    wish: Compared & { readonly begin: SincePlace },
  ): Promise<BlockPage & { readonly to: number }>
  /** With null its name is taken away. Refuses NOT_FOUND, PAYLOAD_TOO_LARGE. */
  name(
    slug: Slug,
    revision: number,
    given: { readonly name: string | null; readonly permission: Permission | undefined },
  ): Promise<void>
  /** What reading a revision costs in memory, about. */
  cost(slug: Slug): Promise<number>
  /** What the document costs in memory while it is open, about. */
  weight(slug: Slug): Promise<number>
}

/** Of a comparison: `onWork` is told of the time that it took. */
export interface Compared {
  readonly sources: Sources
  readonly onWork?: ((ms: number) => void) | undefined
}
