/**
 * Who is to be told: the live sessions and followers of one document. Told only of what is
 * durable; provenance (interface §6.2) at most every 200 ms, more rarely while it is large. After
 * an update to a crowd it rests as long as that took, so that what is typed meanwhile goes out as
 * one: a frame to 500 sockets takes 15 ms, whatever is in it.
 */
import * as Y from 'yjs'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { DocumentView } from '../views/document-view.ts'
import type {
  Change,
  ConnectRequest,
  Current,
  Follower,
  LivePeer,
  PeerAccess,
} from './live-peer.ts'

export const provenanceEveryMs = 200

/** Above this many runs (about 64 KB as JSON) provenance is sent ten times more rarely. */
const manyRuns = 1_000

/** A shorter broadcast earns no rest; a longer one not more than the most. */
const restFromMs = 2
const restMaxMs = 40

/** What is known of a live session. */
export interface SessionFacts extends ConnectRequest {
  /** The newest that was given. */
  access: PeerAccess
}

/** What they are told of. */
export interface Attended {
  readonly durableView: Pick<DocumentView, 'revision' | 'authorship'>
  readonly facts: Pick<DocumentFacts, 'readOnly' | 'commentsDisabled'>
  applyWhenFree(): void
}

/**
 * Why a document leaves memory though it has unstored writes: it is there no more, or what is in
 * memory may be older than the store, so that whoever is in it has to come back.
 */
export type DiscardReason = 'deleted' | 'outdated'

export class LivePeers {
  readonly #runtime: Runtime
  readonly #onLeft: () => void
  /** While it is open. */
  #document: Attended | undefined
  #current: Current = { revision: 0, readOnly: false, commentsDisabled: false }
  #usedAt: number
  readonly #peers = new Map<LivePeer, SessionFacts>()
  /** Those to whom nothing is shown for now. */
  readonly #unshown = new Set<LivePeer>()
  readonly #followers = new Set<Follower>()
  readonly #unfinished = new Set<Promise<void>>()
  #provenance: Timer | undefined
  #pause: Timer | undefined
  #lastRuns = 0
  #closings = 0

  constructor(runtime: Runtime, onLeft: () => void) {
    this.#runtime = runtime
    this.#onLeft = onLeft
    this.#usedAt = runtime.elapsed()
  }

  /** Since anybody used the document. */
  get idleMs(): number {
    return this.#runtime.elapsed() - this.#usedAt
  }

  used(): void {
    this.#usedAt = this.#runtime.elapsed()
  }

  /** The newest revision that everyone may see, and the flags; also of a dormant document. */
  get current(): Current {
    return this.#current
  }

  /** The next update had better wait; never while a session waits for it to be applied. */
  get isPausing(): boolean {
    return this.#pause !== undefined && this.#unfinished.size === 0
  }

  get count(): number {
    return this.#peers.size + this.#followers.size
  }

  /** Whether what one of them sent is still being applied. */
  get isBusy(): boolean {
    return this.#unfinished.size > 0
  }

  /** The document is open, again: from now on it tells. */
  attend(document: Attended): void {
    this.#document = document
    this.used()
    this.stored()
  }

  /** The document goes dormant. */
  dismiss(): void {
    this.#pause?.cancel()
    this.#pause = undefined
    this.#document = undefined
  }

  left(): void {
    this.#onLeft()
  }

  /** What a peer sent is still being applied, whether or not the peer stays. */
  finishing(work: Promise<void>): void {
    this.#unfinished.add(work)
    void work.then(() => this.#unfinished.delete(work))
  }

  async finished(): Promise<void> {
    // Whoever was waited for may wait again.
    while (this.isBusy) await Promise.all(this.#unfinished)
  }

  /** Whether this credential has a live session. */
  has(holder: string): boolean {
    for (const { access } of this.#peers.values()) if (access.holder === holder) return true
    return false
  }

  add(peer: LivePeer, facts: SessionFacts): () => void {
    this.#peers.set(peer, facts)
    return () => this.#peers.delete(peer)
  }

  /** Until the answer is called this peer is shown no update. */
  withhold(peer: LivePeer): () => void {
    this.#unshown.add(peer)
    return () => this.#unshown.delete(peer)
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** What is on disk may be another: comes before what else is told of it. */
  stored(): void {
    if (this.#document === undefined) return
    const { durableView, facts } = this.#document
    const { revision } = durableView
    const { readOnly, commentsDisabled } = facts
    if (isSame(this.#current, { revision, readOnly, commentsDisabled })) return
    this.#current = { revision, readOnly, commentsDisabled }
    for (const listener of this.#listeners) listener.onCurrent(this.#current)
  }

  /** All that was written, in one frame. */
  update(updates: readonly Uint8Array[]): void {
    const [only] = updates
    if (only === undefined || this.#peers.size === 0) return
    const started = this.#runtime.elapsed()
    const frame = updates.length === 1 ? only : Y.mergeUpdates([...updates])
    for (const peer of this.#peers.keys()) if (!this.#unshown.has(peer)) peer.onUpdate(frame)
    const took = this.#runtime.elapsed() - started
    if (took >= restFromMs) this.#restFor(Math.min(took, restMaxMs))
  }

  changed(change: Change): void {
    for (const listener of this.#listeners) listener.onChange(change)
    const isWanted = [...this.#peers.values()].some(({ events }) => events)
    if (isWanted && this.#provenance === undefined) this.#scheduleProvenance()
  }

  /** How often everybody was sent away. */
  get closings(): number {
    return this.#closings
  }

  /** The document goes at once. */
  sendAway(because: DiscardReason): void {
    if (because === 'deleted') this.closeAll(4404, 'DOC_NOT_FOUND')
    else this.closeAll(1013, 'UNAVAILABLE')
  }

  closeAll(code: number, reason: string): void {
    this.#closings++
    this.#provenance?.cancel()
    this.#provenance = undefined
    this.#pause?.cancel()
    this.#pause = undefined
    for (const listener of this.#listeners) listener.onClose(code, reason)
    this.#peers.clear()
    this.#followers.clear()
  }

  get #listeners(): readonly (Follower | LivePeer)[] {
    return [...this.#followers, ...this.#peers.keys()]
  }

  #restFor(ms: number): void {
    this.#pause?.cancel()
    this.#pause = this.#runtime.after(ms, () => {
      this.#pause = undefined
      this.#document?.applyWhenFree()
    })
  }

  #scheduleProvenance(): void {
    const wait = provenanceEveryMs * (this.#lastRuns > manyRuns ? 10 : 1)
    this.#provenance = this.#runtime.after(wait, () => {
      this.#provenance = undefined
      const ranges = this.#document?.durableView.authorship()
      if (ranges === undefined) return
      this.#lastRuns = ranges.length
      for (const [peer, { events }] of this.#peers) if (events) peer.onProvenance(ranges)
    })
  }
}

const isSame = (a: Current, b: Current): boolean =>
  a.revision === b.revision &&
  a.readOnly === b.readOnly &&
  a.commentsDisabled === b.commentsDisabled
