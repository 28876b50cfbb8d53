/**
 * Documents in several hosts: each in one at a time, by its name within a class of size, so that a
 * large document never delays a small one. A document may go to another host when nothing of it is
 * in memory. Where a host ends, its documents are opened again on demand, and whoever is in them
 * stays; one that was worked on at two such ends is refused for a while.
 */

import { createHash } from 'node:crypto'
import { docHead } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { undamaged } from '../../commit/damage.ts'
import { decodeHead } from '../../commit/head.ts'
import type { HostUsage } from '../contract.ts'
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
import { FollowHandle } from './follow-handle.ts'
import { HostSlot, type StartHost } from './host-slot.ts'
import type { DocumentsTrouble, Hosts } from './hosts.ts'
import { LiveHandle } from './live-handle.ts'

/** Two ends further apart than this are not counted as two in a row. */
const hostEndRememberedMs = 600_000

/** How long a document is refused that was worked on when its host ended, twice. */
const hostEndRefusedMs = 60_000

export type SizeClass = 'small' | 'large'

export interface PlacedHostsParts {
  readonly store: Store
  readonly runtime: Runtime
  /** How many hosts there are of each class, at least one. */
  readonly counts: Readonly<Record<SizeClass, number>>
  start(
    of: {
      readonly name: string
      readonly size: SizeClass
      readonly onGone: (slug: Slug) => void
      readonly onGrown: (slug: Slug) => void
    },
    onEnded: Parameters<StartHost>[0],
  ): ReturnType<StartHost>
  /** The document that a host worked on when it ended; undefined: none, or nobody knows. */
  workedOn(name: string): Slug | undefined
  /** A host has ended, or a session could not begin again (for the log). */
  readonly onTrouble: DocumentsTrouble
}

/** Who is in a document, and has to begin again where its host ends. */
interface Movable {
  moved(): void
}

/** Where a document is open, or may be. */
interface DocumentPlacement {
  readonly slug: Slug
  readonly slot: HostSlot
  /** Who works with it now, or is in it. */
  users: number
  readonly inside: Set<Movable>
  /** The host may have let it go unnoticed: it is asked once nobody uses the document. */
  mayBeGone: boolean
  /** Told once nobody uses it here any more: it moves. */
  onUnused: (() => void) | undefined
}

interface Suspect {
  readonly ends: number
  /** Of the last of them. */
  readonly endedAt: number
  readonly refusedUntil: number
}

/** So many documents that were worked on when a host ended are remembered. */
const suspectsMax = 1_000

export class PlacedHosts implements Hosts {
  readonly #parts: PlacedHostsParts
  readonly #slots: Readonly<Record<SizeClass, readonly HostSlot[]>>
  readonly #placed = new Map<Slug, DocumentPlacement>()
  readonly #suspects = new Map<Slug, Suspect>()
  /** Documents that leave a host, or whose host ended, until their last commits have settled. */
  readonly #settling = new Map<Slug, Promise<void>>()
  /** Of slots whose host has ended, when the last commits of the last one that did have settled. */
  readonly #ended = new WeakMap<HostSlot, Promise<void>>()
  #isClosed = false

  constructor(parts: PlacedHostsParts) {
    this.#parts = parts
    const slots = (size: SizeClass) =>
      Array.from({ length: parts.counts[size] }, (_, index) => {
        const name = `${size}-${index}`
        const onGone = (slug: Slug) => this.#gone(slug, slot)
        const onGrown = (slug: Slug) => this.#grown(slug, slot)
        const slot: HostSlot = new HostSlot({
          name,
          runtime: parts.runtime,
          start: (onEnded) => parts.start({ name, size, onGone, onGrown }, onEnded),
          onLost: (_, why, settled) => this.#lost(slot, why, settled),
        })
        return slot
      })
    this.#slots = { small: slots('small'), large: slots('large') }
  }

  get usage(): readonly HostUsage[] {
    return this.#clients.map(({ name, openCount, memoryBytes }) => {
      return { host: name, openCount, memoryBytes }
    })
  }

  async use<T>(slug: Slug, work: (host: HostPort) => Promise<T>, chars = 0): Promise<T> {
    const placed = await this.#place(slug, chars)
    try {
      return await work(await placed.slot.client())
    } catch (error) {
      placed.mayBeGone = true
      throw error
    } finally {
      this.#leave(placed)
    }
  }

  async useFor<T>(slug: Slug, chars: number, work: (host: HostPort) => Promise<T>): Promise<T> {
    this.#assertNotRefused(slug)
    return work(await this.#slotFor(slug, chars).client())
  }

  async isAway(slug: Slug): Promise<boolean> {
    await this.#settling.get(slug)
    return !this.#placed.has(slug)
  }

  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession> {
    const seat = this.#seat(slug)
    const handle = new LiveHandle({
      slug,
      request,
      peer,
      reach: async () => (await seat.take(handle)).slot.client(),
      onEnd: () => seat.leave(),
      onTrouble: (error) => this.#parts.onTrouble({ slug, error }),
      onUpdate: (bytes) => {
        if (bytes > limits.largeHostFromChars) this.#moveFromSmall(slug)
      },
    })
    return handle.begin()
  }

  follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following> {
    const seat = this.#seat(slug)
    const handle = new FollowHandle({
      follower,
      async follow(to) {
        const host = await (await seat.take(handle)).slot.client()
        return host.follow(slug, to, sources)
      },
      onEnd: () => seat.leave(),
      onTrouble: (error) => this.#parts.onTrouble({ slug, error }),
    })
    return handle.begin()
  }

  async release(slug: Slug): Promise<void> {
    await this.#settling.get(slug)
    const placed = this.#placed.get(slug)
    if (placed === undefined) return
    this.#placed.delete(slug)
    await this.#settled(slug, this.#release(placed))
  }

  async discard(slug: Slug, because: DiscardReason): Promise<void> {
    await this.#settling.get(slug)
    const placed = this.#placed.get(slug)
    if (placed === undefined) return
    placed.users++
    try {
      await (await placed.slot.client()).call('discard', { slug, because })
    } finally {
      this.#leave(placed)
      this.#gone(slug, placed.slot)
    }
  }

  /** Within `limits.hostClosesWithinMs`, also where a host hangs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#all.map((slot) => slot.close()))
  }

  get #all(): readonly HostSlot[] {
    return [...this.#slots.small, ...this.#slots.large]
  }

  get #clients() {
    return this.#all.flatMap(({ current }) => (current === undefined ? [] : [current]))
  }

  #seat(slug: Slug): Seat {
    return new Seat(
      () => this.#place(slug),
      (placed) => this.#leave(placed),
    )
  }

  /**
   * The place of a document, which has one user more; `chars`: of text that comes in. Refuses
   * UNAVAILABLE where it is refused.
   */
  async #place(slug: Slug, chars = 0): Promise<DocumentPlacement> {
    for (;;) {
      // What the host that it leaves has sent of it is part of what the next one loads.
      await this.#settling.get(slug)
      this.#assertNotRefused(slug)
      const stored = this.#placed.has(slug) ? 0 : await this.#charsOf(slug)
      if (this.#settling.has(slug)) continue
      const placed = this.#placed.get(slug) ?? this.#putIn(slug, Math.max(stored, chars))
      if (chars > limits.largeHostFromChars && this.#moveFromSmall(slug)) continue
      placed.users++
      return placed
    }
  }

  #putIn(slug: Slug, chars: number): DocumentPlacement {
    const slot = this.#slotFor(slug, chars)
    const inside = new Set<Movable>()
    const placed: DocumentPlacement = {
      slug,
      slot,
      users: 0,
      inside,
      mayBeGone: false,
      onUnused: undefined,
    }
    this.#placed.set(slug, placed)
    return placed
  }

  /** What is not there is small. */
  async #charsOf(slug: Slug): Promise<number> {
    const stored = await undamaged(slug, () => this.#parts.store.get(docHead(slug)))
    if (stored === undefined) return 0
    const { chars, weight = 0 } = decodeHead(slug, stored.value)
    return chars ?? weight / weightOfChar
  }

  #slotFor(slug: Slug, chars: number): HostSlot {
    const slots = this.#slots[chars > limits.largeHostFromChars ? 'large' : 'small']
    const number = createHash('sha256').update(slug).digest().readUInt32BE()
    return slots[number % slots.length] as HostSlot
  }

  #leave(placed: DocumentPlacement): void {
    placed.users--
    if (placed.users === 0) placed.onUnused?.()
    if (placed.users > 0 || !placed.mayBeGone) return
    placed.mayBeGone = false
    if (this.#placed.get(placed.slug) !== placed) return
    if (placed.slot.current === undefined) this.#placed.delete(placed.slug)
    else placed.slot.current.look(placed.slug)
  }

  /** Nothing of it is in its host any more, unless somebody has asked for it meanwhile. */
  #gone(slug: Slug, slot: HostSlot): void {
    const placed = this.#placed.get(slug)
    if (placed?.slot !== slot) return
    if (placed.users > 0) placed.mayBeGone = true
    else this.#placed.delete(slug)
  }

  #grown(slug: Slug, slot: HostSlot): void {
    if (this.#placed.get(slug)?.slot === slot) this.#moveFromSmall(slug)
  }

  /** Moves it to a host for large ones, with whoever is in it; false: it is in one. */
  #moveFromSmall(slug: Slug): boolean {
    const placed = this.#placed.get(slug)
    if (placed === undefined || !this.#slots.small.includes(placed.slot)) return false
    const next = this.#putIn(slug, Number.POSITIVE_INFINITY)
    const settled = this.#settled(slug, this.#release(placed))
    const inside = [...placed.inside]
    for (const movable of inside) movable.moved()
    void settled.then(() => {
      // Nothing of it is there, and nobody is about to come.
      const isUnused = inside.length + next.users === 0
      if (isUnused && this.#placed.get(slug) === next) this.#placed.delete(slug)
    })
    return true
  }

  /** Whoever comes for the document meanwhile waits. */
  async #settled(slug: Slug, leaving: Promise<void>): Promise<void> {
    this.#settling.set(slug, leaving)
    await leaving
    if (this.#settling.get(slug) === leaving) this.#settling.delete(slug)
  }

  /** When nobody uses it there any more; resolves when nothing of it is in its host. */
  async #release(placed: DocumentPlacement): Promise<void> {
    const { slug, slot } = placed
    await new Promise<void>((resolve) => {
      placed.onUnused = resolve
      if (placed.users === 0) resolve()
    })
    try {
      await (await slot.client()).call('release', { slug })
    } catch {
      // The host has ended, and its commits are durable or have failed.
      await this.#ended.get(slot)
    }
  }

  #lost(slot: HostSlot, why: Error, settled: Promise<void>): void {
    const suspect = this.#parts.workedOn(slot.name)
    if (suspect !== undefined) this.#suspect(suspect)
    this.#parts.onTrouble({ ...(suspect && { slug: suspect }), host: slot.name, error: why })
    this.#ended.set(slot, settled)
    const lost = [...this.#placed.values()].filter((placed) => placed.slot === slot)
    for (const { slug } of lost) {
      // Those who work with it are refused, and leave a place that is no more.
      this.#placed.delete(slug)
      this.#settling.set(slug, settled)
    }
    for (const { inside } of lost) for (const movable of [...inside]) movable.moved()
    void settled.then(() => {
      for (const { slug } of lost) {
        if (this.#settling.get(slug) === settled) this.#settling.delete(slug)
      }
    })
  }

  /** Ends that lie far apart have nothing to do with each other. */
  #suspect(slug: Slug): void {
    const endedAt = this.#parts.runtime.elapsed()
    const before = this.#suspects.get(slug)
    const isInRow = before && endedAt - before.endedAt <= hostEndRememberedMs
    const ends = isInRow ? before.ends + 1 : 1
    const isRefused = ends >= 2
    const refusedUntil = isRefused ? endedAt + hostEndRefusedMs : 0
    this.#suspects.delete(slug)
    this.#suspects.set(slug, { ends: isRefused ? 0 : ends, endedAt, refusedUntil })
    const [oldest] = this.#suspects.keys()
    if (this.#suspects.size > suspectsMax && oldest !== undefined) this.#suspects.delete(oldest)
  }

  #assertNotRefused(slug: Slug): void {
    if (this.#isClosed) throw new Refusal('UNAVAILABLE')
    const left = (this.#suspects.get(slug)?.refusedUntil ?? 0) - this.#parts.runtime.elapsed()
    if (left > 0) throw new Refusal('UNAVAILABLE', { retry_after: Math.ceil(left / 1_000) })
  }
}

/** What an open document costs in memory for each character, about. */
const weightOfChar = 16

/** The place of somebody who is in a document, wherever that is. */
class Seat {
  readonly #place: () => Promise<DocumentPlacement>
  readonly #onLeft: (placed: DocumentPlacement) => void
  #leave = () => {}
  #isOver = false

  constructor(
    place: () => Promise<DocumentPlacement>,
    onLeft: (placed: DocumentPlacement) => void,
  ) {
    this.#place = place
    this.#onLeft = onLeft
  }

  async take(who: Movable): Promise<DocumentPlacement> {
    this.#leave()
    const placed = await this.#place()
    this.#leave = () => {
      this.#leave = () => {}
      placed.inside.delete(who)
      this.#onLeft(placed)
    }
    placed.inside.add(who)
    if (this.#isOver) this.#leave()
    return placed
  }

  leave(): void {
    this.#isOver = true
    this.#leave()
  }
}
