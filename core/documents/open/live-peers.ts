/**
 * Who is to be told: the live sessions and followers of one open document. Told only of what is
 * durable; provenance (interface §6.2) at most every 200 ms, more rarely while it is large.
 */
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { AuthorRun, Change, Follower, LivePeer } from '../contract.ts'

/** Above this many runs (about 64 KB as JSON) provenance is sent ten times more rarely. */
const manyRuns = 1_000

export class LivePeers {
  readonly #runtime: Runtime
  readonly #authorship: () => readonly AuthorRun[]
  readonly #peers = new Set<LivePeer>()
  readonly #followers = new Set<Follower>()
  readonly #unfinished = new Set<Promise<void>>()
  #provenance: Timer | undefined
  #lastRuns = 0

  constructor(runtime: Runtime, authorship: () => readonly AuthorRun[]) {
    this.#runtime = runtime
    this.#authorship = authorship
  }

  get count(): number {
    return this.#peers.size + this.#followers.size + this.#unfinished.size
  }

  /** What a peer sent is still being applied, whether or not the peer stays. */
  finishing(work: Promise<void>): void {
    this.#unfinished.add(work)
    void work.then(() => this.#unfinished.delete(work))
  }

  async finished(): Promise<void> {
    await Promise.all(this.#unfinished)
  }

  /** Whether this credential has a live session. */
  has(holder: string): boolean {
    for (const peer of this.#peers) if (peer.access().holder === holder) return true
    return false
  }

  add(peer: LivePeer): () => void {
    this.#peers.add(peer)
    return () => this.#peers.delete(peer)
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  update(frame: Uint8Array): void {
    for (const peer of this.#peers) peer.onUpdate(frame)
  }

  changed(change: Change): void {
    for (const follower of this.#followers) follower.onChange(change)
    let wanted = false
    for (const peer of this.#peers) {
      if (peer.events) wanted = true
      peer.onChange(change)
    }
    if (wanted && this.#provenance === undefined) this.#scheduleProvenance()
  }

  closeAll(code: number, reason: string): void {
    this.#provenance?.cancel()
    for (const peer of [...this.#peers, ...this.#followers]) peer.onClose(code, reason)
    this.#peers.clear()
    this.#followers.clear()
  }

  #scheduleProvenance(): void {
    const wait = limits.provenanceEveryMs * (this.#lastRuns > manyRuns ? 10 : 1)
    this.#provenance = this.#runtime.after(wait, () => {
      this.#provenance = undefined
      const ranges = this.#authorship()
      this.#lastRuns = ranges.length
      for (const peer of this.#peers) if (peer.events) peer.onProvenance(ranges)
    })
  }
}
