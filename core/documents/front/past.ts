/** What documents offer of their past (interface §4.11, extensions §12). */
import { docHead } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { undamaged } from '../../commit/damage.ts'
import { decodeHead, type Head } from '../../commit/head.ts'
import type { HostPort } from '../host/host-port.ts'
import type { Sources } from '../live/live-peer.ts'
import type { Past } from '../past.ts'
import type { Hosts } from './hosts.ts'
import { permitted } from './permitted.ts'

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
    if (await hosts.isAway(slug)) {
      const { view, revision } = await headOf(slug)
      // A view is stored with the last commit of a stay in memory.
      if (view !== undefined) return revision
    }
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
