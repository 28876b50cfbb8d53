/** What documents offer of their past (interface §4.11, extensions §12). */
import { docHead } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { undamaged } from '../../commit/damage.ts'
import { decodeHead, type Head } from '../../commit/head.ts'
import type { Permission } from '../../commit/permission.ts'
import type { FormerRevision, HistoryPage } from '../history/history.ts'
import type { BlockPage, Place, SincePlace, TextPage } from '../history/past.ts'
import type { HostPort } from '../host/host-port.ts'
import type { Sources } from '../live/live-peer.ts'
import type { Hosts } from './hosts.ts'
import { permitted } from './permitted.ts'

export type { BlockPage, Place, TextChanged, TextPage } from '../history/comparisons.ts'
export type * from '../history/history.ts'
export type { BlockChanged } from '../history/since.ts'

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
    between: Compared & { readonly from: number; readonly to: number; readonly begin: Place },
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

/** What an open document costs for each byte of memory that its text is read in, at least. */
const weightPerByte = 8

/** Rows, and what a small text takes. */
const costMin = 512 * 1024

export function pastOf(store: Store, hosts: Hosts): Past {
  const headOf = async (slug: Slug): Promise<Head> => {
    const head = await undamaged(slug, () => store.get(docHead(slug)))
    if (head === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    return decodeHead(slug, head.value)
  }
  const weight = async (slug: Slug): Promise<number> => (await headOf(slug)).weight ?? 0
  /** The newest revision, on disk and closed. */
  const settled = async (slug: Slug, sources: Sources): Promise<number> => {
    const { view, revision } = await headOf(slug)
    // A view is stored with the last commit of a stay in memory.
    if (view !== undefined) return revision
    return hosts.use(slug, (host) => host.call('settled', { slug, sources }))
  }
  /** What does not change any more is read in a host for long work. */
  const apart = <T>(slug: Slug, read: (host: HostPort) => Promise<T>): Promise<T> =>
    hosts.useFor(slug, Number.POSITIVE_INFINITY, read)
  return {
    async page(slug, { before, limit, hashes, sources }) {
      const newest = await settled(slug, sources)
      return apart(slug, (host) => host.call('page', { slug, newest, before, limit, hashes }))
    },
    async at(slug, revision, { authors, sources }) {
      const newest = await settled(slug, sources)
      return apart(slug, (host) => host.call('at', { slug, newest, revision, authors }))
    },
    async diff(slug, { from, to, begin, sources, onWork }) {
      const newest = await settled(slug, sources)
      return apart(slug, (host) => host.call('diff', { slug, newest, from, to, begin }, onWork))
    },
    since: (slug, revision, { begin, sources, onWork }) =>
      hosts.use(slug, (host) => host.call('since', { slug, revision, begin, sources }, onWork)),
    name: (slug, revision, { name, permission: asked }) =>
      permitted(asked, async (permission) => {
        await hosts.use(slug, (host) => host.call('name', { slug, revision, name, permission }))
      }),
    cost: async (slug) => costMin + (await weight(slug)) / weightPerByte,
    weight,
  }
}
