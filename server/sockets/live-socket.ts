/**
 * A live editor's socket (interface §6.2): the y-websocket protocol in front of a LiveSession.
 * Messages are handled in the order they came; a nameless token is looked up again before its first
 * write is refused, since it may have identified meanwhile over REST.
 */

import { atLeast } from '../../core/access/may.ts'
import type {
  Change,
  ConnectRequest,
  Current,
  LivePeer,
  LiveSession,
  PeerAccess,
} from '../../core/documents/contract.ts'
import { schemaVersion } from '../../schema/document-schema.ts'
import { type ErrorCode, errorCatalogue, Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Allowance } from './allowance.ts'
import type { AwarenessRoom } from './awareness.ts'
import { discussedIn } from './discussed.ts'
import {
  decodeMessage,
  eventFrame,
  type LiveMessage,
  step1Frame,
  step2Frame,
  updateFrame,
  waitingMessageBytes,
} from './messages.ts'
import type { AwarenessMember, Who } from './presence-peer.ts'
import { LargeFrames, type Socket } from './socket.ts'

/** A longer message counts as much against what a socket may say of itself. */
export const awarenessMaxBytes = 16 * 1024

export const awarenessEchoEveryMs = 20_000

/** Who may do less than before is told so for good; who may do more is to come back at once. */
const roleLost = 4403
/** A stock client comes back: that it does not is so of 4400–4499 alone. */
const roleGained = 4503

/** Changes after which anybody's role, or the lock, may be another one. */
const changesAccess: ReadonlySet<string> = new Set(['access', 'settings'])

const closeCode = (code: ErrorCode): number => errorCatalogue[code].close ?? 1011

/** What a live socket's credential is worth, and what its holder is called. */
export interface SocketAccess extends PeerAccess {
  readonly displayName: string | undefined
}

/** What of it the document needs to know. */
const peerAccessOf = ({ role, actor, writer, holder, sources }: SocketAccess): PeerAccess => {
  return { role, actor, writer, holder, sources }
}

export interface LiveSocketParts {
  readonly socket: Socket
  readonly slug: Slug
  readonly room: AwarenessRoom
  readonly events: boolean
  /** The present life of the store. */
  readonly epoch: string
  readonly knowsEpoch: boolean
  /** Whether its holder may become the owner. */
  readonly claimable: boolean
  /** Its browser did not come by a link. */
  readonly linkless: boolean
  readonly runtime: Runtime
  readonly access: SocketAccess
  /** What the credential is worth now. Throws the refusal when it is worth nothing any more. */
  refresh(): Promise<SocketAccess>
  connect(request: ConnectRequest, peer: LivePeer): Promise<LiveSession>
  /** Refuses UNAVAILABLE where the disk has no room for so many bytes. */
  assertSpace(bytes: number): void
  /** Told once, after the first update that changes something. */
  onFirstWrite(): Promise<void>
  onError(error: unknown): void
}

export class LiveSocket implements LivePeer, AwarenessMember {
  readonly #parts: LiveSocketParts
  #access: SocketAccess
  /** As last told by the document. */
  #current: Current | undefined
  /** What the peer was last told of itself. */
  #introduced = ''
  #session: LiveSession | undefined
  /** Messages wait for what is under way before them. */
  #order: Promise<void> | undefined
  #waiting: LiveMessage[] = []
  #waitingBytes = 0
  readonly #states: LargeFrames
  /** What it was not told of when its session had to begin again. */
  readonly #missed: LargeFrames
  /** A state vector of what the peer was sent; undefined: that of the session's beginning. */
  #known: Uint8Array | undefined
  readonly #provenances: LargeFrames
  /** Of what it says of itself. */
  readonly #allowance: Allowance
  /** How many people the peer knows of that are not shown. */
  #hidden = 0
  #hasWritten = false
  #isClosed = false

  constructor(parts: LiveSocketParts) {
    this.#parts = parts
    this.#access = parts.access
    this.#states = new LargeFrames(parts.socket, (error) => this.fail(error))
    this.#missed = new LargeFrames(parts.socket, (error) => this.fail(error))
    this.#provenances = new LargeFrames(parts.socket, (error) => this.fail(error))
    const { awarenessInBytesPerSecond: perSecond } = limits
    this.#allowance = new Allowance({ runtime: parts.runtime, perSecond, atOnce: perSecond })
    parts.socket.onMessage((data, isBinary) => this.#onMessage(data, isBinary))
    parts.socket.onClose(() => this.#leave())
    parts.room.join(this)
    this.#order = this.#begin()
  }

  get hasWritten(): boolean {
    return this.#hasWritten
  }

  who(): Who | undefined {
    const { holder, actor, displayName, sources } = this.#access
    if (actor === undefined && this.#parts.linkless) return undefined
    return { holder, actor, name: displayName, sources }
  }

  onCurrent(current: Current): void {
    this.#current = current
  }

  onUpdate(update: Uint8Array): void {
    this.#parts.socket.sendFrame(updateFrame(update))
  }

  onChange(change: Change): void {
    const { slug } = this.#parts
    const { revision, event, actors } = change
    if (changesAccess.has(event)) void this.refresh()
    if (!this.#parts.events) return
    const since = revision - 1
    const said = { type: 'doc_changed', slug, revision, since_revision: since, event, actors }
    const more = discussedIn(change)
    this.#parts.socket.send(JSON.stringify(more === undefined ? said : { ...said, ...more }))
  }

  onProvenance(ranges: readonly { from: number; to: number; author: ActorId }[]): void {
    this.#provenances.send(async () => eventFrame('provenance', ranges, { ranges }))
  }

  onSaved(saved: { readonly revision: number; readonly updates: number }): void {
    this.#parts.socket.send(eventFrame('saved', saved, saved))
  }

  onWrite(): void {
    if (this.#hasWritten) return
    this.#hasWritten = true
    this.#parts.onFirstWrite().catch((error: unknown) => {
      this.#hasWritten = false
      this.#parts.onError(error)
    })
  }

  onBegun(stateVector: Uint8Array): void {
    const session = this.#session
    if (session === undefined) return
    this.#parts.socket.send(step1Frame(stateVector))
    const known = this.#known ?? session.stateVector
    this.#missed.send(async () => {
      const update = await session.answerStep1(known)
      this.#known = stateVector
      return step2Frame(update)
    })
    void this.refresh()
  }

  onReading(isReading: boolean): void {
    this.#parts.socket.read(isReading)
  }

  onClose(code: number, reason: string): void {
    this.close(code, reason)
  }

  async reserve(clients: readonly number[]): Promise<readonly number[]> {
    return (await this.#session?.reserve(clients)) ?? []
  }

  get hasBacklog(): boolean {
    return this.#parts.socket.hasBacklog
  }

  hear(frame: Uint8Array): void {
    this.#parts.socket.sendFrame(frame)
  }

  hearSlowly(message: Uint8Array): Promise<void> {
    return this.#parts.socket.sendLarge(message)
  }

  refuse(): void {
    this.close(roleLost, 'malformed message')
  }

  /** Ends this socket; the client comes back unless a refusal is final. */
  fail(error: unknown): void {
    if (this.#isClosed) return
    if (error instanceof Refusal) {
      this.close(closeCode(error.code), error.code)
      return
    }
    this.#parts.onError(error)
    this.close(1013, 'UNAVAILABLE')
  }

  /**
   * Tells how many people are not shown, where that has changed, and keeps an idle stock client,
   * which gives up after 30 s without a message.
   */
  keepWarm(): void {
    const { events, room, socket } = this.#parts
    const hidden = room.hiddenCount
    if (events && this.#introduced !== '' && hidden !== this.#hidden) {
      this.#hidden = hidden
      socket.send(eventFrame('presence', {}, { hidden }))
    }
    if (socket.idleMs >= awarenessEchoEveryMs) socket.send(room.echo(this))
  }

  get slug(): Slug {
    return this.#parts.slug
  }

  /** From now on nothing that this peer sends counts, whether or not it answers the close. */
  close(code: number, reason: string): void {
    this.#leave()
    this.#parts.socket.close(code, reason)
  }

  beat(): void {
    this.#parts.socket.beat()
  }

  async #begin(): Promise<void> {
    try {
      const { events, knowsEpoch } = this.#parts
      const access = this.#access
      const request = { access: peerAccessOf(access), events, knowsEpoch }
      const session = await this.#parts.connect(request, this)
      this.#session = session
      if (this.#access !== access) session.access(peerAccessOf(this.#access))
      this.#current ??= session.current
      if (this.#isClosed) {
        session.leave()
        return
      }
      this.#introduce(this.#current)
      this.#parts.socket.send(step1Frame(session.stateVector))
      this.#parts.room.open(this)
    } catch (error) {
      this.fail(error)
    }
    await this.#drain()
  }

  /** Tells a peer that asked for events who it is here, and again when that changes. */
  #introduce({ revision, readOnly, commentsDisabled }: Current): void {
    if (!this.#parts.events || this.#isClosed) return
    const { role, actor, displayName } = this.#access
    const self = {
      role,
      actor_id: actor ?? null,
      name: displayName ?? null,
      read_only: readOnly,
      comments_disabled: commentsDisabled,
    }
    const introduced = JSON.stringify(self)
    if (introduced === this.#introduced) return
    this.#introduced = introduced
    const { epoch, claimable, linkless, room } = this.#parts
    this.#hidden = room.hiddenCount
    const data = {
      epoch,
      revision,
      ...self,
      schema: schemaVersion,
      ...(claimable && { claimable }),
      ...(linkless && { linkless }),
      ...(this.#hidden > 0 && { hidden: this.#hidden }),
    }
    this.#parts.socket.send(eventFrame('hello', data, data))
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (!isBinary || this.#isClosed) return
    let message: LiveMessage | undefined
    try {
      message = decodeMessage(data)
    } catch {
      this.refuse()
      return
    }
    if (message === undefined || !this.#mayBeHeard(message)) return
    if (this.#order === undefined && !this.#mustAsk(message)) {
      this.#handle(message)
      return
    }
    this.#waiting.push(message)
    this.#waitingBytes += data.length + waitingMessageBytes
    if (this.#waitingBytes > limits.waitingMessagesMaxBytes) this.#closeFlooded()
    else this.#order ??= this.#drain()
  }

  /** What says more of itself than anybody's client does is not listened to for a while. */
  #mayBeHeard(message: LiveMessage): boolean {
    if (message.kind !== 'awareness') return true
    const { length } = message.update
    return this.#allowance.take(waitingMessageBytes + Math.min(length, awarenessMaxBytes))
  }

  /** A write by somebody who had no name, or whose session is not there yet. */
  #mustAsk(message: LiveMessage): boolean {
    const writes = message.kind === 'update' || message.kind === 'step2'
    return writes && this.#access.role === 'editor' && this.#access.writer === undefined
  }

  async #drain(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.#mustAsk(next)) await this.refresh()
      this.#handle(next)
    }
    this.#waitingBytes = 0
    this.#order = undefined
  }

  /**
   * Looks the credential up again. A lower role ends the socket for good; a higher one ends it so
   * that the client comes back with it.
   */
  async refresh(): Promise<void> {
    try {
      const { role, displayName } = this.#access
      this.#access = await this.#parts.refresh()
      this.#session?.access(peerAccessOf(this.#access))
      if (this.#access.displayName !== displayName) this.#parts.room.renamed(this)
      if (!atLeast(this.#access.role, role)) this.close(roleLost, 'role lost')
      else if (this.#access.role !== role) this.close(roleGained, 'role gained')
      else if (this.#session && this.#current) this.#introduce(this.#current)
    } catch (error) {
      this.fail(error)
    }
  }

  #handle(message: LiveMessage): void {
    if (this.#isClosed || this.#session === undefined) return
    try {
      this.#dispatch(message, this.#session)
    } catch (error) {
      this.fail(error)
    }
  }

  #dispatch(message: LiveMessage, session: LiveSession): void {
    switch (message.kind) {
      case 'step1':
        this.#states.send(async () => step2Frame(await session.answerStep1(message.vector)))
        break
      case 'step2':
        this.#requireSpace(message.update)
        session.receive(message.update, true)
        break
      case 'update':
        this.#requireSpace(message.update)
        session.receive(message.update, false)
        break
      case 'awareness':
        this.#parts.room.receive(this, message.update)
        break
      case 'query-awareness':
        this.#parts.room.ask(this)
        break
    }
  }

  /** An update begins with how many clients it has content of; without any it is no large write. */
  #requireSpace(update: Uint8Array): void {
    if (update[0] !== 0) this.#parts.assertSpace(update.length)
  }

  #closeFlooded(): void {
    this.close(1013, 'too many messages')
  }

  #leave(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#waiting = []
    this.#parts.room.leave(this)
    this.#session?.leave()
  }
}
