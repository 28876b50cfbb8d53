/**
 * Who wrote each character (interface §2.2). Truth is the durable table clientID → actor and the
 * exception intervals over it; the `authored` marks in the Y.Doc are its projection, enforced
 * inside every commit, so no client can forge, strip or stretch them. The facade of this folder:
 * the commit path notes each update it applies and projects once; what is stored of it are its
 * participants. Knows neither the store nor sessions: a holder is whatever string names a
 * credential.
 */
import * as Y from 'yjs'
import { type ActorId, unattributed } from '../../../schema/ids.ts'
import { firstItem, formatIn, type Item, isText } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { clientsOf, clockOf, itemsBetween } from '../../../schema/yjs/structs.ts'
import type { Participant } from '../../commit/participant.ts'
import { TransactionNotes } from '../../yjs/transaction-notes.ts'
import { type AuthorSpan, Exceptions, type Interval } from './exceptions.ts'
import { Hues, type Writers } from './hues.ts'
import { type Deletion, Ledger, type LedgerEntry } from './ledger.ts'
import { type Claimant, Owners, type Reservations } from './owners.ts'
import { goesOn, markName, projectMarks } from './projection.ts'
import { findMoves, restoredBlock, restoredElsewhere, restoredInPlace } from './restoring.ts'
import { blocksOf, gatherRuns, type Run } from './runs.ts'

export class Authorship {
  readonly #ydoc: Y.Doc
  readonly #owners: Owners
  readonly #exceptions = new Exceptions()
  readonly #ledger = new Ledger()
  /** Who says something or decides has written too, without any text. */
  readonly hues = new Hues(() => this.#owners.actors)
  #credited: Interval[] = []
  #notes: TransactionNotes | undefined

  /** `now`: ms of a clock that only goes forward, for what is kept for a while. */
  constructor(ydoc: Y.Doc, now: () => number) {
    this.#ydoc = ydoc
    this.#owners = new Owners(now)
  }

  /** What is stored of it. */
  get participants(): readonly Participant[] {
    return [this.#owners, this.#exceptions, this.#ledger, this.hues]
  }

  /** Makes the clientID the actor's, as a record of it would. */
  loadOwner(client: number, actor: ActorId): void {
    this.#owners.set(client, actor)
  }

  /** The durable owner, else the actor for whom the clientID is reserved. */
  ownerOf(client: number): ActorId | undefined {
    return this.#owners.of(client)
  }

  /** The credential for which a clientID without a durable owner is reserved. */
  holderOf(client: number): string | undefined {
    return this.#owners.holderOf(client)
  }

  /** Keeps a free clientID for a credential; false if it is another's. */
  reserve(client: number, claimant: Claimant): boolean {
    return this.#owners.reserve(client, claimant)
  }

  get reservations(): Reservations {
    return this.#owners.reservations
  }

  recall(reservations: Reservations, isHere: (holder: string) => boolean): void {
    this.#owners.recall(reservations, isHere)
  }

  /** What is kept for the credential is this actor's from now on. */
  renewReservations(holder: string, actor: ActorId): void {
    this.#owners.renew(holder, actor)
  }

  /** The credential has no socket any more: its clientIDs are kept for a while. */
  releaseReservations(holder: string): void {
    this.#owners.release(holder)
  }

  /** Makes the clientID the actor's for ever. TypeError if it already is another's. */
  claim(client: number, actor: ActorId): void {
    this.#owners.claim(client, actor)
    this.hues.give(actor)
  }

  /** Who has written until now. */
  get writers(): Writers {
    return this.hues.now()
  }

  authorOf(client: number, clock: number): ActorId {
    return this.#exceptions.at(client, clock) ?? this.#owners.durable(client) ?? unattributed
  }

  /** What a mark says that is not so, for an operator; undefined: all are true. */
  falseMark(fragment: Y.XmlFragment): string | undefined {
    return falseMark(fragment, (item) => this.#authorsOf(item))
  }

  /** Whether all of these characters are the actor's. */
  isBy(actor: ActorId, item: Item): boolean {
    return isAllBy(this.#authorsOf(item), actor)
  }

  /**
   * Credits characters to another than their client's owner: moves, clones, accepted suggestions.
   */
  credit(interval: Interval): void {
    const { client, clock, length, actor } = interval
    const isDefault = actor === (this.#owners.durable(client) ?? unattributed)
    if (length === 0 || (isDefault && !this.#exceptions.overlaps(client, clock, length))) return
    this.#credited.push(interval)
    this.#exceptions.credit(interval)
  }

  /** Credits a copy of `length` characters to the authors of the original. */
  creditCopy(original: StructId, copy: StructId, length: number): void {
    let { clock } = copy
    for (const run of this.#runs(original.client, original.clock, length)) {
      const { length, author: actor } = run
      this.credit({ client: copy.client, clock, length, actor })
      clock += length
    }
  }

  /**
   * Called right after an update (or a splice of the service) is applied, inside the transaction:
   * what is new since the last note is the actor's doing. Claims new clientIDs for the actor and
   * gives words that are put back to their authors. `clients`: those with new structs, if known;
   * without it every client of the document is looked at.
   */
  note(transaction: Y.Transaction, actor: ActorId, clients?: Iterable<number>): void {
    this.#note(transaction, actor, { clients, isPlanned: false })
  }

  /**
   * The same for a planned edit under this clientID, which credits what it carries by itself: what
   * else it inserts is the actor's, however much it looks like what it deleted. A short block that
   * repeats one the actor deleted is new: who means to move a block says so.
   */
  noteEdit(transaction: Y.Transaction, actor: ActorId, client: number): void {
    this.#note(transaction, actor, { clients: [client], isPlanned: true })
  }

  #note(
    transaction: Y.Transaction,
    actor: ActorId,
    {
      clients,
      isPlanned,
    }: {
      readonly clients: Iterable<number> | undefined
      /** By an edit that says itself what it moves, so that nothing short is taken for moved. */
      readonly isPlanned: boolean
    },
  ): void {
    const notes = this.#notesOf(transaction)
    const brought = notes.takeNew(clients ?? clientsOf(this.#ydoc))
    for (const { client } of brought) {
      if (this.#owners.durable(client) === undefined) this.claim(client, actor)
    }
    const gone = notes.takeDeleted(brought)
    if (brought.length + gone.length > 0) this.hues.give(actor)
    const isOwn = gone.every((item) => isAllBy(this.#authorsOf(item), actor))
    const deleted = isOwn ? [] : this.#foreignRuns(transaction, gone, actor)
    if (deleted.length === 0 && this.#ledger.of(actor) === undefined) return
    const inserted = this.#runsOf(transaction, 'inserted', notes.inserted(brought))
    const [own, credited] = partition(inserted, ({ authors }) => isAllBy(authors, actor))
    const found = isPlanned ? [] : findMoves(deleted, own)
    const moves = new Map(found.map((move) => [move.source, move]))
    for (const { run, authors } of moves.values()) this.#creditRun(run, authors)
    const copied = new Set(credited.map(({ text }) => text))
    for (const run of deleted) {
      const moved = moves.get(run)?.run
      const livesOnWhole = moved?.text === run.text || copied.has(run.text)
      if (!livesOnWhole) this.#ledger.add(deletionOf(run, actor, moved))
    }
    this.#ledger.trim()
    const placed = new Set([...moves.values()].map(({ run }) => run))
    if (this.#ledger.of(actor) === undefined) return
    const fresh = own.filter((run) => !placed.has(run))
    const restored = isPlanned ? new Set() : this.#restoreBlocks(fresh, actor)
    for (const run of fresh) {
      if (!restored.has(run)) this.#restore(run, actor, !isPlanned)
    }
  }

  /**
   * Called once, last in the transaction, with `ydoc.clientID` set to the service's correction
   * client: makes every `authored` mark say the truth. All new structs must have been noted, save
   * those of the present `ydoc.clientID`.
   */
  project(transaction: Y.Transaction): void {
    const notes = this.#notesOf(transaction)
    const { clientID } = this.#ydoc
    const credited: Item[] = []
    for (const { client, clock, length } of this.#credited) {
      const to = Math.min(clock + length, clockOf(this.#ydoc, client))
      for (const item of itemsBetween(this.#ydoc, { client, from: clock, to })) credited.push(item)
    }
    const clients = new Set([...notes.clients, clientID])
    const disturbance = { transaction, clients, credited }
    const authorsOf = (item: Item) => this.#authorsOf(item)
    if (credited.length > 0 || !goesOn(disturbance, authorsOf)) {
      projectMarks(disturbance, authorsOf)
    }
    if (this.#credited.length > 0) this.#credited = []
    this.#notes = undefined
  }

  #notesOf(transaction: Y.Transaction): TransactionNotes {
    if (this.#notes?.transaction !== transaction) this.#notes = new TransactionNotes(transaction)
    return this.#notes
  }

  #authorsOf(item: Item): AuthorSpan[] {
    return this.#runs(item.id.client, item.id.clock, item.length)
  }

  #runs(client: number, clock: number, length: number): AuthorSpan[] {
    const owner = this.#owners.durable(client) ?? unattributed
    return this.#exceptions.runs({ client, clock, length }, owner)
  }

  /** The deleted runs that hold others' words. */
  #foreignRuns(transaction: Y.Transaction, deleted: readonly Item[], actor: ActorId): Run[] {
    const runs = this.#runsOf(transaction, 'deleted', deleted)
    const isForeign = ({ authors }: Run): boolean => !isAllBy(authors, actor)
    // Of a block with others' words all texts are kept, so that it is known whole.
    const whole = blocksOf(runs).filter((block) => block.some(isForeign))
    return [...new Set([...runs.filter(isForeign), ...whole.flat()])]
  }

  #runsOf(transaction: Y.Transaction, kind: Run['kind'], items: readonly Item[]): Run[] {
    return gatherRuns(transaction, { kind, items }, (item) => this.#authorsOf(item))
  }

  /** Blocks of several texts; answers the runs that were put back with them. */
  #restoreBlocks(runs: readonly Run[], actor: ActorId): ReadonlySet<Run> {
    const restored = new Set<Run>()
    for (const texts of blocksOf(runs)) {
      const deletions = this.#ledger.of(actor)
      const spent = (deletions && restoredBlock(this.#ydoc, texts, deletions)) ?? []
      for (const [index, entry] of spent.entries()) {
        const run = texts[index]
        if (run === undefined) throw new TypeError('a block has as many texts as its deletions')
        this.#spend([entry], run, actor)
        restored.add(run)
      }
    }
    return restored
  }

  /** `blocksAnywhere`: a whole block, short as it may be, is put back wherever it comes. */
  #restore(run: Run, actor: ActorId, blocksAnywhere: boolean): void {
    const deletions = this.#ledger.of(actor)
    if (deletions === undefined) return
    const inPlace = restoredInPlace(this.#ydoc, run, deletions)
    const asText = blocksAnywhere ? run : { ...run, isBlock: false }
    const elsewhere =
      inPlace.length > 0 ? undefined : restoredElsewhere(this.#ydoc, asText, deletions)
    const spent = elsewhere === undefined ? inPlace : [elsewhere]
    if (spent.length > 0) this.#spend(spent, run, actor)
  }

  /** The deletions serve, once; their authors are those of the run that puts them back. */
  #spend(entries: readonly LedgerEntry[], run: Run, actor: ActorId): void {
    for (const entry of entries) {
      this.#ledger.remove(entry)
      for (const range of entry.movedTo ?? []) this.#ledger.removeIn(range, actor)
    }
    this.#creditRun(
      run,
      entries.flatMap(({ authors }) => authors),
    )
  }

  /** Lays the authors of as many characters over an inserted run. */
  #creditRun(run: Run, authors: readonly AuthorSpan[]): void {
    let [index, used] = [0, 0]
    for (const { id, length } of run.items) {
      for (let done = 0; done < length; ) {
        const next = authors[index]
        if (next === undefined) throw new TypeError('authors are shorter than their run')
        const step = Math.min(next.length - used, length - done)
        const clock = id.clock + done
        this.credit({ client: id.client, clock, length: step, actor: next.author })
        done += step
        used += step
        if (used === next.length) [index, used] = [index + 1, 0]
      }
    }
  }
}

const isAllBy = (authors: readonly AuthorSpan[], actor: ActorId): boolean =>
  authors.every(({ author }) => author === actor)

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))]
}

function deletionOf(run: Run, actor: ActorId, moved: Run | undefined): Deletion {
  const [first] = run.items
  if (first === undefined) throw new TypeError('a run without items')
  const { text, authors, isBlock, part } = run
  const deletion = { actor, text, authors, isBlock, ...idOf(first), ...(part && { part }) }
  if (moved === undefined) return deletion
  return {
    ...deletion,
    movedTo: moved.items.map((item) => ({ ...idOf(item), length: item.length })),
  }
}

const idOf = ({ id }: Item): StructId => ({ client: id.client, clock: id.clock })

/** The first character under a mark that is not its author's, in words; undefined: none. */
export function falseMark(
  type: Y.XmlFragment | Y.XmlText,
  authorsOf: (item: Item) => readonly AuthorSpan[],
): string | undefined {
  if (!(type instanceof Y.XmlText)) {
    for (const child of type.toArray()) {
      const found = falseMark(child as Y.XmlElement | Y.XmlText, authorsOf)
      if (found !== undefined) return found
    }
    return undefined
  }
  let marked: ActorId | undefined
  for (let item = firstItem(type); item !== null; item = item.right) {
    const format = item.deleted ? undefined : formatIn(item)
    if (format?.key === markName) marked = (format.value as { by?: ActorId } | null)?.by
    if (!isText(item)) continue
    const wrong = authorsOf(item).find(({ author }) => author !== marked)
    if (wrong !== undefined) {
      const { client, clock } = item.id
      return `${client}/${clock} is ${wrong.author}'s and marked as ${marked ?? 'nobody'}'s`
    }
  }
  return undefined
}
