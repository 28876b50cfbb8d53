/**
 * A live session that outlives its document's host. When the host ends, or the document moves, the
 * session begins again in another one: the socket asks its editor for what the document lacks and
 * sends it what it may lack; updates that come meanwhile wait. Nothing is reported as saved that
 * the editor may have to send again.
 */
import { errorCatalogue, Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { HostPort } from '../host/host-port.ts'
import type {
  Change,
  ConnectRequest,
  Current,
  LivePeer,
  LiveSession,
  PeerAccess,
} from '../live/live-peer.ts'

/** Of updates that the editor sent before this session of a host began. */
interface Earlier {
  readonly updates: number
  /** How many of this session's updates there are up to the editor's answer, once it has come. */
  answeredAt: number | undefined
}

export interface LiveHandleParts {
  readonly slug: Slug
  readonly request: ConnectRequest
  readonly peer: LivePeer
  /** The host of the document at the moment. Refuses what opening one refuses. */
  reach(): Promise<HostPort>
  /** Told once when the session is over. */
  readonly onEnd: () => void
  /** It could not begin again. */
  readonly onTrouble: (error: unknown) => void
  /** Told of an update of one who may write, before it is sent to the host, in bytes. */
  readonly onUpdate: (bytes: number) => void
}

type Call = (session: LiveSession) => void

const nothing = new Uint8Array()

export class LiveHandle implements LiveSession {
  readonly #parts: LiveHandleParts
  #access: PeerAccess
  #first: Pick<LiveSession, 'stateVector' | 'current'> | undefined
  /** Undefined while it begins. */
  #session: LiveSession | undefined
  #beginning: Promise<void> | undefined
  #isMoved = false
  #waiting: Call[] = []
  readonly #clients = new Set<number>()
  #received = 0
  #earlier: Earlier = { updates: 0, answeredAt: 0 }
  /** How often the editor was asked again for what the document lacks, and has not answered. */
  #unanswered = 0
  /** The newest that the peer was told of. */
  #revision = 0
  #isOver = false

  constructor(parts: LiveHandleParts) {
    this.#parts = parts
    this.#access = parts.request.access
  }

  get stateVector(): Uint8Array {
    return this.#first?.stateVector ?? nothing
  }

  get current(): Current {
    if (this.#first === undefined) throw new TypeError('the session has not begun')
    return this.#first.current
  }

  /** Refuses what connecting refuses. */
  async begin(): Promise<this> {
    const begun = this.#begin()
    this.#beginning = begun.catch(() => {})
    await begun
    return this
  }

  access(access: PeerAccess): void {
    this.#access = access
    this.#session?.access(access)
  }

  answerStep1(vector: Uint8Array): Promise<Uint8Array> {
    return this.#asking((session) => session.answerStep1(vector))
  }

  receive(update: Uint8Array, answersStep1: boolean): void {
    const { role, writer } = this.#access
    const mayWrite = writer !== undefined && role !== 'viewer' && role !== 'commenter'
    if (mayWrite) this.#parts.onUpdate(update.length)
    this.#do((session) => {
      this.#received++
      if (answersStep1) this.#answered()
      session.receive(update, answersStep1)
    })
  }

  async reserve(clients: readonly number[]): Promise<readonly number[]> {
    const reserved = await this.#asking((session) => session.reserve(clients))
    for (const client of reserved) this.#clients.add(client)
    return reserved
  }

  leave(): void {
    if (this.#isOver) return
    this.#end()
    this.#session?.leave()
  }

  /** The host is gone, or the document leaves it: begins again where the document is now. */
  moved(): void {
    if (this.#isOver) return
    // What it has sent is taken to the end there, and the old host tells it nothing more.
    this.#session?.leave()
    this.#session = undefined
    this.#isMoved = true
    this.#beginning ??= this.#beginAgain()
  }

  /** `updates` of the host's session are saved. */
  saved({ revision, updates }: { readonly revision: number; readonly updates: number }): void {
    const { answeredAt, updates: earlier } = this.#earlier
    if (answeredAt === undefined || updates < answeredAt) return
    this.#parts.peer.onSaved({ revision, updates: earlier + updates })
  }

  /** The peer knows of this revision. */
  changed(revision: number): void {
    this.#revision = Math.max(this.#revision, revision)
  }

  closed(code: number, reason: string): void {
    if (this.#isOver) return
    this.#end()
    this.#parts.peer.onClose(code, reason)
  }

  /** An answer to what it was asked before says nothing of what the present host lacks. */
  #answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1)
    if (this.#unanswered === 0) this.#earlier.answeredAt ??= this.#received - this.#earlier.updates
  }

  async #begin(): Promise<void> {
    try {
      do this.#first = await this.#connect()
      while (this.#session === undefined && !this.#isOver)
      this.changed(this.#first.current.revision)
    } catch (error) {
      this.#end()
      throw error
    } finally {
      this.#beginning = undefined
    }
  }

  async #beginAgain(): Promise<void> {
    try {
      do {
        this.#parts.peer.onReading(false)
        const session = await this.#connect()
        if (this.#session === session) this.#resume(session)
        // It may have moved once more meanwhile, also by what waited.
      } while (this.#session === undefined && !this.#isOver)
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'UNAVAILABLE'
      this.closed(errorCatalogue[code].close ?? 1013, code)
      if (!(error instanceof Refusal)) this.#parts.onTrouble(error)
    } finally {
      this.#beginning = undefined
    }
  }

  #resume(session: LiveSession): void {
    const { peer } = this.#parts
    this.#earlier = { updates: this.#received, answeredAt: undefined }
    this.#unanswered++
    peer.onCurrent(session.current)
    peer.onBegun(session.stateVector)
    this.#tellMissed(session.current)
    // What waited may be too much for the host, which says so then.
    peer.onReading(true)
    for (const call of this.#waiting.splice(0)) call(session)
  }

  /** One change for all that nobody was told of when the host ended. */
  #tellMissed({ revision }: Current): void {
    if (revision <= this.#revision) return
    this.changed(revision)
    this.#parts.peer.onChange({ revision, event: 'edit', actors: [] })
  }

  /** Again where the host ends meanwhile, a bounded number of times. */
  async #connect(): Promise<LiveSession> {
    const { slug, request, peer, reach } = this.#parts
    for (let left = limits.hostBeginningsMax; ; left--) {
      this.#isMoved = false
      const relay = new Relay(peer, this)
      try {
        const host = await reach()
        const session = await host.connect(slug, { ...request, access: this.#access }, relay)
        session.access(this.#access)
        if (this.#clients.size > 0) await session.reserve([...this.#clients])
        if (this.#isMoved) {
          session.leave()
          continue
        }
        if (this.#isOver) session.leave()
        else this.#session = session
        relay.begin()
        return session
      } catch (error) {
        if (!this.#isMoved || this.#isOver || left <= 0) throw error
      }
    }
  }

  #do(call: Call): void {
    if (this.#isOver) return
    if (this.#session === undefined || this.#waiting.length > 0) this.#waiting.push(call)
    else call(this.#session)
  }

  /** Asked again where the host ends before it has answered. */
  async #asking<T>(ask: (session: LiveSession) => Promise<T>): Promise<T> {
    for (;;) {
      await this.#beginning
      const session = this.#session
      if (session === undefined) throw new Refusal('UNAVAILABLE')
      try {
        return await ask(session)
      } catch (error) {
        if (this.#session === session) throw error
      }
    }
  }

  #end(): void {
    this.#isOver = true
    this.#waiting = []
    this.#parts.onEnd()
  }
}

/** Hands events on; what a handle has to look at, when there is one. */
class Relay implements LivePeer {
  readonly #peer: LivePeer
  readonly #handle: LiveHandle
  #hasBegun = false
  #closed: readonly [number, string] | undefined

  constructor(peer: LivePeer, handle: LiveHandle) {
    this.#peer = peer
    this.#handle = handle
  }

  /** The session is the handle's. */
  begin(): void {
    this.#hasBegun = true
    if (this.#closed !== undefined) this.#handle.closed(...this.#closed)
  }

  onCurrent(current: Current): void {
    this.#peer.onCurrent(current)
  }

  onUpdate(update: Uint8Array): void {
    this.#peer.onUpdate(update)
  }

  onChange(change: Change): void {
    this.#handle.changed(change.revision)
    this.#peer.onChange(change)
  }

  onProvenance(...ranges: Parameters<LivePeer['onProvenance']>): void {
    this.#peer.onProvenance(...ranges)
  }

  onSaved(saved: { readonly revision: number; readonly updates: number }): void {
    if (this.#hasBegun) this.#handle.saved(saved)
  }

  onWrite(): void {
    this.#peer.onWrite()
  }

  onReading(isReading: boolean): void {
    this.#peer.onReading(isReading)
  }

  onBegun(): void {}

  onClose(code: number, reason: string): void {
    if (this.#hasBegun) this.#handle.closed(code, reason)
    else this.#closed = [code, reason]
  }
}
