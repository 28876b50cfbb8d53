/**
 * One open document: applies writes to its state, numbers them, shows them when they are stored.
 * Invariants: nothing unflushed is ever shown; one store commit is in flight; live updates that
 * arrive meanwhile are judged one by one and applied together; after a failed commit it is dead.
 */
import * as Y from 'yjs'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { Steps } from '../../../schema/steps.ts'
import type { Authorship } from '../authorship/authorship.ts'
import type { DocumentFacts, FlagChanges, Writer } from '../contract.ts'
import type { Plan } from '../edits/plan.ts'
import { Guard } from '../guard/guard.ts'
import { factsOf } from '../records/head.ts'
import type { HistoryRow } from '../records/history-row.ts'
import { composing } from '../records/text-change.ts'
import type { DocumentState, StateChange } from '../state.ts'
import type { Tombstones } from '../tombstones.ts'
import { Announcements } from './announcements.ts'
import { applyPlan } from './apply-plan.ts'
import type { NewDocument } from './create.ts'
import type { Dormant } from './dormant.ts'
import { Exclusive } from './exclusive.ts'
import { changedFlags } from './flag-changes.ts'
import { Flusher } from './flusher.ts'
import { addStateRecords, type DocumentJournal } from './journal.ts'
import { LiveIntake } from './live-intake.ts'
import { LivePeers } from './live-peers.ts'
import { PeerStates } from './peer-states.ts'
import type { Extras, PendingCommit } from './pending-commit.ts'
import type { RecentChanges } from './recent-changes.ts'
import { Residence } from './residence.ts'
import { Revisions } from './revisions.ts'
import type { Rounds } from './rounds.ts'
import type { Waiting } from './update-queue.ts'
import type { TextView } from './view.ts'
import { Views } from './views.ts'

export interface OpenDocumentParts {
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly runtime: Runtime
  readonly markdownMaxBytes: number
  /** One for all documents. */
  readonly rounds: Rounds
  /**
   * Called once when nothing that is only here can be relied on any more. The commit that was under
   * way by then has come to an end, well or not, when `quiet` resolves.
   */
  readonly onDead: (error: unknown, quiet: Promise<void>) => void
  /** A live session or follower went. */
  readonly onLeft: () => void
  /** What it costs in memory may be another. */
  readonly onStored: () => void
  /** Those who waited for it while it was dormant. */
  readonly peers?: LivePeers | undefined
}

export class OpenDocument {
  readonly slug: Slug
  readonly guard: Guard
  readonly peers: LivePeers
  /** Through which everybody reads and writes who does not come by a live socket. */
  readonly exclusive: Exclusive
  readonly intake: LiveIntake
  readonly residence: Residence
  readonly #parts: OpenDocumentParts
  readonly #state: DocumentState
  readonly #revisions: Revisions
  readonly #flusher: Flusher
  readonly #views: Views
  readonly #states: PeerStates
  /** With flags that are set and perhaps not stored yet. */
  #facts: DocumentFacts
  readonly #news = new Announcements()
  #dead = false

  constructor(parts: OpenDocumentParts) {
    const { state, journal, runtime } = parts
    this.#parts = parts
    this.#state = state
    this.slug = journal.slug
    const { revision: newest, changedAt } = journal.head
    const onSealed = (actors: readonly ActorId[]) => this.#announce(actors)
    this.#revisions = new Revisions({ runtime, newest, changedAt, onSealed })
    this.#states = new PeerStates(state.ydoc, runtime)
    this.#facts = this.facts
    this.#views = new Views(state, () => ({
      revision: this.#revisions.newest,
      facts: this.#facts,
      changedAt: this.#revisions.changedAt,
    }))
    this.#flusher = new Flusher({
      write: (pending) => this.#write(pending),
      onDurable: (pending) => this.#onDurable(pending),
      onFailed: (error) => this.#die(error),
    })
    this.exclusive = new Exclusive({
      runtime,
      onHeld: () => this.#flusher.pause(),
      onFree: () => {
        this.#flusher.resume()
        this.applyWhenFree()
      },
      onAsked: () => this.#beginLong(),
    })
    const ownerOf = (client: number) => state.authorship.ownerOf(client)
    this.guard = new Guard({ ydoc: state.ydoc, ownerOf })
    this.intake = new LiveIntake({
      state,
      guard: this.guard,
      flusher: this.#flusher,
      markdownMaxBytes: parts.markdownMaxBytes,
      applySoon: () => this.#parts.rounds.join(this),
    })
    this.peers = parts.peers ?? new LivePeers(runtime, parts.onLeft)
    this.peers.attend(this)
    const { exclusive, peers } = this
    const [flusher, queue] = [this.#flusher, this.intake.waiting]
    this.residence = new Residence({ state, journal, flusher, queue, exclusive, peers })
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

  get authorship(): Authorship {
    return this.#state.authorship
  }

  /** Of what is applied: in step with the text that `settle()` answers. */
  get tombstones(): Tombstones {
    return this.#state.tombstones
  }

  /** What the newest revisions changed in the text that `settle()` answers. */
  get recentChanges(): RecentChanges {
    return this.#revisions.recent
  }

  get isDead(): boolean {
    return this.#dead
  }

  /** To be called right before `unload`: what stays for the peers that stay. */
  dormant(): Dormant {
    this.peers.dismiss()
    return { peers: this.peers, memory: this.#state.memory }
  }

  /** Applies what is queued and seals open typing; for who reads, or writes, now or in one work. */
  settle(): TextView {
    if (this.exclusive.isHeld) throw new TypeError('the document is held')
    this.peers.used()
    this.#applyQueue()
    if (this.#dead) throw new Refusal('UNAVAILABLE')
    this.#revisions.seal()
    return this.#views.current()
  }

  /**
   * Resolves when everything applied so far is on disk. When the store fails, its error goes to
   * `onDead`, and the callers are refused with UNAVAILABLE: they may come back.
   */
  async durable(ticket?: number): Promise<void> {
    try {
      await this.#flusher.durable(ticket)
    } catch {
      throw new Refusal('UNAVAILABLE')
    }
  }

  /** Applies a plan made on `settle()` in the same work, as one revision; stores `extras` too. */
  *edit(plan: Plan, writer: Writer, extras: (revision: number) => Extras): Steps<TextView> {
    const onFailed = (error: unknown) => this.#die(error)
    const changes = yield* applyPlan(this.#state, plan, { actor: writer.actor, onFailed })
    if (this.#dead) throw new Refusal('UNAVAILABLE')
    const { pending } = this.#flusher
    if (changes.length > 0) {
      const splices = yield* composing(changes.map((change) => change.splices))
      const row = this.#revisions.next([writer], { splices })
      for (const change of changes) this.#addContent(pending, change, row)
    }
    if (changes.length > 0) yield* this.#parts.journal.preparing(pending, this.#state.ydoc)
    pending.addExtras(extras(this.#revisions.newest))
    if (!pending.isEmpty) this.#flusher.changed()
    if (changes.length > 0) this.#announce([writer.actor])
    return this.#views.current()
  }

  /** Sets flags, right after `settle()` in the same tick, as one revision. */
  configure(changes: FlagChanges, writer: Writer): TextView {
    const changed = changedFlags(this.#views.current().facts, changes)
    if (changed === undefined) return this.#views.current()
    const { flags, event } = changed
    const { pending } = this.#flusher
    this.#facts = { ...this.#facts, ...flags }
    pending.flags = flags
    const row = this.#revisions.next([writer], { splices: [] }, event)
    pending.rows.set(row.revision, row)
    this.#revisions.recent.push(row.revision, [])
    this.#flusher.changed()
    this.#announce(row.actors, event)
    return this.#views.current()
  }

  /** Stores a document that was just built, as revision 1. */
  begin({ change, snapshot }: NewDocument, writer: Writer, extras: Extras): void {
    const { pending } = this.#flusher
    this.#addContent(pending, change, this.#revisions.next([writer], change))
    pending.addExtras(extras)
    pending.compact = true
    pending.snapshot = snapshot
    this.#flusher.changed()
  }

  /** What a peer with these clocks lacks; resolves when all of it is on disk. */
  async stateFor(known: ReadonlyMap<number, number>): Promise<Uint8Array> {
    this.peers.used()
    const answer = () => {
      this.applyWhenFree()
      return this.#states.for(known, this.#flusher.ticket)
    }
    const update = await this.#parts.rounds.turn(() => this.exclusive.whenFree(answer))
    // What was written while it was put together may be in it, also of work that is not done yet.
    await this.durable(await this.exclusive.whenFree(() => this.#flusher.ticket))
    return update
  }

  /** A bug came to light in work for this document: what is in memory is given up. */
  fail(error: unknown): void {
    this.#die(error)
  }

  stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#state.ydoc)
  }

  /**
   * Stores everything, leaves a snapshot in place of the log, and lets go of memory. Rejects with
   * the store's error.
   */
  async unload(): Promise<void> {
    await this.peers.finished()
    this.#states.forget()
    if (!this.#dead) {
      await this.exclusive.whenFree(() => this.settle())
      await this.#flusher.durable()
      await this.exclusive.run(() => this.#leaving())
      await this.#flusher.durable()
    }
    this.intake.waiting.letGo()
    this.#state.destroy()
  }

  /** The snapshot it leaves behind, in steps; nothing is applied after it. */
  *#leaving(): Steps<void> {
    if (this.#dead) return
    this.settle()
    const { pending } = this.#flusher
    const { journal } = this.#parts
    if (journal.hasLog || !pending.isEmpty) {
      yield* journal.compacting(pending, this.#state.ydoc)
      this.#flusher.changed()
    }
    this.#dead = true
  }

  /**
   * Applies what waits, unless a commit or a crowd comes first; then it is called again. So much
   * that others have to wait behind it comes before either.
   */
  applyWhenFree(): void {
    const isFree = !this.#flusher.isFlushing && !this.peers.isResting
    if (!isFree && !this.intake.waiting.isPressed) return
    this.#beginLong()
    this.#applyQueue()
  }

  #applyQueue(): void {
    if (this.#dead || this.exclusive.isHeld) return
    const { waiting } = this.intake
    if (waiting.length > 0) {
      try {
        this.#applyTogether(waiting.takeAll())
      } catch (error) {
        this.#die(error)
      }
    }
    waiting.applied()
  }

  /** What waits and takes long goes on in later turns, in which nobody else reads or writes. */
  #beginLong(): void {
    const { waiting } = this.intake
    if (this.#dead || this.exclusive.isHeld || waiting.length === 0) return
    const bytes = this.#flusher.pending.updateBytes + waiting.bytes
    if (!waiting.isLong && !this.#parts.journal.takesLongFor(bytes)) return
    void this.exclusive.begin(this.#applyingLong(waiting.takeAll()))
  }

  /** Throws nothing: when it fails the document is dead before anybody else goes on. */
  *#applyingLong(waiting: Waiting): Steps<void> {
    try {
      this.#revisions.sealFor(writersOf(waiting))
      const change = yield* this.#state.applyingUpdates(waiting.entries)
      if (this.#dead) return
      this.#applied(waiting, change)
      yield* this.#parts.journal.preparing(this.#flusher.pending, this.#state.ydoc)
      this.#flusher.changed()
    } catch (error) {
      this.#die(error)
    }
    this.intake.waiting.applied()
  }

  #applyTogether(waiting: Waiting): void {
    this.#revisions.sealFor(writersOf(waiting))
    this.#applied(waiting, this.#state.applyUpdates(waiting.entries))
    this.#flusher.changed()
  }

  #applied(waiting: Waiting, change: StateChange | undefined): void {
    this.guard.settled()
    const { pending } = this.#flusher
    for (const session of waiting.settles) pending.settle(session, 1)
    if (change === undefined) return
    this.#addContent(pending, change, this.#revisions.typed(writersOf(waiting), change))
  }

  #addContent(pending: PendingCommit, change: StateChange, row: HistoryRow): void {
    pending.addUpdates(change.updates)
    pending.rows.set(row.revision, row)
    this.#revisions.changed(row)
    const tombstones = this.#state.tombstones.follow(change, row.revision)
    addStateRecords(pending, { slug: this.slug, change, tombstones })
  }

  /** Tells everyone of the newest revision, when it is durable. */
  #announce(actors: readonly ActorId[], event = 'edit'): void {
    this.#news.add({ revision: this.#revisions.newest, event, actors }, this.#flusher.ticket)
    this.#tell()
  }

  #tell(): void {
    for (const due of this.#news.due(this.#flusher.durableTicket)) this.peers.changed(due)
  }

  #write(pending: PendingCommit): Promise<void> {
    this.#views.writing()
    if (pending.isEmpty) return Promise.resolve()
    const { ydoc, text } = this.#state
    return this.#parts.journal.commit(pending, {
      weight: this.residence.weighed(pending),
      revision: this.#revisions.newest,
      sealed: !this.#revisions.isOpen,
      now: this.#parts.runtime.now(),
      ydoc,
      text,
    })
  }

  #onDurable(pending: PendingCommit): void {
    this.#views.stored()
    this.#parts.onStored()
    this.peers.update(pending.updates)
    for (const [session, count] of pending.settled) session.saved(count)
    this.#tell()
    this.intake.waiting.letGo()
    if (this.intake.waiting.length > 0) this.#parts.rounds.join(this)
  }

  #die(error: unknown): void {
    if (this.#dead) return
    this.#dead = true
    this.#flusher.stop(error)
    this.intake.waiting.letGo()
    this.#revisions.seal()
    this.peers.closeAll(1013, 'UNAVAILABLE')
    this.#parts.onDead(error, this.#flusher.quiet())
  }
}

const writersOf = ({ entries }: Waiting): readonly Writer[] => entries.map(({ writer }) => writer)
