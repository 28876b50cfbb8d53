/**
 * What a write to an open document leaves in the commit it will be stored with: its revision, the
 * records beside the text, flags, and whom to tell when it is on disk. Says nothing of when anybody
 * may write.
 */

import { isDeepStrictEqual } from 'node:util'
import { type DocSection, docRecord } from '../../../persistence/keys.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, Slug, ThreadId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { LeafAuthor } from '../../../schema/markdown/runs.ts'
import { copiedChange, storedChars, wholeOf } from '../../commit/copied-text.ts'
import type { DocumentFacts, DocumentFlags, FlagChanges, Life } from '../../commit/facts.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import type { Former } from '../../commit/history-text.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import type { Participant, RecordWriter } from '../../commit/participant.ts'
import type { Extras, PendingCommit } from '../../commit/pending-commit.ts'
import type { HeldPermission, Writer } from '../../commit/permission.ts'
import { compose } from '../../text/text-change.ts'
import { diffStrings, diffTexts } from '../../text/text-diff.ts'
import type { Plan } from '../edits/plan/plan.ts'
import type { Change } from '../live/live-peer.ts'
import { writersOf } from '../live/live-writes.ts'
import type { QueuedUpdates } from '../live/update-queue.ts'
import { type DocumentState, type StateChange, serverActor } from '../state/document-state.ts'
import type { Fates } from '../threads/threads.ts'
import type { AuthorRun } from '../views/document-view.ts'
import { changedBlocks, changedInside } from './changed-blocks.ts'
import { giveBack } from './giving-back.ts'
import type { Revisions } from './revisions.ts'
import { touchedBlocks } from './row-blocks.ts'
import { credit, type Versions } from './row-credits.ts'

/** Of a revert's row: with more, the text that comes back is stored whole, once. */
const revertStoredMaxChars = 16 * 1024

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

interface NotedBy {
  readonly writer: Writer
  readonly extras: Extras
  /** What the records rest on. */
  readonly permissions: readonly (HeldPermission | undefined)[]
}

const none: Extras = { checks: [], puts: [] }

/** A former revision whose text is written again, and whose it was. */
export interface Back {
  readonly former: Former
  readonly authorship: readonly AuthorRun[]
}

/** What is said or decided, stored in the commit at hand. */
export type ThreadWrites = (records: RecordWriter, revision: number) => readonly ThreadId[]

export interface EditNotes {
  readonly writer: Writer
  /** Who is credited with the text, where that is another. */
  readonly author?: ActorId | undefined
  /** Done when the text is written, if it changed. */
  readonly threadWrites?: ThreadWrites | undefined
  /** The revision whose text comes back, where it is that of an earlier one. */
  readonly back?: Back | undefined
  /** Told how many bytes the commit has because of it. */
  readonly onWritten?: ((bytes: number) => void) | undefined
  /** What is stored with it. */
  readonly extras: (revision: number, fates: Fates | undefined) => Extras
}

export class DocumentWrites {
  readonly news = new Announcements()
  readonly #host: DocumentWritesHost
  /** With flags that are set and perhaps not stored yet. */
  #facts: DocumentFacts
  readonly #participants: readonly { readonly own: Participant; readonly records: RecordWriter }[]

  constructor(host: DocumentWritesHost, facts: DocumentFacts) {
    this.#host = host
    this.#facts = facts
    this.#participants = host.state.participants.map((own) => {
      return { own, records: this.#recordsOf(own) }
    })
  }

  get facts(): DocumentFacts {
    return this.#facts
  }

  /** Applies a plan made on `settle()` in the same tick, as one revision; stores `extras` too. */
  edit(plan: Plan, notes: EditNotes): void {
    const { writer, author = writer.actor, back, extras } = notes
    const { state, flusher, revisions, onFailed } = this.#host
    const before = state.text
    const event = back === undefined ? 'edit' : 'revert'
    const applying = { actor: author, back: back?.authorship, onFailed }
    const changes = applyPlan(state, plan, applying)
    this.#host.assertAlive()
    const { pending } = flusher
    let threads: readonly ThreadId[] = []
    if (changes.length > 0) {
      const splices = compose(changes.map((change) => change.splices))
      const said = this.#described(revisions.next([writer], splices, event), before)
      const row = back === undefined ? said : this.#copied(said, back.former)
      for (const change of changes) this.#addContent(pending, change, row)
      notes.onWritten?.(storedBytes(changes, row))
      threads = notes.threadWrites?.(this.#recordsOf(state.threads), row.revision) ?? []
    }
    const fates = state.threads.takeFates()
    const more = extras(revisions.newest, fates)
    if (changes.length + more.puts.length > 0) pending.addExtras(more)
    if (!pending.isEmpty) flusher.changed()
    if (changes.length > 0) this.announce([writer.actor], event, { threads, fates })
  }

  /** Stores what is said, right after `settle()` in the same tick, as one revision. */
  say(
    event: string,
    threadWrites: ThreadWrites,
    { writer, extras }: Pick<EditNotes, 'writer' | 'extras'>,
  ) {
    const { flusher, revisions, state } = this.#host
    const { pending } = flusher
    const row = revisions.next([writer], [], event)
    const threads = threadWrites(this.#recordsOf(state.threads), row.revision)
    pending.addExtras(extras(row.revision, undefined))
    this.#mark(row, threads)
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
    const { pending } = this.#host.flusher
    this.#facts = { ...this.#facts, ...facts }
    pending.facts = { ...pending.facts, ...facts }
    this.note(event, { writer, extras, permissions: [] })
  }

  /** Stores records beside the text, right after `settle()` in the same tick, as one revision. */
  note(event: string, { writer, extras, permissions }: NotedBy): void {
    const { flusher, revisions } = this.#host
    flusher.pending.addExtras(extras)
    for (const permission of permissions) flusher.pending.addExtras({ ...none, permission })
    this.#mark(revisions.next([writer], [], event))
  }

  /** The text is what another version of the service printed as `before`: a revision of its own. */
  printAnew(before: string): void {
    const { revisions, state } = this.#host
    const change = diffStrings(before, state.text.toString())
    const writer = { actor: serverActor, authMethod: 'anonymous' } as const
    this.#mark(revisions.next([writer], change === undefined ? [] : [change]))
  }

  /** A revision that leaves the blocks as they are. */
  #mark(row: HistoryRow, threads?: readonly ThreadId[]): void {
    const { flusher, revisions, state } = this.#host
    const { hues } = state.authorship
    for (const actor of row.actors) hues.give(actor)
    hues.commit(undefined, this.#recordsOf(hues))
    flusher.pending.rows.set(row.revision, row)
    revisions.recent.push(row.revision, row.splices)
    flusher.changed()
    this.announce(row.actors, row.event, { threads })
  }

  /** Names a revision, or with null takes its name away; that is no revision (extensions §12). */
  nameRevision(revision: number, name: string | null, permission: Extras['permission']): void {
    const { flusher, state } = this.#host
    const { pending } = flusher
    const records = this.#recordsOf(state.revisionNames)
    if (!state.revisionNames.set(revision, name, records)) return
    pending.addExtras({ checks: [], puts: [], permission })
    flusher.changed()
  }

  /** Live updates were applied together; `undefined`: they changed nothing. */
  typed(waiting: QueuedUpdates, change: StateChange | undefined): void {
    const { flusher, revisions } = this.#host
    const typed = change && revisions.typed(writersOf(waiting), change)
    const row = typed && this.#described(typed.row, typed.before)
    const { pending } = flusher
    pending.entries.push(...waiting.entries)
    for (const session of waiting.settles) pending.settle(session, 1)
    if (change !== undefined && row !== undefined) this.#addContent(pending, change, row)
  }

  /** The row with what it says beside its splices. */
  #described(row: HistoryRow, before: DocumentText): HistoryRow {
    const { text, mirror } = this.#host.state
    return describe(row, { before, after: text }, (leaf) => mirror.leafAuthor(leaf))
  }

  /** The row of a revert, which copies its text; the text is stored whole where that is shorter. */
  #copied(row: HistoryRow, former: Former): HistoryRow {
    const { flusher, state } = this.#host
    // A revert of a part, or of a text that is printed otherwise today.
    if (state.text.toString() !== former.text) return row
    const copied = copiedChange(row.splices, former)
    if (storedChars(copied) <= revertStoredMaxChars) return { ...row, copied }
    flusher.pending.texts.set(former.revision, Buffer.from(former.text))
    return { ...row, copied: copiedChange(row.splices, wholeOf(former)) }
  }

  /** Everyone is to be told of the newest revision, when it is durable. */
  announce(
    actors: readonly ActorId[],
    event = 'edit',
    told: Pick<Change, 'threads' | 'fates'> = {},
  ): void {
    const { flusher, revisions, state } = this.#host
    const { threads, fates = state.threads.takeFates() } = told
    const change = { revision: revisions.newest, event, actors, threads, fates }
    this.news.add(change, flusher.ticket)
    this.#host.onNews()
  }

  #addContent(pending: PendingCommit, change: StateChange, row: HistoryRow): void {
    pending.addUpdates(change.updates)
    pending.rows.set(row.revision, row)
    this.#host.revisions.changed(row)
    const { deleted, revived } = change
    const came = change.came && { ...change.came, bringsBack: row.event === 'revert' }
    const write = { revision: row.revision, deleted, revived, came }
    for (const { own, records } of this.#participants) own.commit(write, records)
  }

  /** Into the commit that is pending when they are written. */
  #recordsOf({ section }: Participant): RecordWriter {
    return new PendingRecords(this.#host, section)
  }
}

/** About how much a commit holds because of these changes and their row. */
function storedBytes(changes: readonly StateChange[], row: HistoryRow): number {
  const { splices, copied, blocks = [], credits = [] } = row
  let bytes = blocks.length * 40 + credits.length * 40
  for (const { updates } of changes) for (const { length } of updates) bytes += length
  if (copied !== undefined) return bytes + storedChars(copied)
  for (const { insert } of splices) bytes += Buffer.byteLength(insert)
  return bytes
}

/** Many are kept while a document is open: of a class, they share what they do. */
class PendingRecords implements RecordWriter {
  readonly #host: Pick<DocumentWritesHost, 'slug' | 'flusher'>
  readonly #section: DocSection

  constructor(host: Pick<DocumentWritesHost, 'slug' | 'flusher'>, section: DocSection) {
    this.#host = host
    this.#section = section
  }

  put(path: readonly (string | number)[], value: Uint8Array): void {
    const { slug, flusher } = this.#host
    flusher.pending.put(docRecord(slug, this.#section, path), value)
  }

  delete(path: readonly (string | number)[]): void {
    const { slug, flusher } = this.#host
    flusher.pending.delete(docRecord(slug, this.#section, path))
  }
}

/**
 * Sealed revisions that wait to be told of, in their order: each is due once the commit that holds
 * it is on disk, and is told of once.
 */
export class Announcements {
  readonly #waiting: { readonly change: Change; readonly ticket: number }[] = []

  add(change: Change, ticket: number): void {
    this.#waiting.push({ change, ticket })
  }

  /** Takes those whose commits are on disk up to this ticket. */
  *due(durableTicket: number): Generator<Change> {
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined || next.ticket > durableTicket) return
      this.#waiting.shift()
      yield next.change
    }
  }
}

/** All flags after a change, and its event. `undefined`: everything is set as asked already. */
function changedFlags(
  { linkAccess, readOnly, commentsDisabled }: DocumentFacts,
  changes: FlagChanges,
): { readonly flags: DocumentFlags; readonly event: 'access' | 'settings' } | undefined {
  const before: DocumentFlags = { linkAccess, readOnly, commentsDisabled }
  const flags = { ...before, ...changes, linkAccess: { ...linkAccess, ...changes.linkAccess } }
  if (isDeepStrictEqual(flags, before)) return undefined
  return { flags, event: changes.linkAccess === undefined ? 'settings' : 'access' }
}

/**
 * The row with its authors, where its splices tell others, and its blocks. `versions`: the text
 * before the row's revision, and its own.
 */
export function describe(row: HistoryRow, versions: Versions, leafAuthor: LeafAuthor): HistoryRow {
  const { before, after } = versions
  const changed = changedInside(before, after, row.splices) ?? changedBlocks(before, after)
  const { stretches } = changed
  const credits = credit(row, versions, { stretches, leafAuthor })
  const blocks = touchedBlocks(changed)
  // Field by field: spread, it took V8 many times as long, with every key.
  return {
    revision: row.revision,
    at: row.at,
    event: row.event,
    actors: row.actors,
    authMethod: row.authMethod,
    ipHash: row.ipHash,
    splices: row.splices,
    credits: credits.length > 0 ? credits : undefined,
    blocks: blocks.length > 0 ? blocks : undefined,
  }
}

interface Applying {
  readonly actor: ActorId
  /** Whose the text is, where it is that of an earlier revision. */
  readonly back?: readonly AuthorRun[] | undefined
  readonly onFailed: (error: unknown) => void
}

/**
 * Applies a planned edit and compares it before anything of it is stored: what was planned, or
 * nothing at all. Answers what each write changed. When it fails, `onFailed` is called: the state
 * cannot be relied on, and the caller gives up the document in memory.
 */
function applyPlan(
  state: DocumentState,
  { operations, text }: Plan,
  { actor, back, onFailed }: Applying,
): readonly StateChange[] {
  if (operations.length === 0) return []
  try {
    const [before, written] = [state.text, state.nextOf(actor)]
    const changes = [state.applyOperations(operations, actor)]
    if (back !== undefined) {
      const { text: after, mirror } = state
      const credits = giveBack({ before, after, authorship: back, mirror, written })
      changes.push(state.credit(credits))
    }
    if (diffTexts(text, state.text) !== undefined) {
      throw new Refusal('EDIT_VERIFICATION_FAILED', { reason: 'applied_otherwise' })
    }
    return changes.filter((change) => change !== undefined)
  } catch (error) {
    onFailed(error)
    throw error
  }
}
