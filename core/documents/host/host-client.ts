/**
 * The front's side of a document host behind messages: asks, waits for answers, tells sessions of
 * their events, and answers what the host asks of the store. Knows nothing of how messages travel.
 */
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type {
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  Sources,
} from '../live/live-peer.ts'
import type { HostPort } from './host-port.ts'
import type {
  Connected,
  FromHost,
  Question,
  SessionBroadcast,
  SessionEvent,
  SessionId,
  ToHost,
} from './messages.ts'
import { HostOutbox, type Post } from './outbox.ts'
import { errorOf, plainError } from './plain-errors.ts'
import type { Answer, Ask, HostCall } from './protocol.ts'
import { StoreService } from './store-service.ts'

/** Of all sockets' updates on their way to one host; those beyond are not read meanwhile. */
const hostUnreadTotalMaxBytes = 32 * 1024 * 1024

/** Of one socket's updates that are on their way to its document's host. */
export const hostUnreadMaxBytes = 1024 * 1024

/** Requests that a host of documents has not answered; more are UNAVAILABLE. */
export const hostCallsMax = 8_192

export interface HostClientParts {
  /** In logs, errors and metrics. */
  readonly name: string
  readonly store: Store
  readonly runtime: Runtime
  /** Posts to the host. */
  readonly post: Post<ToHost>
  readonly onTrouble: (trouble: { readonly slug: Slug; readonly error: unknown }) => void
  /** Nothing of a document is in the host any more, as far as it knew. */
  readonly onGone: (slug: Slug) => void
  /** A document has become a large one. */
  readonly onGrown: (slug: Slug) => void
}

interface PendingCall {
  resolve(answer: unknown): void
  reject(error: unknown): void
  readonly onWork: ((ms: number) => void) | undefined
}

/** Somebody who is told of events. */
interface Listener {
  readonly target: Partial<LivePeer & Follower>
  /** Of its updates that the host has not taken. */
  waitingBytes: number
  /** What the host says, and what waits on the way there. */
  hostReads: boolean
  isReading: boolean
}

type Unnumbered<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never

export class HostClient implements HostPort {
  readonly name: string
  readonly #parts: HostClientParts
  readonly #outbox: HostOutbox<ToHost>
  readonly #service: StoreService
  readonly #waiting = new Map<number, PendingCall>()
  readonly #listeners = new Map<SessionId, Listener>()
  /** Of all listeners. */
  #waitingBytes = 0
  #ids = 0
  #usage = { openCount: 0, memoryBytes: 0 }
  #lost: Error | undefined

  constructor(parts: HostClientParts) {
    this.name = parts.name
    this.#parts = parts
    this.#outbox = new HostOutbox(parts.runtime, parts.post)
    this.#service = new StoreService(parts.store, (told) => this.#tell(told))
  }

  get openCount(): number {
    return this.#usage.openCount
  }

  get memoryBytes(): number {
    return this.#usage.memoryBytes
  }

  /** Whether anything is asked that has not been answered. */
  get isAsked(): boolean {
    return this.#waiting.size > 0
  }

  call<K extends HostCall>(
    name: K,
    ask: Ask<K>,
    onWork?: (ms: number) => void,
  ): Promise<Answer<K>> {
    const question = { kind: 'call', name, ask } as Unnumbered<Question>
    return this.#ask(question, onWork) as Promise<Answer<K>>
  }

  async connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession> {
    const { access, events, knowsEpoch } = request
    const session = this.#listen(peer)
    const plain = { access, events, knowsEpoch }
    const asked = this.#ask({ kind: 'connect', session, slug, request: plain })
    const { stateVector, current } = (await this.#begun(session, asked)) as Connected
    return {
      stateVector,
      current,
      access: ({ role, actor, writer, holder, sources }) =>
        this.#send({ kind: 'access', session, access: { role, actor, writer, holder, sources } }),
      answerStep1: (vector) => this.#ask({ kind: 'step1', session, vector }) as Promise<Uint8Array>,
      receive: (update, answersStep1) => this.#receive(session, update, answersStep1),
      reserve: (clients) =>
        this.#ask({ kind: 'reserve', session, clients }) as Promise<readonly number[]>,
      leave: () => this.#leave(session),
    }
  }

  async follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following> {
    const session = this.#listen(follower)
    const asked = this.#ask({ kind: 'follow', session, slug, sources })
    const revision = (await this.#begun(session, asked)) as number
    return { revision, stop: () => this.#leave(session) }
  }

  async close(): Promise<void> {
    if (this.#lost === undefined) await this.#ask({ kind: 'close' })
  }

  ping(): void {
    this.#send({ kind: 'ping' })
  }

  /** Messages of a host that was declared lost are dropped, its commits among them. */
  receive(messages: readonly FromHost[]): void {
    for (const message of messages) if (this.#lost === undefined) this.#take(message)
  }

  /** Says whether nothing of the document is in the host any more, by `onGone`. */
  look(slug: Slug): void {
    this.#send({ kind: 'look', slug })
  }

  /**
   * The host is gone: nothing is sent or taken any more. Resolves when each commit that the host
   * had sent is durable or has failed. Those who wait are refused then, so that a request that is
   * tried again finds what the first attempt did.
   */
  async lost(why: Error): Promise<void> {
    if (this.#lost !== undefined) return
    this.#lost = why
    this.#listeners.clear()
    await this.#service.close()
    for (const { reject } of this.#waiting.values()) reject(away())
    this.#waiting.clear()
  }

  #take(message: FromHost): void {
    switch (message.kind) {
      case 'answer':
        this.#answered(message.id)?.resolve(message.answer)
        break
      case 'refusal':
        this.#answered(message.id)?.reject(errorOf(message.error, this.name))
        break
      case 'work':
        this.#waiting.get(message.id)?.onWork?.(message.ms)
        break
      case 'event':
        this.#tell(message)
        break
      case 'taken':
        for (const [session, bytes] of message.of) this.#taken(session, bytes)
        break
      case 'usage':
        this.#usage = message
        break
      case 'gone':
        this.#parts.onGone(message.slug)
        break
      case 'grown':
        this.#parts.onGrown(message.slug)
        break
      case 'trouble':
        this.#parts.onTrouble({ slug: message.slug, error: errorOf(message.error, this.name) })
        break
      case 'store':
        void this.#serve(message)
        break
      case 'pong':
        break
    }
  }

  async #serve({ id, ...question }: Extract<FromHost, { kind: 'store' }>): Promise<void> {
    try {
      const answer = await this.#service.answer(question)
      this.#send({ kind: 'stored', id, answer })
    } catch (error) {
      this.#send({ kind: 'store-failed', id, error: plainError(error) })
    }
  }

  #ask(question: Unnumbered<Question>, onWork?: (ms: number) => void): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(away())
    if (this.#waiting.size >= hostCallsMax) return Promise.reject(away())
    const id = ++this.#ids
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onWork })
      this.#send({ ...question, id } as Question)
    })
  }

  #send(message: ToHost): void {
    if (this.#lost === undefined) this.#outbox.add(message)
  }

  #answered(id: number): PendingCall | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  #listen(target: Partial<LivePeer & Follower>): SessionId {
    const session = ++this.#ids
    this.#listeners.set(session, { target, waitingBytes: 0, hostReads: true, isReading: true })
    return session
  }

  async #begun(session: SessionId, asked: Promise<unknown>): Promise<unknown> {
    try {
      return await asked
    } catch (error) {
      this.#listeners.delete(session)
      throw error
    }
  }

  #leave(session: SessionId): void {
    if (this.#listeners.delete(session)) this.#send({ kind: 'leave', session })
  }

  #receive(session: SessionId, update: Uint8Array, answersStep1: boolean): void {
    const listener = this.#listeners.get(session)
    if (listener === undefined) return
    listener.waitingBytes += update.length
    this.#wait(update.length)
    this.#read(listener)
    this.#send({ kind: 'receive', session, update, answersStep1 })
  }

  /** Also of sessions that have left: their updates were on the way too. */
  #taken(session: SessionId, bytes: number): void {
    this.#wait(-bytes)
    const listener = this.#listeners.get(session)
    if (listener === undefined) return
    listener.waitingBytes -= bytes
    this.#read(listener)
  }

  #wait(bytes: number): void {
    const wasFull = this.#isFull
    this.#waitingBytes += bytes
    if (wasFull !== this.#isFull) for (const each of this.#listeners.values()) this.#read(each)
  }

  get #isFull(): boolean {
    return this.#waitingBytes >= hostUnreadTotalMaxBytes
  }

  /**
   * A socket is read while its host reads and little of it is on the way there; where much of all
   * sockets is, only while nothing of it is.
   */
  #read(listener: Listener): void {
    const { waitingBytes, hostReads } = listener
    const mostBytes = this.#isFull ? 1 : hostUnreadMaxBytes
    const isReading = hostReads && waitingBytes < mostBytes
    if (isReading === listener.isReading) return
    listener.isReading = isReading
    listener.target.onReading?.(isReading)
  }

  #tell({ sessions, event }: SessionBroadcast): void {
    for (const session of sessions) {
      const listener = this.#listeners.get(session)
      if (listener === undefined) continue
      if (event.name === 'onReading') {
        listener.hostReads = event.data[0]
        this.#read(listener)
        continue
      }
      if (event.name === 'onClose') this.#listeners.delete(session)
      call(listener.target, event)
    }
  }
}

function call(target: Partial<LivePeer & Follower>, { name, data }: SessionEvent): void {
  const told = target[name] as ((...data: readonly unknown[]) => void) | undefined
  told?.apply(target, [...data])
}

const away = () => new Refusal('UNAVAILABLE', { retry_after: 1 })
