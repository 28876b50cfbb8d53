/**
 * One live socket's side of a document: judges what it sends, counts what of it is durable, and
 * parks updates with gaps for as long as a reconnecting stock client may honestly send them (it
 * sends new keystrokes before it answers the server's sync step 1). The document is borrowed for
 * each message and may leave memory in between, or be opened anew.
 */

import { type ErrorCode, errorCatalogue, Refusal } from '../../../schema/errors.ts'
import { type ActorId, unattributed } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { LivePeer, LiveSession, PeerAccess, Writer } from '../contract.ts'
import type { UpdateFacts } from '../guard/guard.ts'
import type { Budget, Budgets } from './budgets.ts'
import { type Arrival, Inbox } from './inbox.ts'
import type { LivePeers } from './live-peers.ts'
import type { OpenDocument } from './open-document.ts'
import { ParkedUpdates } from './parked-updates.ts'
import type { SavedCount } from './pending-commit.ts'
import { priceOfAnswer } from './price.ts'
import { Turns } from './turns.ts'
import { type Judgement, UpdateAdmission } from './update-admission.ts'
import { Withdrawn } from './withdrawn.ts'

/** Where a session borrows its document. */
export interface Lender {
  /** Undefined while it is not in memory. */
  opened(): OpenDocument | undefined
  /** Refuses what opening a document refuses. */
  open(): Promise<OpenDocument>
}

export interface SessionParts {
  /** As it is now. */
  readonly document: OpenDocument
  readonly lender: Lender
  readonly peer: LivePeer
  readonly runtime: Runtime
  readonly budgets: Budgets
}

/** Whoever left is still heard to the end; of who was refused nothing more is taken. */
type Line = 'here' | 'gone' | 'refused'

export class PeerSession implements LiveSession, SavedCount {
  /** The server's own, for its sync step 1. */
  readonly stateVector: Uint8Array
  readonly #peers: LivePeers
  readonly #lender: Lender
  readonly #peer: LivePeer
  readonly #runtime: Runtime
  readonly #answerBudget: Budget
  readonly #admission: UpdateAdmission
  readonly #detach: () => void
  #line: Line = 'here'
  /** It has said what it has, so that nothing of it has gaps any more. */
  #isAnswered = false
  readonly #parked: ParkedUpdates
  readonly #inbox: Inbox
  /** The one clientID of a peer that announces none. */
  #unannounced: number | undefined
  #receivedUpdates = 0
  #savedUpdates = 0
  /** Messages are being settled in another order than they came in. */
  #outOfOrder = false
  readonly #reserved = new Set<number>()
  /** As whom this credential's clientIDs are reserved. */
  #renewedAs: ActorId | undefined
  #hearing: Promise<void> | undefined
  /** Looks whether the peer has said what it has. */
  #listen: ((isSaid: boolean) => void) | undefined
  #answers = 0

  constructor({ document, lender, peer, runtime, budgets }: SessionParts) {
    this.stateVector = document.stateVector()
    this.#peers = document.peers
    this.#lender = lender
    this.#peer = peer
    this.#runtime = runtime
    this.#detach = this.#peers.add(peer)
    this.#parked = new ParkedUpdates(runtime, () => {
      this.#isAnswered = true
      this.#unpark()
    })
    const sources = () => peer.access().sources
    const budget = budgets.of('updates', document.slug, sources)
    this.#answerBudget = budgets.of('answers', document.slug, sources)
    this.#admission = new UpdateAdmission({ document: () => this.#document, budget, runtime })
    this.#inbox = new Inbox({
      count: this,
      away: () => this.#away(),
      mayRead: (update) => this.#patient(this.#admission.mayRead(update)),
      isLarge: (update) => this.#document.guard.isLarge(update),
      partsOf: (update) =>
        this.#admission.hasRoomFor(update)
          ? this.#document.intake.partsOf(update, this.#actor)
          : [update],
      take: (arrival) => this.#take(arrival),
      reads: (isReading) => this.#peer.onReading(isReading),
      taken: ({ answersStep1 }) => this.#isTaken(answersStep1),
      applied: () => this.#isApplied(),
      finishing: (work) => this.#peers.finishing(work),
      failed: (error) => this.#failed(error),
    })
  }

  async answerStep1(vector: Uint8Array): Promise<Uint8Array> {
    if (this.isAway) await this.open()
    this.#renewReservations()
    const verdict = this.#document.guard.judgeStateVector(vector, this.#actor)
    if (verdict.kind === 'refuse') {
      this.#close(verdict.close, verdict.reason)
      throw new Refusal('UNAVAILABLE')
    }
    if (verdict.isAhead) {
      this.#hearing ??= this.#hear(vector)
      await this.#hearing
    }
    const isFirst = this.#answers++ === 0
    const isShared = isFirst && verdict.known.size === 0
    if (!this.#answerBudget.mayGo) await this.#answerBudget.turn()
    if (this.#line !== 'here') throw new Refusal('UNAVAILABLE')
    const update = await this.#lackedBy(verdict.known)
    this.#answerBudget.spend(priceOfAnswer(update.length, isShared))
    return update
  }

  current() {
    return this.#peers.current
  }

  get isAway(): boolean {
    return this.#lender.opened() === undefined
  }

  /** Refuses UNAVAILABLE where it died meanwhile, which closed all its sessions. */
  async open(): Promise<void> {
    while (this.isAway) {
      const document = await this.#lender.open()
      if (document.peers !== this.#peers) throw new Refusal('UNAVAILABLE')
    }
  }

  reserveClient(client: number): boolean {
    const { holder, sources } = this.#peer.access()
    const claimant = { holder, actor: this.#actor, source: sources.address }
    const isOurs = this.#document.authorship.reserve(client, claimant)
    if (isOurs) this.#reserved.add(client)
    return isOurs
  }

  receive(update: Uint8Array, answersStep1: boolean): void {
    if (this.#line !== 'here') return
    this.#peers.used()
    this.#receivedUpdates++
    if (answersStep1) this.#isAnswered = true
    if (update.length > limits.socketMessageMaxBytes) {
      this.#close(4413, 'PAYLOAD_TOO_LARGE')
      return
    }
    const hasRoom = this.#inbox.receive({ update, answersStep1 })
    if (!hasRoom) this.#close(1013, 'too many messages')
  }

  leave(): void {
    if (this.#line !== 'here') return
    this.#line = 'gone'
    this.#parked.stopWaiting()
    this.#listen?.(true)
    this.#detach()
    const { holder } = this.#peer.access()
    if (!this.#peers.has(holder)) this.#lender.opened()?.authorship.releaseReservations(holder)
    this.#peers.left()
  }

  saved(count: number): void {
    this.#savedUpdates += count
    // The peer reads the count as "all up to this one", so those that were parked hold it back.
    if (this.#savedUpdates === this.#receivedUpdates) this.#outOfOrder = false
    if (this.#line !== 'here' || !this.#peer.events || this.#outOfOrder) return
    const { revision } = this.#peers.current
    this.#peer.onSaved({ revision, updates: this.#savedUpdates })
  }

  /**
   * Who comes back with words that are not here says them first, and they are stored. An editor
   * that heard before that the text it wrote in stands elsewhere now would throw them away, and
   * they would be lost if its line broke while they were on their way.
   */
  async #hear(vector: Uint8Array): Promise<void> {
    if (this.#isAnswered || this.#barred(this.#peer.access()) !== undefined) return
    const show = this.#peers.withhold(this.#peer)
    await new Promise<void>((resolve) => {
      const timer = this.#runtime.after(limits.parkedUpdateMaxMs, resolve)
      this.#listen = (isSaid) => {
        if (!isSaid && this.#lacks(vector)) return
        timer.cancel()
        resolve()
      }
    })
    this.#listen = undefined
    show()
    // Each in a turn of its own: what one has said makes room for the next, who is heard then.
    await new Turns(this.#runtime).next()
    if (this.#line !== 'here') throw new Refusal('UNAVAILABLE')
    await this.#borrowing((document) =>
      document.exclusive.whenFree(() => {
        document.settle()
        return document.durable()
      }),
    )
  }

  /** A document that is away will be asked when it is back. */
  #lacks(vector: Uint8Array): boolean {
    if (this.isAway) return true
    const verdict = this.#document.guard.judgeStateVector(vector, this.#actor)
    return verdict.kind === 'admit' && verdict.isAhead
  }

  #isTaken(answersStep1: boolean): void {
    if (answersStep1) this.#unpark()
    this.#listen?.(answersStep1)
  }

  /** Where it is known to be there. */
  get #document(): OpenDocument {
    const document = this.#lender.opened()
    if (document === undefined) throw new TypeError('the document is not open')
    return document
  }

  /** Undefined: the document is there. Else when it is; false: it does not come back. */
  #away(): Promise<boolean> | undefined {
    if (!this.isAway) return undefined
    return this.open().then(
      () => this.#line !== 'refused',
      () => {
        this.#close(1013, 'UNAVAILABLE')
        return false
      },
    )
  }

  /** Works with the document, anew where it has to be opened anew. */
  async #borrowing<T>(work: (document: OpenDocument) => Promise<T>): Promise<T> {
    for (;;) {
      if (this.isAway) await this.open()
      try {
        return await work(this.#document)
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error
      }
    }
  }

  #lackedBy(known: ReadonlyMap<number, number>): Promise<Uint8Array> {
    return this.#borrowing((document) => document.stateFor(known))
  }

  #failed(error: unknown): void {
    const document = this.#lender.opened()
    if (document !== undefined) document.fail(error)
    else this.#close(1013, 'UNAVAILABLE')
  }

  get #actor() {
    return this.#peer.access().actor ?? unattributed
  }

  /** In a later turn, after all that is admitted was applied; false: nothing more will be. */
  async #isApplied(): Promise<boolean> {
    try {
      await this.#borrowing(async (document) => {
        await document.exclusive.whenFree(() => {
          document.applyWhenFree()
          return document.durable()
        })
        document.applyWhenFree()
      })
    } catch {
      return false
    }
    await new Turns(this.#runtime).next()
    return this.#line !== 'refused'
  }

  /**
   * A credential may take an account after it announced its clientIDs, on this socket or on one
   * that has not ended yet: they follow it.
   */
  #renewReservations(): void {
    if (this.#renewedAs === this.#actor) return
    this.#renewedAs = this.#actor
    this.#document.authorship.renewReservations(this.#peer.access().holder, this.#actor)
  }

  /**
   * A free clientID is the peer's own when it announced it, or when its copy is known to be of this
   * document's present life (then it is an earlier offline page's). Else it is a stranger's: of
   * another document, or of what a restore has undone.
   */
  readonly #mayClaim = (client: number): boolean => {
    if (this.#peer.knowsEpoch || this.#reserved.has(client)) return true
    if (this.#reserved.size > 0) return false
    this.#unannounced ??= client
    return this.#unannounced === client
  }

  /** Undefined: it is done with. */
  #take(arrival: Arrival): Promise<boolean> | undefined {
    if (this.#line === 'refused') return Promise.resolve(false)
    this.#renewReservations()
    const { update, count } = arrival
    const access = this.#peer.access()
    const barred = this.#barred(access)
    const mayPark = !this.#isAnswered
    const options = { mayPark, discard: barred !== undefined, mayClaim: this.#mayClaim }
    const judged = this.#admission.judge(arrival, this.#actor, options)
    if (judged.kind === 'later') return this.#patient(judged.wait)
    if (judged.kind === 'refuse') {
      this.#close(judged.close, judged.reason)
    } else if (judged.kind === 'park') {
      this.#park(arrival)
    } else if (barred !== undefined || access.writer === undefined) {
      this.#drop(judged.facts, barred ?? 'IDENTIFY_REQUIRED', count)
    } else if (judged.facts.changesNothing && !this.#document.intake.erasesElsewhere(update)) {
      this.#document.intake.settleDropped(count)
    } else {
      this.#queue(judged, arrival, access.writer)
    }
    return undefined
  }

  #queue(
    { update, facts, micros }: Extract<Judgement, { kind: 'admit' }>,
    arrival: Arrival,
    writer: Writer,
  ): void {
    const { claims, clients, insertedBytes, blocks } = facts
    this.#document.intake.queue({
      update,
      asSent: arrival.update,
      actor: writer.actor,
      claims,
      clients,
      writer,
      session: arrival.count,
      insertedBytes,
      blocks,
      micros,
    })
    this.#peer.onWrite()
  }

  /** Who waited too long may come back and try again; what was sent is still there then. */
  #patient(wait: Promise<boolean> | undefined): Promise<boolean> | undefined {
    return wait?.then((isTurn) => {
      if (!isTurn) this.#close(1013, 'too busy')
      return isTurn && this.#line !== 'refused'
    })
  }

  /** Why nothing this peer sends may change the document; undefined when it may. */
  #barred(access: PeerAccess): ErrorCode | undefined {
    if (access.role === 'viewer' || access.role === 'commenter') return 'FORBIDDEN'
    if (this.#document.facts.readOnly && access.role !== 'owner') return 'DOC_READ_ONLY'
    return access.writer === undefined ? 'IDENTIFY_REQUIRED' : undefined
  }

  /**
   * What honest editors emit as clean-up is dropped without a word; a real write ends the session.
   */
  #drop(facts: UpdateFacts, barred: ErrorCode, count: SavedCount): void {
    const isWrite = barred === 'IDENTIFY_REQUIRED' ? !facts.changesNothing : facts.inserts
    if (isWrite) this.#close(errorCatalogue[barred].close ?? 4403, barred)
    else this.#document.intake.settleDropped(count)
  }

  #park(arrival: Arrival): void {
    this.#outOfOrder = true
    if (!this.#parked.add(arrival)) this.#close(4409, 'updates with gaps')
  }

  #unpark(): void {
    const arrivals = this.#parked.take()
    if (this.#line === 'here') this.#inbox.takeAgain(arrivals)
  }

  #close(code: number, reason: string): void {
    const wasHere = this.#line === 'here'
    if (wasHere) this.leave()
    this.#line = 'refused'
    if (wasHere) this.#peer.onClose(code, reason)
  }
}
