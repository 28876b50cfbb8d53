/**
 * Which documents are open. A document is loaded once however many ask at the same time, is never
 * served before it has loaded, and is loaded anew after its object died. It leaves when nobody used
 * it for a while; where memory is short the least recently used leave first (live editors stay, and
 * it comes back for them). Invariants: it is loaded only in memory that was reserved; it never
 * leaves while somebody works with it, nor with anything that is not stored.
 */

import type { Source } from '../../../schema/fair-line.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { FairWork } from '../live/fair-work.ts'
import type { DiscardReason } from '../live/live-peers.ts'
import { Memory, type Share } from './memory.ts'
import type { Dormant, OpenDocument, OpenDocumentParts, Remembered } from './open-document.ts'

const rememberedDocumentsMax = 10_000

interface RegisteredDocument {
  readonly opened: Promise<OpenDocument>
  /** Once it is open. */
  document: OpenDocument | undefined
  share: Share | undefined
  /** Who works with it at the moment. */
  users: number
  idle: Timer | undefined
  /** It was asked to leave for others, and its turn to do so has not come. */
  isAsked: boolean
  isLarge: boolean
}

export type RegistryHooks = Pick<
  OpenDocumentParts,
  'onDead' | 'onWithdrawn' | 'onLeft' | 'onStored'
>

export interface RegistryHost {
  readonly runtime: Runtime
  /** In whose turns documents leave: many are due in the same moment. */
  readonly fair: FairWork
  readonly limits: Limits
  readonly memoryMaxBytes: number
  readonly memoryAimBytes?: number | undefined
  /** What it will cost to have this document open. */
  weigh(slug: Slug): Promise<number>
  load(slug: Slug, hooks: RegistryHooks, last: Partial<Dormant>): Promise<OpenDocument>
  onDead(slug: Slug, error: unknown): void
  /** Nothing of it is in memory any more, and nobody is in it. */
  onGone(slug: Slug): void
  /** An open document has become a large one (`limits.largeHostFromChars`). */
  onGrown(slug: Slug): void
}

export class Registry {
  readonly memory: Memory
  readonly #host: RegistryHost
  readonly #entries = new Map<Slug, RegisteredDocument>()
  /** Documents on their way out, so that a new load waits for the last commit of the old one. */
  readonly #leaving = new Map<Slug, Promise<void>>()
  /** Those of them that still finish what is under way. */
  readonly #parting = new Map<Slug, OpenDocument>()
  /** Of all that will leave soon. */
  #leavingBytes = 0
  /** Documents that left, but not the live editors that are in them. */
  readonly #dormant = new Map<Slug, Dormant>()
  /** Of documents that left with nobody in them, oldest first. */
  readonly #remembered = new Map<Slug, Remembered>()

  constructor(host: RegistryHost) {
    this.#host = host
    this.memory = new Memory({
      runtime: host.runtime,
      maxBytes: host.memoryMaxBytes,
      aimBytes: host.memoryAimBytes,
      makeRoom: (bytes) => this.#makeRoom(bytes),
    })
  }

  get count(): number {
    return this.#entries.size
  }

  /** Tells the host again where nothing of the document is in memory, and nobody is in it. */
  look(slug: Slug): void {
    this.#tellGone(slug)
  }

  /** The document if it is in memory, and no promise that it stays; for one look or write. */
  opened(slug: Slug): OpenDocument | undefined {
    const document = this.#entries.get(slug)?.document ?? this.#parting.get(slug)
    return document?.isOpen === true ? document : undefined
  }

  /** Resolves once it is all in the store and not in memory; false: it is in memory. */
  async isAway(slug: Slug): Promise<boolean> {
    if (!this.#entries.has(slug)) await this.#leaving.get(slug)
    return !this.#entries.has(slug)
  }

  /**
   * Works with the open document, which stays until that is done; loads it when needed. Rejects
   * with what loading refuses, and UNAVAILABLE when there is no memory for it.
   */
  async use<T>(
    slug: Slug,
    source: Source,
    work: (document: OpenDocument) => T | Promise<T>,
  ): Promise<T> {
    const entry =
      this.#entries.get(slug) ?? this.#begin(slug, (keep) => this.#load(slug, source, keep))
    return this.#working(slug, entry, work)
  }

  /** It leaves, when all that is under way for it is done and stored. */
  async release(slug: Slug): Promise<void> {
    await this.#unload(slug)
    await this.#leaving.get(slug)
  }

  /** What is in memory of the document, and who is in it, goes at once. */
  async discard(slug: Slug, because: DiscardReason): Promise<void> {
    const entry = this.#entries.get(slug)
    if (entry !== undefined) {
      entry.idle?.cancel()
      this.#entries.delete(slug)
      void this.#leave(slug, entry, discarded(entry, because))
    }
    await this.#leaving.get(slug)
    const peers = this.#dormant.get(slug)?.peers
    peers?.sendAway(because)
    this.#dormant.delete(slug)
    this.#remembered.delete(slug)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((slug) => this.#unload(slug)))
    await Promise.all(this.#leaving.values())
  }

  async #working<T>(
    slug: Slug,
    entry: RegisteredDocument,
    work: (document: OpenDocument) => T | Promise<T>,
  ): Promise<T> {
    entry.users++
    try {
      return await work(await entry.opened)
    } finally {
      entry.users--
      if (this.#entries.get(slug) === entry) this.#leaveLater(slug, entry)
    }
  }

  #begin(
    slug: Slug,
    open: (keep: (share: Share) => void) => Promise<OpenDocument>,
  ): RegisteredDocument {
    const keep = (share: Share) => {
      entry.share = share
    }
    // In a later tick, when the entry is there.
    const opened = Promise.resolve().then(() => open(keep))
    const entry: RegisteredDocument = {
      opened,
      document: undefined,
      share: undefined,
      users: 0,
      idle: undefined,
      isAsked: false,
      isLarge: false,
    }
    this.#entries.set(slug, entry)
    opened.then(
      (document) => {
        entry.document = document
        entry.share?.resize(document.bytes)
        if (this.#entries.get(slug) === entry) this.#leaveLater(slug, entry)
      },
      () => {
        entry.share?.release()
        if (this.#entries.get(slug) === entry) this.#entries.delete(slug)
        this.#tellGone(slug)
      },
    )
    return entry
  }

  async #load(slug: Slug, source: Source, keep: (share: Share) => void): Promise<OpenDocument> {
    await this.#leaving.get(slug)
    const bytes = await this.#host.weigh(slug)
    keep(await this.memory.reserve({ bytes, source, refusal: 'UNAVAILABLE' }))
    const last = this.#dormant.get(slug) ?? this.#remembered.get(slug) ?? {}
    const document = await this.#host.load(slug, this.#hooks(slug), last)
    this.#dormant.delete(slug)
    this.#remembered.delete(slug)
    return document
  }

  #hooks(slug: Slug): RegistryHooks {
    return {
      onDead: (error, quiet) => {
        const entry = this.#entries.get(slug)
        entry?.idle?.cancel()
        this.#entries.delete(slug)
        this.#host.onDead(slug, error)
        void this.#leave(slug, entry, quiet)
      },
      onWithdrawn: (dormant, quiet) => {
        const entry = this.#entries.get(slug)
        // What was never stored is no document.
        if (entry?.document === undefined) return
        entry.idle?.cancel()
        this.#entries.delete(slug)
        this.#dormant.set(slug, dormant)
        void this.#leave(slug, entry, quiet)
        const nobody = { address: '', link: '' }
        this.use(slug, nobody, () => undefined).catch(() => {
          this.#dormant.delete(slug)
          dormant.peers.closeAll(1013, 'UNAVAILABLE')
        })
      },
      onLeft: () => {
        const entry = this.#entries.get(slug)
        if (entry !== undefined) this.#leaveLater(slug, entry)
        else this.#lastLeft(slug)
      },
      onStored: () => {
        const entry = this.#entries.get(slug)
        if (entry?.document === undefined) return
        entry.share?.resize(entry.document.bytes)
        const isLarge = entry.document.state.text.length > this.#host.limits.largeHostFromChars
        if (isLarge && !entry.isLarge) this.#host.onGrown(slug)
        entry.isLarge = isLarge
      },
    }
  }

  /** Starts the time after which the document leaves unless somebody uses it. */
  #leaveLater(
    slug: Slug,
    entry: RegisteredDocument,
    ms = this.#host.limits.openDocumentIdleMs,
  ): void {
    entry.idle?.cancel()
    entry.idle = this.#host.runtime.after(ms, () => {
      this.#host.fair.add({ slug }, () => void this.#evict(slug))
    })
  }

  async #evict(slug: Slug): Promise<void> {
    const entry = this.#entries.get(slug)
    if (entry === undefined) return
    const document = await entry.opened
    if (this.#entries.get(slug) !== entry) return
    const left = this.#host.limits.openDocumentIdleMs - document.peers.idleMs
    if (isAtWork(entry)) this.#leaveLater(slug, entry)
    else if (document.peers.count > 0 && left > 0) this.#leaveLater(slug, entry, left)
    else await this.#unload(slug)
  }

  /** Documents that are not in use leave, the least recently used first; they come back on use. */
  #makeRoom(bytes: number): void {
    const candidates = [...this.#entries].flatMap(([slug, entry]) => {
      const { document } = entry
      if (document === undefined || entry.isAsked || this.#isInUse(entry)) return []
      return [{ slug, idleMs: document.peers.idleMs }]
    })
    for (const { slug } of candidates.sort((a, b) => b.idleMs - a.idleMs)) {
      if (this.#leavingBytes >= bytes) break
      this.#ask(slug)
    }
  }

  /** A document that somebody is in is in use for a while after each use. */
  #isInUse(entry: RegisteredDocument): boolean {
    const { document } = entry
    if (document === undefined || document.isDead || isAtWork(entry)) return true
    return document.peers.count > 0 && document.peers.idleMs < this.#host.limits.inUseMs
  }

  /** It leaves when its turn has come, unless somebody works with it then. */
  #ask(slug: Slug): void {
    const entry = this.#entries.get(slug)
    if (entry === undefined) return
    const bytes = entry.share?.bytes ?? 0
    this.#leavingBytes += bytes
    entry.isAsked = true
    this.#host.fair.add({ slug }, () => {
      this.#leavingBytes -= bytes
      entry.isAsked = false
      if (this.#entries.get(slug) === entry && !this.#isInUse(entry)) void this.#unload(slug)
    })
  }

  /** Nobody is in a dormant document any more. */
  #lastLeft(slug: Slug): void {
    const dormant = this.#dormant.get(slug)
    if (dormant?.peers.count !== 0) return
    this.#dormant.delete(slug)
    this.#remember(slug, dormant)
    this.#tellGone(slug)
  }

  /** Whose clientIDs are whose, until those who lost their line had time to come back. */
  #remember(slug: Slug, { memory }: Pick<Dormant, 'memory'>): void {
    if (memory.reservations.size === 0) return
    const { runtime, limits } = this.#host
    const now = runtime.elapsed()
    this.#remembered.delete(slug)
    this.#remembered.set(slug, { memory, until: now + limits.reservationKeptMs })
    for (const [oldest, { until }] of this.#remembered) {
      if (until > now && this.#remembered.size <= rememberedDocumentsMax) break
      this.#remembered.delete(oldest)
    }
  }

  /** It leaves; what is under way for it is done before. */
  async #unload(slug: Slug): Promise<void> {
    const entry = this.#entries.get(slug)
    if (entry === undefined) return
    entry.idle?.cancel()
    this.#entries.delete(slug)
    const { document } = entry
    if (document !== undefined) this.#parting.set(slug, document)
    await this.#leave(slug, entry, this.#part(slug, entry))
  }

  async #part(slug: Slug, entry: RegisteredDocument): Promise<void> {
    const document = await entry.opened.catch(() => undefined)
    if (document === undefined) return
    try {
      await document.unload()
      const dormant = document.dormant()
      if (document.peers.count > 0) this.#dormant.set(slug, dormant)
      else this.#remember(slug, dormant)
    } catch (error) {
      document.peers.closeAll(1013, 'UNAVAILABLE')
      this.#host.onDead(slug, error)
    } finally {
      if (this.#parting.get(slug) === document) this.#parting.delete(slug)
    }
  }

  /** A load that begins meanwhile waits, so that it finds all or nothing of the last commit. */
  async #leave(
    slug: Slug,
    entry: RegisteredDocument | undefined,
    gone: Promise<void>,
  ): Promise<void> {
    const bytes = entry?.share?.bytes ?? 0
    this.#leavingBytes += bytes
    this.#leaving.set(slug, gone)
    await gone
    if (this.#leaving.get(slug) === gone) this.#leaving.delete(slug)
    this.#leavingBytes -= bytes
    entry?.share?.release()
    this.#tellGone(slug)
  }

  #tellGone(slug: Slug): void {
    const isHere = this.#entries.has(slug) || this.#leaving.has(slug) || this.#dormant.has(slug)
    if (!isHere) this.#host.onGone(slug)
  }
}

const isAtWork = ({ users, document }: RegisteredDocument): boolean =>
  users > 0 || document?.isWorking === true

async function discarded({ opened }: RegisteredDocument, because: DiscardReason): Promise<void> {
  const document = await opened.catch(() => undefined)
  await document?.discard(because)
}
