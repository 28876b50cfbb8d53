/**
 * One open document: applies writes to its state, numbers them, shows them when they are stored.
 * Invariants: nothing unflushed is ever shown; one store commit is in flight; live updates that
 * arrive meanwhile are judged one by one and applied together; after a failed commit it is dead.
 */
import * as Y from 'yjs'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import { costOfParts } from '../../../schema/memory-cost.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { countStructs } from '../../../schema/yjs/structs.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { Flusher } from '../../commit/flusher.ts'
import { factsOf } from '../../commit/head.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import type { SavedCount } from '../../commit/live-update.ts'
import type { PendingCommit } from '../../commit/pending-commit.ts'
import { Withdrawn, whyRefused } from '../../commit/permission.ts'
import { Guard } from '../guard/guard.ts'
import type { LiveDocument } from '../live/live-document.ts'
import { LiveIntake } from '../live/live-intake.ts'
import { type DiscardReason, LivePeers } from '../live/live-peers.ts'
import { LiveWrites } from '../live/live-writes.ts'
import { PeerStates } from '../live/peer-states.ts'
import type { Rounds } from '../live/rounds.ts'
import type { QueuedUpdates } from '../live/update-queue.ts'
import type { DocumentState, StateMemory } from '../state/document-state.ts'
import { encodeView, viewFormat } from '../views/stored-view.ts'
import type { TextView } from '../views/text-view.ts'
import { Views } from '../views/views.ts'
import { keepAuthors, type SealedText } from './author-keeping.ts'
import { DocumentWrites } from './document-writes.ts'
import type { RecentChanges } from './recent-changes.ts'
import { Revisions } from './revisions.ts'

export interface OpenDocumentParts {
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly runtime: Runtime
  readonly markdownMaxBytes: number
  readonly limits: Limits
  /** One for all documents. */
  readonly rounds: Rounds
  /**
   * Called once when nothing that is only here can be relied on any more. The commit that was under
   * way by then has come to an end, well or not, when `quiet` resolves.
   */
  readonly onDead: (error: unknown, quiet: Promise<void>) => void
  /**
   * Called once when some of what is here may not be stored: the document is to be opened anew,
   * with what others wrote live. Those who are in it stay.
   */
  readonly onWithdrawn: (dormant: Dormant, quiet: Promise<void>) => void
  /** A live session or follower went. */
  readonly onLeft: () => void
  /** What it costs in memory may be another. */
  readonly onStored: () => void
  /** Those who waited for it while it was dormant. */
  readonly peers?: LivePeers | undefined
  /** What they wrote that is not stored. */
  readonly unstored?: QueuedUpdates | undefined
}

export class OpenDocument implements LiveDocument {
  readonly slug: Slug
  /** What is applied: in step with the text that `settle()` answers. */
  readonly state: DocumentState
  readonly guard: Guard
  readonly peers: LivePeers
  readonly intake: LiveIntake
  readonly writes: DocumentWrites
  readonly #parts: OpenDocumentParts
  readonly #revisions: Revisions
  readonly #flusher: Flusher
  readonly #views: Views
  readonly #states: PeerStates
  readonly #live: LiveWrites
  #end: { readonly error: unknown } | undefined
  #isLeaving = false
  /** What the commit under way leaves that does not change any more. */
  #written: SealedText | undefined

  constructor(parts: OpenDocumentParts) {
    const { state, journal, runtime, limits } = parts
    this.#parts = parts
    this.state = state
    this.slug = journal.slug
    const { revision: newest, changedAt } = journal.head
    const onSealed = (actors: readonly ActorId[]) => this.writes.announce(actors)
    this.#revisions = new Revisions({ runtime, limits, newest, changedAt, onSealed })
    this.#states = new PeerStates(state.ydoc, runtime)
    this.#flusher = new Flusher({
      write: (pending) => this.#write(pending),
      onDurable: (pending) => this.#onDurable(pending),
      onFailed: (error, unstored) => {
        if (error instanceof Withdrawn) this.#withdraw(error, unstored)
        else this.#die(error)
      },
    })
    const flusher = this.#flusher
    const onFailed = (error: unknown) => this.#die(error)
    this.writes = new DocumentWrites(
      {
        slug: this.slug,
        state,
        journal,
        flusher,
        revisions: this.#revisions,
        assertAlive: () => this.#assertAlive(),
        onFailed,
        onNews: () => this.#tell(),
      },
      this.facts,
    )
    this.#views = new Views(state, () => ({
      revision: this.#revisions.newest,
      facts: this.writes.facts,
      changedAt: this.#revisions.changedAt,
      writers: state.authorship.writers,
      threads: state.threads.now(),
    }))
    const ownerOf = (client: number) => state.authorship.ownerOf(client)
    this.guard = new Guard({ ydoc: state.ydoc, ownerOf })
    this.intake = new LiveIntake({
      state,
      flusher: this.#flusher,
      markdownMaxBytes: parts.markdownMaxBytes,
      limits,
      applySoon: () => this.#parts.rounds.join(this),
    })
    this.peers = parts.peers ?? new LivePeers(runtime, parts.onLeft)
    this.peers.attend(this)
    const { waiting } = this.intake
    this.#live = new LiveWrites({
      state,
      flusher,
      waiting,
      // What comes after the archiving waits for it to be stored, and goes with it.
      isClosed: () => this.isDead || this.newestFacts.life.state !== 'active',
      isPausing: () => this.peers.isPausing,
      beginning: (writers) => this.#revisions.sealFor(writers),
      applied: (applied, change) => {
        this.guard.settled()
        return this.writes.typed(applied, change)
      },
      onFailed,
    })
    if (parts.unstored !== undefined) {
      waiting.restore(parts.unstored)
      parts.rounds.join(this)
    }
  }

  /** The newest revision, open typing included. */
  get revision(): number {
    return this.#revisions.newest
  }

  /** What everyone may see. */
  get durableView(): TextView {
    return this.#views.durable
  }

  /** As they are stored. */
  get facts(): DocumentFacts {
    return factsOf(this.slug, this.#parts.journal.head)
  }

  /** With what is set and perhaps not stored yet: what decides on who may write from now on. */
  get newestFacts(): DocumentFacts {
    return this.writes.facts
  }

  /** What the newest revisions changed in the text that `settle()` answers. */
  get recentChanges(): RecentChanges {
    return this.#revisions.recent
  }

  get isDead(): boolean {
    return this.#end !== undefined
  }

  /** Whether it may be written to; of one that leaves, until its last snapshot is begun. */
  get isOpen(): boolean {
    return !this.isDead && !this.#isLeaving
  }

  /** Whether it cannot leave memory now. */
  get isWorking(): boolean {
    const { isFlushing } = this.#flusher
    return isFlushing || this.intake.waiting.length > 0 || this.peers.isBusy
  }

  /** What it costs to have it in memory, the stored snapshot beside it included. */
  get bytes(): number {
    return this.#weight + this.#parts.journal.storedBytes
  }

  get #weight(): number {
    const { ydoc, blockIds, text, threads } = this.state
    const [structs, blocks, chars] = [countStructs(ydoc), blockIds.count, text.length]
    return costOfParts({ structs, blocks, chars, saidBytes: threads.bytes })
  }

  /** To be called when it is unloaded: what stays for the peers that stay. */
  dormant(): Dormant {
    this.peers.dismiss()
    return { peers: this.peers, memory: this.state.memory }
  }

  /** The newest text, what is not stored yet included. */
  get view(): TextView {
    return this.#views.current()
  }

  /** Applies what is queued and seals open typing, for who reads or writes now. */
  settle(): TextView {
    this.peers.used()
    this.#live.applyAll()
    this.#assertAlive()
    this.#revisions.seal()
    return this.#views.current()
  }

  /**
   * Does this, and resolves when all that is applied by its end is on disk; waits for nothing that
   * others write later. Rejects as `durable` does.
   */
  async stored<T>(work: () => T): Promise<T> {
    const value = work()
    await this.durable(this.#flusher.ticket)
    return value
  }

  /**
   * Resolves when everything applied so far is on disk. When the store fails, its error goes to
   * `onDead`, and the callers are refused with UNAVAILABLE: they may come back. `Withdrawn` when
   * something of it may not be stored.
   */
  async durable(ticket?: number): Promise<void> {
    await this.#flusher.durable(ticket).catch((error: unknown) => {
      throw whyRefused(error)
    })
  }

  #assertAlive(): void {
    if (this.#end !== undefined) throw whyRefused(this.#end.error)
  }

  /** What a peer with these clocks lacks; resolves when all of it is on disk. */
  async stateFor(known: ReadonlyMap<number, number>): Promise<Uint8Array> {
    this.peers.used()
    this.applyWhenFree()
    const { ticket } = this.#flusher
    const update = this.#states.for(known, ticket)
    await this.durable(ticket)
    return update
  }

  /** A bug came to light in work for this document: what is in memory is given up. */
  fail(error: unknown): void {
    this.#die(error)
  }

  stateVector(): Uint8Array {
    return Y.encodeStateVector(this.state.ydoc)
  }

  /**
   * Stores everything, leaves a snapshot in place of the log and a view for plain reads, and lets
   * go of memory. Rejects with the store's error.
   */
  async unload(): Promise<void> {
    await this.peers.finished()
    this.#states.forget()
    if (!this.isDead) {
      this.settle()
      await this.#flusher.durable()
      this.#writeLast()
      await this.#flusher.durable()
    }
    this.intake.waiting.letGo()
    this.state.destroy()
  }

  /** What it leaves behind; nothing is applied after it. */
  #writeLast(): void {
    if (this.isDead) return
    this.settle()
    this.#isLeaving = true
    const { pending } = this.#flusher
    const { journal } = this.#parts
    const isNew = journal.hasLog || !pending.isEmpty
    if (isNew) pending.compact = true
    if (isNew || journal.head.view?.format !== viewFormat) {
      pending.view = encodeView(this.view.describe())
    }
    if (!pending.isEmpty) this.#flusher.changed()
    this.#end = { error: undefined }
  }

  /** What waits is applied now or soon; see `LiveWrites`. */
  applyWhenFree(): void {
    this.#live.applyWhenFree()
  }

  #tell(): void {
    for (const due of this.writes.news.due(this.#flusher.durableTicket)) this.peers.changed(due)
  }

  #write(pending: PendingCommit): Promise<void> {
    this.#views.beginCommit()
    if (pending.isEmpty) return Promise.resolve()
    const { text, snapshot } = this.state
    this.#written = this.#revisions.sealed(text)
    const moment = {
      weight: this.#weight,
      revision: this.#revisions.newest,
      sealed: this.#written,
      text,
      changedAt: this.#revisions.changedAt,
      snapshot,
    }
    return this.#parts.journal.commit(pending, moment, () => this.peers.update(pending.updates))
  }

  #onDurable(pending: PendingCommit): void {
    this.#views.stored()
    this.#keepAuthors()
    this.#parts.onStored()
    this.peers.stored()
    for (const [session, count] of pending.settled) session.saved(count)
    this.#tell()
    if (this.facts.life.state !== 'active') this.#dismiss()
    this.intake.waiting.letGo()
    if (this.intake.waiting.length > 0) this.#parts.rounds.join(this)
  }

  #keepAuthors(): void {
    if (this.#written === undefined || !this.isOpen) return
    const { mirror } = this.state
    keepAuthors(this.#written, {
      journal: this.#parts.journal,
      flusher: this.#flusher,
      leafAuthor: (leaf) => mirror.leafAuthor(leaf),
    })
  }

  /** It is archived: everybody is sent away, and what they wrote since then is not taken. */
  #dismiss(): void {
    this.intake.waiting.takeAll()
    this.intake.waiting.applied()
    this.peers.closeAll(4423, 'DOC_ARCHIVED')
  }

  /** Nothing of it is stored from now on. Resolves when nothing is. */
  async discard(because: DiscardReason): Promise<void> {
    const { slug } = this
    this.#stop(
      because === 'deleted'
        ? new Refusal('DOC_NOT_FOUND', { slug })
        : new Refusal('UNAVAILABLE', { retry_after: 1 }),
    )
    this.peers.sendAway(because)
    await this.#flusher.quiet()
  }

  #die(error: unknown): void {
    if (!this.#stop(error)) return
    this.peers.closeAll(1013, 'UNAVAILABLE')
    this.#parts.onDead(error, this.#flusher.quiet())
  }

  /** What live editors wrote is handed on as they sent it, since what it met here was never so. */
  #withdraw(error: Withdrawn, unstored: readonly PendingCommit[]): void {
    const queued = this.intake.waiting.takeAll()
    if (!this.#stop(error)) return
    const { peers } = this.dormant()
    const memory = { ...this.state.memory, clients: new Map() }
    const left = { peers, memory, unstored: unstoredWrites(unstored, queued) }
    this.#parts.onWithdrawn(left, this.#flusher.quiet())
  }

  /** False: it was stopped before. */
  #stop(error: unknown): boolean {
    if (this.isDead) return false
    this.#end = { error }
    this.#flusher.stop(error)
    this.intake.waiting.letGo()
    this.#revisions.seal()
    return true
  }
}

/**
 * What live editors wrote and no commit has stored, put together for the document that is opened
 * anew: as they sent it, in the order it came, since what it met here was never so.
 */
function unstoredWrites(commits: readonly PendingCommit[], queued: QueuedUpdates): QueuedUpdates {
  const left = [...commits.map(liveWritesOf), queued]
  const entries = left.flatMap((waiting) => waiting.entries)
  return {
    entries: entries.map((entry) => ({ ...entry, update: entry.asSent })),
    settles: left.flatMap((waiting) => waiting.settles),
  }
}

/** The live updates of a commit, and whose messages are settled with it. */
function liveWritesOf({ entries, settled }: PendingCommit): QueuedUpdates {
  const settles = [...settled].flatMap(([session, count]) => Array<SavedCount>(count).fill(session))
  return { entries, settles }
}

/**
 * What stays in memory of a document that only idle live editors hold: who they are, and what no
 * record in the store tells. The document itself is loaded again when one of them sends something,
 * or anybody reads or writes it.
 */
export interface Dormant {
  readonly peers: LivePeers
  readonly memory: StateMemory
  /** What they wrote that is not stored; the document is opened with it. */
  readonly unstored?: QueuedUpdates
}

/** The same of a document that nobody is in: what editors that lost their line come back to. */
export interface Remembered {
  readonly memory: StateMemory
  /** In ms of the clock that only goes forward. */
  readonly until: number
}
