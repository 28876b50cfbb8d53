/**
 * One live socket's side of a document: judges what it sends, counts what of it is durable, and
 * parks updates with gaps for as long as a reconnecting stock client may honestly send them (it
 * sends new keystrokes before it answers the server's sync step 1). The document is borrowed for
 * each message and may leave memory in between, or be opened anew.
 */
import { type ErrorCode, errorCatalogue, Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { SavedCount } from '../../commit/live-update.ts'
import type { Writer } from '../../commit/permission.ts'
import type { UpdateFacts } from '../guard/guard.ts'
import { BorrowedDocument, type Lender } from './borrowed-document.ts'
import type { Caller, FairWork } from './fair-work.ts'
import type { LiveDocument } from './live-document.ts'
import type { ConnectRequest, Current, LivePeer, LiveSession, PeerAccess } from './live-peer.ts'
import type { LivePeers, SessionFacts } from './live-peers.ts'
import { ParkedUpdates } from './parked-updates.ts'
import { SessionClients } from './session-clients.ts'
import { type Message, SessionQueue } from './session-queue.ts'
import { UpdateAdmission } from './update-admission.ts'

export interface SessionParts {
  /** As it is now. */
  readonly document: LiveDocument
  readonly lender: Lender
  readonly request: ConnectRequest
  readonly peer: LivePeer
  readonly runtime: Runtime
  readonly fair: FairWork
}

interface Here {
  readonly kind: 'here'
  /** From the document's peers. */
  detach(): void
  /** Once it had words that are not here: those are heard before it is shown anything. */
  initialHold: InitialHold | undefined
  heard: Promise<void> | undefined
}

type SessionState =
  | Here
  /** What it sent is still taken to the end. */
  | { readonly kind: 'left' }
  /** Nothing more is taken. */
  | { readonly kind: 'refused' }

export class PeerSession implements LiveSession, SavedCount {
  readonly stateVector: Uint8Array
  readonly current: Current
  readonly #peers: LivePeers
  readonly #closings: number
  readonly #borrowed: BorrowedDocument
  readonly #peer: LivePeer
  readonly #facts: SessionFacts
  readonly #runtime: Runtime
  readonly #fair: FairWork
  readonly #slug: Slug
  readonly #admission: UpdateAdmission
  readonly #clients: SessionClients
  #state: SessionState
  /** It has said what it has, so that nothing of it has gaps any more. */
  #isAnswered = false
  readonly #parked: ParkedUpdates
  readonly #queue: SessionQueue
  #receivedUpdates = 0
  #savedUpdates = 0
  /** With fewer than these settled, those that are settled need not be the first that came in. */
  #inOrderFrom = 0

  constructor({ document, lender, request, peer, runtime, fair }: SessionParts) {
    const { access, events, knowsEpoch } = request
    this.#facts = { access, events, knowsEpoch }
    this.stateVector = document.stateVector()
    this.current = document.peers.current
    this.#peers = document.peers
    this.#closings = document.peers.closings
    this.#borrowed = new BorrowedDocument(lender, document.peers)
    this.#peer = peer
    this.#runtime = runtime
    this.#fair = fair
    this.#slug = document.slug
    this.#clients = new SessionClients(this.#facts)
    this.#state = {
      kind: 'here',
      detach: this.#peers.add(peer, this.#facts),
      initialHold: undefined,
      heard: undefined,
    }
    this.#parked = new ParkedUpdates(runtime, () => {
      this.#isAnswered = true
      this.#unpark()
    })
    this.#admission = new UpdateAdmission({ document: () => this.#document, runtime })
    this.#queue = new SessionQueue({
      away: () => this.#away(),
      take: (message) => this.#take(message),
      reads: (isReading) => this.#peer.onReading(isReading),
      taken: ({ answersStep1 }) => this.#isTaken(answersStep1),
      finishing: (work) => this.#peers.finishing(work),
      inTurn: (job) => fair.add(this.#caller, job),
      failed: (error) => this.#failed(error),
    })
  }

  get #caller(): Caller {
    return { slug: this.#slug, ...this.#facts.access.sources }
  }

  async answerStep1(vector: Uint8Array): Promise<Uint8Array> {
    if (this.#borrowed.isAway) await this.#borrowed.open()
    this.#clients.renew(this.#document.state.authorship)
    const verdict = this.#document.guard.judgeStateVector(vector, this.#clients.actor)
    if (verdict.kind === 'refuse') {
      this.#close(verdict.close, verdict.reason)
      throw new Refusal('UNAVAILABLE')
    }
    if (verdict.isAhead) {
      const here = this.#assertHere()
      here.heard ??= this.#hear(here, vector)
      await here.heard
    }
    return this.#borrowed.use((document) =>
      this.#fair.run(this.#caller, () => document.stateFor(verdict.known)),
    )
  }

  access(access: PeerAccess): void {
    this.#facts.access = access
  }

  /** At once where the document is open: before what is received after it. */
  async reserve(clients: readonly number[]): Promise<readonly number[]> {
    if (this.#borrowed.isAway) await this.#borrowed.open()
    // A reservation made after its session has left would never be released.
    if (this.#state.kind !== 'here') return []
    return this.#clients.reserve(clients, this.#document.state.authorship)
  }

  receive(update: Uint8Array, answersStep1: boolean): void {
    if (this.#state.kind !== 'here') return
    this.#peers.used()
    this.#receivedUpdates++
    if (update.length > limits.socketMessageMaxBytes) {
      this.#close(4413, 'PAYLOAD_TOO_LARGE')
      return
    }
    const hasRoom = this.#queue.receive({ update, answersStep1 })
    if (!hasRoom) this.#close(1013, 'too many messages')
  }

  leave(): void {
    if (this.#state.kind !== 'here') return
    const { detach, initialHold } = this.#state
    this.#state = { kind: 'left' }
    this.#parked.stopWaiting()
    initialHold?.end()
    detach()
    const { holder } = this.#facts.access
    if (!this.#peers.has(holder)) {
      this.#borrowed.opened?.state.authorship.releaseReservations(holder)
    }
    this.#peers.left()
  }

  saved(count: number): void {
    this.#savedUpdates += count
    if (this.#state.kind !== 'here' || !this.#facts.events) return
    // The peer reads the count as "all up to this one", so those that were parked hold it back.
    if (this.#savedUpdates < this.#inOrderFrom) return
    const { revision } = this.#peers.current
    this.#peer.onSaved({ revision, updates: this.#savedUpdates })
  }

  /** Resolves when what it has and others have not is stored, or it does not say it in time. */
  async #hear(here: Here, vector: Uint8Array): Promise<void> {
    if (this.#isAnswered || this.#barred(this.#facts.access) !== undefined) return
    here.initialHold = new InitialHold({
      runtime: this.#runtime,
      isAhead: () => this.#lacks(vector),
      show: this.#peers.withhold(this.#peer),
    })
    await here.initialHold.over
    this.#assertHere()
    await this.#borrowed.use((document) => {
      document.settle()
      return document.durable()
    })
  }

  /** A document that is away will be asked when it is back. */
  #lacks(vector: Uint8Array): boolean {
    if (this.#borrowed.isAway) return true
    const verdict = this.#document.guard.judgeStateVector(vector, this.#clients.actor)
    return verdict.kind === 'admit' && verdict.isAhead
  }

  #isTaken(answersStep1: boolean): void {
    if (answersStep1) this.#unpark()
    const initialHold = this.#state.kind === 'here' ? this.#state.initialHold : undefined
    if (answersStep1) initialHold?.end()
    else initialHold?.look()
  }

  get #document(): LiveDocument {
    return this.#borrowed.document
  }

  /** Undefined: the document is there. Else when it is; false: it does not come back. */
  #away(): Promise<boolean> | undefined {
    if (!this.#borrowed.isAway) return undefined
    return this.#borrowed.open().then(
      () => this.#state.kind !== 'refused',
      () => {
        this.#close(1013, 'UNAVAILABLE')
        return false
      },
    )
  }

  #failed(error: unknown): void {
    const document = this.#borrowed.opened
    if (document !== undefined) document.fail(error)
    else this.#close(1013, 'UNAVAILABLE')
  }

  /** Undefined: it is done with. */
  #take(message: Message): Promise<boolean> | undefined {
    // Whom the document itself sent away is not heard to the end, nor after it is back.
    if (this.#peers.closings !== this.#closings) this.#state = { kind: 'refused' }
    if (this.#state.kind === 'refused') return Promise.resolve(false)
    this.#clients.renew(this.#document.state.authorship)
    const { update } = message
    if (message.answersStep1) this.#isAnswered = true
    const { access } = this.#facts
    const barred = this.#barred(access)
    const mayPark = !this.#isAnswered
    const options = { mayPark, discard: barred !== undefined, mayClaim: this.#clients.mayClaim }
    const judged = this.#admission.judge(update, this.#clients.actor, options)
    if (judged.kind === 'later') return this.#patient(judged.wait)
    if (judged.kind === 'refuse') {
      this.#close(judged.close, judged.reason)
    } else if (judged.kind === 'park') {
      this.#park(message)
    } else if (barred !== undefined || access.writer === undefined) {
      this.#drop(judged.facts, barred ?? 'IDENTIFY_REQUIRED')
    } else if (judged.facts.changesNothing && !this.#document.intake.erasesElsewhere(update)) {
      this.#document.intake.settleDropped(this)
    } else {
      this.#add(judged.update, judged.facts, update, access.writer)
    }
    return undefined
  }

  #add(update: Uint8Array, facts: UpdateFacts, asSent: Uint8Array, writer: Writer): void {
    const { claims, clients, insertedBytes, blocks, effort } = facts
    const { actor } = writer
    const own = { actor, claims, clients, writer, session: this, insertedBytes, blocks, effort }
    this.#document.intake.queue({ update, asSent, ...own })
    this.#peer.onWrite()
  }

  /** Who waited too long may come back and try again; what was sent is still there then. */
  #patient(wait: Promise<boolean> | undefined): Promise<boolean> | undefined {
    return wait?.then((isTurn) => {
      if (!isTurn) this.#close(1013, 'too busy')
      return isTurn && this.#state.kind !== 'refused'
    })
  }

  /** Why nothing this peer sends may change the document; undefined when it may. */
  #barred(access: PeerAccess): ErrorCode | undefined {
    if (access.role === 'viewer' || access.role === 'commenter') return 'FORBIDDEN'
    if (this.#document.newestFacts.readOnly && access.role !== 'owner') return 'DOC_READ_ONLY'
    return access.writer === undefined ? 'IDENTIFY_REQUIRED' : undefined
  }

  /**
   * What honest editors emit as clean-up is dropped without a word; a real write ends the session.
   */
  #drop(facts: UpdateFacts, barred: ErrorCode): void {
    const isWrite = barred === 'IDENTIFY_REQUIRED' ? !facts.changesNothing : facts.inserts
    if (isWrite) this.#close(errorCatalogue[barred].close ?? 4403, barred)
    else this.#document.intake.settleDropped(this)
  }

  #park(message: Message): void {
    this.#inOrderFrom = Number.POSITIVE_INFINITY
    if (!this.#parked.add(message)) this.#close(4409, 'updates with gaps')
  }

  #unpark(): void {
    const messages = this.#parked.take()
    // They go before all that waits, so what came in until now is settled before what comes later.
    if (messages.length > 0) this.#inOrderFrom = this.#receivedUpdates
    if (this.#state.kind === 'here') this.#queue.takeAgain(messages)
  }

  #assertHere(): Here {
    if (this.#state.kind !== 'here') throw new Refusal('UNAVAILABLE')
    return this.#state
  }

  #close(code: number, reason: string): void {
    const wasHere = this.#state.kind === 'here'
    if (wasHere) this.leave()
    this.#state = { kind: 'refused' }
    if (wasHere) this.#peer.onClose(code, reason)
  }
}

interface InitialHoldParts {
  readonly runtime: Runtime
  /** Whether it has words still that are not here. */
  isAhead(): boolean
  /** Shows it again what others write. */
  show(): void
}

/**
 * A session that comes back with words of its own says them first. An editor that saw before that
 * the text it wrote in stands elsewhere now would throw its words away, and they would be lost if
 * its line broke while they were on their way. So it is shown nothing until it has said them, or
 * for a while.
 */
class InitialHold {
  /** It said what it had, or left, or its time has passed. */
  readonly over: Promise<void>
  readonly #isAhead: () => boolean
  readonly #timer: Timer
  #end: () => void = () => {}

  constructor({ runtime, isAhead, show }: InitialHoldParts) {
    this.#isAhead = isAhead
    this.over = new Promise<void>((resolve) => {
      this.#end = resolve
    }).then(show)
    this.#timer = runtime.after(limits.parkedUpdateMaxMs, () => this.#end())
  }

  /** Something of it was taken. */
  look(): void {
    if (!this.#isAhead()) this.end()
  }

  end(): void {
    this.#timer.cancel()
    this.#end()
  }
}
