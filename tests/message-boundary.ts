/**
 * Documents behind messages, as they are when they run in another thread: each call, answer and
 * event is cloned as a message would be, waits for a turn of the event loop, and arrives in order.
 * A session whose socket needs more than plain data, or an answer at once, does not work here.
 */
import type { Documents, Follower, LivePeer, LiveSession } from '../core/documents/contract.ts'

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

/** One direction: what is posted arrives in order, in a later turn. */
class Channel {
  readonly #queue: (() => void)[] = []

  /** `deliver` throws nothing. */
  post(deliver: () => void): void {
    this.#queue.push(deliver)
    if (this.#queue.length === 1) setImmediate(() => this.#deliverAll())
  }

  #deliverAll(): void {
    for (const deliver of this.#queue.splice(0)) deliver()
  }
}

/** The same methods, called later with clones. */
function posting<T extends object>(
  target: T,
  names: readonly (keyof T & string)[],
  to: Channel,
): T {
  const calls = target as unknown as Calls
  const posted = names.map((name) => {
    const call = (...args: never[]) => {
      const message = structuredClone(args)
      to.post(() => void calls[name]?.apply(target, message))
    }
    return [name, call]
  })
  return Object.fromEntries(posted) as T
}

const followerEvents = ['onCurrent', 'onChange', 'onClose'] as const
const peerEvents = [
  ...followerEvents,
  'onUpdate',
  'onProvenance',
  'onSaved',
  'onWrite',
  'onReading',
] as const

/** Puts a boundary around the live part of `documents`, in place. */
export function behindMessages(documents: Documents): void {
  const [inward, outward] = [new Channel(), new Channel()]
  const answered = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      inward.post(() => {
        ask().then(
          (answer) => outward.post(() => resolve(answer)),
          (error: unknown) => outward.post(() => reject(error)),
        )
      })
    })
  const connect = documents.connect.bind(documents)
  const follow = documents.follow.bind(documents)
  const sessionOf = (session: LiveSession): LiveSession => ({
    ...structuredClone({ stateVector: session.stateVector, current: session.current }),
    ...posting(session, ['access', 'receive', 'leave'], inward),
    answerStep1: (vector) =>
      answered(async () => structuredClone(await session.answerStep1(vector))),
    reserve: (clients) => answered(async () => structuredClone(await session.reserve(clients))),
  })
  documents.connect = (slug, request, peer) => {
    const data = structuredClone(request)
    const remote: LivePeer = posting(peer, peerEvents, outward)
    return answered(async () => sessionOf(await connect(slug, data, remote)))
  }
  documents.follow = (slug, follower, sources) => {
    const remote: Follower = posting(follower, followerEvents, outward)
    return answered(async () => {
      const following = await follow(slug, remote, structuredClone(sources))
      return { ...posting(following, ['stop'], inward), revision: following.revision }
    })
  }
}
