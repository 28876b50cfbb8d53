/**
 * What a write to an open document leaves in the commit it will be stored with: its revision, the
 * records beside the text, flags, and whom to tell when it is on disk. Says nothing of when anybody
 * may write.
 */
import { docRecord } from '../../../persistence/keys.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import type { Steps } from '../../../schema/steps.ts'
import type { DocumentFacts, FlagChanges, Life } from '../../commit/facts.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import type { Participant } from '../../commit/participant.ts'
import type { Extras, PendingCommit } from '../../commit/pending-commit.ts'
import type { Writer } from '../../commit/permission.ts'
import type { NewRow } from '../../commit/revision-row.ts'
import { composing } from '../../text/text-change.ts'
import type { Plan } from '../edits/plan/plan.ts'
import { writersOf } from '../live/live-writes.ts'
import type { Waiting } from '../live/update-queue.ts'
import type { DocumentState, StateChange } from '../state/document-state.ts'
import { Announcements } from './announcements.ts'
import { applyPlan } from './apply-plan.ts'
import type { NewDocument } from './create.ts'
import { changedFlags } from './flag-changes.ts'
import type { Revisions } from './revisions.ts'
import { crediting } from './row-credits.ts'

export interface DocumentWritesHost {
  readonly slug: Slug
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly flusher: Flusher
  readonly revisions: Revisions
  /** Throws where nothing may be written any more. */
  assertAlive(): void
  onFailed(error: unknown): void
  /** Something is to be told of, perhaps at once. */
  onNews(): void
}

export class DocumentWrites {
  readonly news = new Announcements()
  readonly #host: DocumentWritesHost
  /** With flags that are set and perhaps not stored yet. */
  #facts: DocumentFacts
  readonly #participants: readonly Participant[]

  constructor(host: DocumentWritesHost, facts: DocumentFacts) {
    this.#host = host
    this.#facts = facts
    this.#participants = host.state.participants
  }

  get facts(): DocumentFacts {
    return this.#facts
  }

  /** Applies a plan made on `settle()` in the same work, as one revision; stores `extras` too. */
  *edit(plan: Plan, writer: Writer, extras: (revision: number) => Extras): Steps<void> {
    const { state, journal, flusher, revisions, onFailed } = this.#host
    const changes = yield* applyPlan(state, plan, { actor: writer.actor, onFailed })
    this.#host.assertAlive()
    const { pending } = flusher
    if (changes.length > 0) {
      const splices = yield* composing(changes.map((change) => change.splices))
      const creditsOthers = changes.some((change) => change.creditsOthers)
      const row = yield* this.#credited(revisions.next([writer], { splices, creditsOthers }))
      for (const change of changes) this.#addContent(pending, change, row)
      yield* journal.preparing(pending, state.ydoc)
    }
    const more = extras(revisions.newest)
    if (changes.length + more.puts.length > 0) pending.addExtras(more)
    if (!pending.isEmpty) flusher.changed()
    if (changes.length > 0) this.announce([writer.actor])
  }

  /** Sets flags, right after `settle()` in the same tick, as one revision. */
  configure(
    changes: FlagChanges,
    { writer, permission }: { readonly writer: Writer } & Pick<Extras, 'permission'>,
  ): void {
    const changed = changedFlags(this.#facts, changes)
    if (changed === undefined) return
    const { flags, event } = changed
    this.#setFacts(flags, { event, writer, extras: { checks: [], puts: [], permission } })
  }

  /** Archives it or brings it back, right after `settle()` in the same tick, as one revision. */
  setLife(
    life: Life,
    { writer, extras }: { readonly writer: Writer; readonly extras: Extras },
  ): void {
    const event = life.state === 'active' ? 'restore' : 'archive'
    this.#setFacts({ life }, { event, writer, extras })
  }

  #setFacts(
    facts: PendingCommit['facts'],
    { event, writer, extras }: { event: string; writer: Writer; extras: Extras },
  ): void {
    const { flusher, revisions } = this.#host
    const { pending } = flusher
    this.#facts = { ...this.#facts, ...facts }
    pending.facts = { ...pending.facts, ...facts }
    pending.addExtras(extras)
    const row = revisions.next([writer], { splices: [], creditsOthers: false }, event)
    pending.rows.set(row.revision, row)
    revisions.recent.push(row.revision, [])
    flusher.changed()
    this.announce(row.actors, event)
  }

  /** Stores a document that was just built, as revision 1. */
  begin({ change, snapshot }: NewDocument, writer: Writer, extras: Extras): void {
    const { flusher, revisions } = this.#host
    const { pending } = flusher
    this.#addContent(pending, change, revisions.next([writer], change))
    pending.addExtras(extras)
    pending.compact = true
    pending.snapshot = snapshot
    flusher.changed()
  }

  /** Live updates were applied together; `undefined`: they changed nothing. */
  *typed(waiting: Waiting, change: StateChange | undefined): Steps<void> {
    const { flusher, revisions } = this.#host
    const row = change && (yield* this.#credited(revisions.typed(writersOf(waiting), change)))
    const { pending } = flusher
    pending.entries.push(...waiting.entries)
    for (const session of waiting.settles) pending.settle(session, 1)
    if (change !== undefined && row !== undefined) this.#addContent(pending, change, row)
  }

  #credited(row: NewRow): Steps<HistoryRow> {
    const { text, mirror } = this.#host.state
    return crediting(row, text, (leaf) => mirror.leafAuthor(leaf))
  }

  /** Everyone is to be told of the newest revision, when it is durable. */
  announce(actors: readonly ActorId[], event = 'edit'): void {
    const { flusher, revisions } = this.#host
    this.news.add({ revision: revisions.newest, event, actors }, flusher.ticket)
    this.#host.onNews()
  }

  #addContent(pending: PendingCommit, change: StateChange, row: HistoryRow): void {
    const { slug, revisions } = this.#host
    pending.addUpdates(change.updates)
    pending.rows.set(row.revision, row)
    revisions.changed(row)
    const { deleted, revived } = change
    for (const participant of this.#participants) {
      const { section } = participant
      participant.commit(
        { revision: row.revision, deleted, revived },
        {
          put: (path, value) => pending.put(docRecord(slug, section, path), value),
          delete: (path) => pending.delete(docRecord(slug, section, path)),
        },
      )
    }
  }
}
