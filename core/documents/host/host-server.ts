/**
 * A document host behind messages: what the front asks is done by the host, in the order in which
 * it comes, and everything that the host says is posted.
 */

import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { Follower, Following, LivePeer, LiveSession } from '../live/live-peer.ts'
import { DocumentHost, type HostParts } from './document-host.ts'
import type {
  FromHost,
  Question,
  SessionBroadcast,
  SessionEvent,
  SessionEvents,
  SessionId,
  ToHost,
} from './messages.ts'
import { HostOutbox, type Post } from './outbox.ts'
import { errorOf, plainError } from './plain-errors.ts'
import { RemoteStore } from './remote-store.ts'

export interface ServedHost extends Omit<HostParts, 'store' | 'onTrouble' | 'onGone' | 'onGrown'> {
  readonly runtime: Runtime
  /** Posts to the front. */
  readonly post: Post<FromHost>
}

const peerEvents = [
  'onCurrent',
  'onUpdate',
  'onChange',
  'onProvenance',
  'onSaved',
  'onWrite',
  'onReading',
  'onClose',
] as const satisfies readonly (keyof SessionEvents)[]

interface Session {
  readonly slug: Slug
  readonly live: LiveSession
}

/** Bytes of taken updates that are told at once; fewer go with what is posted next. */
const reportedFromBytes = 64 * 1024

export class HostServer {
  readonly #parts: Pick<ServedHost, 'working'>
  readonly #host: DocumentHost
  readonly #store: RemoteStore
  readonly #outbox: HostOutbox<FromHost>
  readonly #sessions = new Map<SessionId, Session>()
  readonly #followers = new Map<SessionId, Following>()
  /** Those that have not begun yet, and whether they left meanwhile. */
  readonly #beginning = new Map<SessionId, 'here' | 'left'>()
  /** The time that calls have taken and the front does not know of. */
  readonly #work = new Map<number, number>()
  /** Bytes of updates that were taken and the front does not know of, by session. */
  readonly #taken = new Map<SessionId, number>()
  #takenBytes = 0
  #kept: SessionBroadcast[] | undefined
  #usage = { openCount: 0, memoryBytes: 0 }

  constructor({ post, ...parts }: ServedHost) {
    this.#parts = parts
    this.#outbox = new HostOutbox(parts.runtime, post, () => this.#tellMore())
    this.#store = new RemoteStore({
      ask: (id, question) => this.#outbox.add({ kind: 'store', id, ...question }),
      kept: (show) => this.#keeping(show),
    })
    this.#host = new DocumentHost({
      ...parts,
      store: this.#store,
      onTrouble: ({ slug, error }) =>
        this.#outbox.add({ kind: 'trouble', slug, error: plainError(error) }),
      onGone: (slug) => this.#outbox.add({ kind: 'gone', slug }),
      onGrown: (slug) => this.#outbox.add({ kind: 'grown', slug }),
    })
  }

  receive(messages: readonly ToHost[]): void {
    this.#host.takingIn(() => {
      for (const message of messages) this.#take(message)
    })
  }

  #take(message: ToHost): void {
    switch (message.kind) {
      case 'access':
        this.#sessions.get(message.session)?.live.access(message.access)
        break
      case 'receive':
        this.#receive(message)
        break
      case 'leave':
        this.#leave(message.session)
        break
      case 'ping':
        this.#outbox.add({ kind: 'pong' })
        break
      case 'look':
        this.#host.look(message.slug)
        break
      case 'stored':
        this.#store.answered(message.id, message.answer)
        break
      case 'store-failed':
        this.#store.failed(message.id, errorOf(message.error, 'the store'))
        break
      default:
        void this.#answer(message)
    }
  }

  async #answer(question: Question): Promise<void> {
    const { id } = question
    try {
      const answer = await this.#ask(question)
      this.#tellWork(id)
      this.#outbox.add({ kind: 'answer', id, answer })
    } catch (error) {
      this.#tellWork(id)
      this.#outbox.add({ kind: 'refusal', id, error: plainError(error) })
    }
  }

  async #ask(question: Question): Promise<unknown> {
    switch (question.kind) {
      case 'call':
        return this.#host.call(question.name, question.ask, (ms) => {
          this.#work.set(question.id, (this.#work.get(question.id) ?? 0) + ms)
        })
      case 'connect':
        return this.#connect(question)
      case 'follow': {
        const { session, slug, sources } = question
        const following = await this.#begun(session, () =>
          this.#host.follow(slug, this.#peer(session), sources),
        )
        if (following.hasLeft) following.begun.stop()
        else this.#followers.set(session, following.begun)
        return following.begun.revision
      }
      case 'step1':
        return this.#session(question.session).answerStep1(question.vector)
      case 'reserve':
        return this.#session(question.session).reserve(question.clients)
      case 'close':
        await this.#host.close()
        return undefined
    }
  }

  async #connect({ session, slug, request }: Extract<Question, { kind: 'connect' }>) {
    const { begun: live, hasLeft } = await this.#begun(session, () =>
      this.#host.connect(slug, request, this.#peer(session)),
    )
    if (hasLeft) live.leave()
    else this.#sessions.set(session, { slug, live })
    const { stateVector, current } = live
    return { stateVector, current }
  }

  async #begun<T>(session: SessionId, begin: () => Promise<T>) {
    this.#beginning.set(session, 'here')
    try {
      const begun = await begin()
      return { begun, hasLeft: this.#beginning.get(session) === 'left' }
    } finally {
      this.#beginning.delete(session)
    }
  }

  #receive({ session, update, answersStep1 }: Extract<ToHost, { kind: 'receive' }>): void {
    const found = this.#sessions.get(session)
    if (found !== undefined) {
      this.#parts.working?.(found.slug)
      found.live.receive(update, answersStep1)
    }
    this.#taken.set(session, (this.#taken.get(session) ?? 0) + update.length)
    this.#takenBytes += update.length
    if (this.#takenBytes >= reportedFromBytes) this.#tellTaken()
  }

  #session(id: SessionId): LiveSession {
    const session = this.#sessions.get(id)
    if (session === undefined) throw new TypeError(`no session ${id}`)
    this.#parts.working?.(session.slug)
    return session.live
  }

  #leave(id: SessionId): void {
    const session = this.#sessions.get(id)
    const following = this.#followers.get(id)
    if (this.#beginning.has(id)) this.#beginning.set(id, 'left')
    this.#sessions.delete(id)
    this.#followers.delete(id)
    session?.live.leave()
    following?.stop()
  }

  /** Of one event for many sessions the bytes are sent once. */
  #peer(session: SessionId): LivePeer & Follower {
    const tell = (name: keyof SessionEvents) => {
      return (...data: readonly unknown[]) =>
        this.#tell(session, { name, data } as unknown as SessionEvent)
    }
    return Object.fromEntries(peerEvents.map((name) => [name, tell(name)])) as unknown as LivePeer &
      Follower
  }

  #tell(session: SessionId, event: SessionEvent): void {
    if (event.name === 'onClose') {
      this.#sessions.delete(session)
      this.#followers.delete(session)
      if (this.#beginning.has(session)) this.#beginning.set(session, 'left')
    }
    const last = this.#kept === undefined ? this.#outbox.last : this.#kept.at(-1)
    if (last?.kind === 'event' && isSame(last.event, event)) {
      ;(last.sessions as SessionId[]).push(session)
      return
    }
    const told: SessionBroadcast = { kind: 'event', sessions: [session], event }
    if (this.#kept === undefined) this.#outbox.add(told)
    else this.#kept.push(told)
  }

  /** What is told meanwhile is not posted. */
  #keeping(show: () => void): readonly SessionBroadcast[] {
    this.#kept = []
    try {
      show()
      return this.#kept
    } finally {
      this.#kept = undefined
    }
  }

  #tellWork(id: number): void {
    const ms = this.#work.get(id)
    if (ms === undefined) return
    this.#work.delete(id)
    this.#outbox.add({ kind: 'work', id, ms })
  }

  #tellTaken(): void {
    if (this.#taken.size === 0) return
    const of = [...this.#taken]
    this.#taken.clear()
    this.#takenBytes = 0
    this.#outbox.add({ kind: 'taken', of })
  }

  #tellMore(): void {
    for (const id of this.#work.keys()) this.#tellWork(id)
    this.#tellTaken()
    const { openCount, memoryBytes } = this.#host
    const isKnown = openCount === this.#usage.openCount && memoryBytes === this.#usage.memoryBytes
    if (isKnown) return
    this.#usage = { openCount, memoryBytes }
    this.#outbox.add({ kind: 'usage', ...this.#usage })
  }
}

/** The same data, not only equal. */
const isSame = (one: SessionEvent, other: SessionEvent): boolean =>
  one.name === other.name &&
  one.data.length === other.data.length &&
  one.data.every((each, index) => each === other.data[index])
