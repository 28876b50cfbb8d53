/** A document host as the front reaches it, wherever it runs. */

import type { Slug } from '../../../schema/ids.ts'
import type {
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  Sources,
} from '../live/live-peer.ts'
import type { Answer, Ask, HostCall } from './protocol.ts'

export interface HostPort {
  /**
   * Rejects with what the call refuses, and with `StalePermission` where its permission has to be
   * looked up again. `onWork` is told of the time that the call takes.
   */
  call<K extends HostCall>(
    call: K,
    ask: Ask<K>,
    onWork?: ((ms: number) => void) | undefined,
  ): Promise<Answer<K>>
  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession>
  follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following>
  /** Documents in memory. */
  readonly openCount: number
  /** What open documents, and those under construction, cost in memory. */
  readonly memoryBytes: number
  /** Flushes and closes every open document. */
  close(): Promise<void>
}
