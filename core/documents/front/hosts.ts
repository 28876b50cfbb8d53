/** Where documents are open: in one host, or in several behind messages. */

import type { Slug } from '../../../schema/ids.ts'
import type { HostUsage } from '../contract.ts'
import type { DocumentHost } from '../host/document-host.ts'
import type { HostPort } from '../host/host-port.ts'
import type {
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  Sources,
} from '../live/live-peer.ts'
import type { DiscardReason } from '../live/live-peers.ts'

/**
 * Told of a document that had to be dropped, of a host that has ended (which worked on the
 * document, where that is known), or of a sweep that failed. For the log.
 */
export type DocumentsTrouble = (trouble: {
  readonly slug?: Slug
  readonly host?: string
  readonly error: unknown
}) => void

/** What is asked of the host of a document, wherever that is. */
export type CallPort = Pick<HostPort, 'call'>

export interface Hosts {
  /** Works with the host of a document, which opens it there; `chars`: of text that comes in. */
  use<T>(slug: Slug, work: (host: CallPort) => Promise<T>, chars?: number): Promise<T>
  /** Works in a host for what takes long and opens no document; `chars`: of markdown. */
  useFor<T>(slug: Slug, chars: number, work: (host: HostPort) => Promise<T>): Promise<T>
  /** Resolves once all of the document is in the store and nowhere open; false: it is open. */
  isAway(slug: Slug): Promise<boolean>
  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession>
  follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following>
  /** All that is under way for it is done and stored; then nothing of it is in memory. */
  release(slug: Slug): Promise<void>
  /** Whatever is in memory of the document goes, and whoever is in it is sent away with 4404. */
  discard(slug: Slug, because: DiscardReason): Promise<void>
  /** Of the hosts that run. */
  readonly usage: readonly HostUsage[]
  /** Flushes and closes every open document. */
  close(): Promise<void>
}

/** All documents in one host. */
export const oneHost = (host: DocumentHost): Hosts => ({
  use: (_slug, work) => work(host),
  useFor: (_slug, _chars, work) => work(host),
  isAway: (slug) => host.isAway(slug),
  connect: (slug, request, peer) => host.connect(slug, request, peer),
  follow: (slug, follower, sources) => host.follow(slug, follower, sources),
  release: async (slug) => void (await host.call('release', { slug })),
  discard: async (slug, because) => void (await host.call('discard', { slug, because })),
  get usage() {
    const { openCount, memoryBytes } = host
    return [{ host: 'main', openCount, memoryBytes }]
  },
  close: () => host.close(),
})
