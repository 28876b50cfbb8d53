/**
 * Extensions §5: a socket speaks for clientIDs that its document has reserved for it. Until the
 * answer comes the newest state of such a client waits; those of other clients go on.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AwarenessRoom } from '../../../../server/sockets/awareness.ts'
import { encodeAwareness, encodeEntry } from '../../../../server/sockets/awareness-update.ts'
import type { AwarenessMember } from '../../../../server/sockets/presence-peer.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'
import { sources } from '../../../sources.ts'

/** A member whose document answers when a test says so. */
class Member implements AwarenessMember {
  readonly hasWritten = false
  readonly hasBacklog = false
  readonly asked: (readonly number[])[] = []
  readonly failures: unknown[] = []
  #heard = ''
  #answers: { resolve(clients: readonly number[]): void; reject(error: Error): void }[] = []

  who() {
    return { holder: 'ada', actor: undefined, name: undefined, sources }
  }

  reserve(clients: readonly number[]): Promise<readonly number[]> {
    this.asked.push(clients)
    return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }))
  }

  async answer(clients: readonly number[]): Promise<void> {
    this.#answers.shift()?.resolve(clients)
    await settled()
  }

  async failToAnswer(): Promise<void> {
    this.#answers.shift()?.reject(new Error('no document'))
    await settled()
  }

  hear(frame: Uint8Array): void {
    this.#heard += Buffer.from(frame).toString('latin1')
  }

  async hearSlowly(message: Uint8Array): Promise<void> {
    this.hear(message)
  }

  /** The places that were told of. */
  get places(): string[] {
    return [...this.#heard.matchAll(/"at":(\d+)/g)].map(([, at = '']) => at)
  }

  refuse(): void {
    throw new Error('refused')
  }

  fail(error: unknown): void {
    this.failures.push(error)
  }
}

const said = (client: number, clock: number, at: number) =>
  encodeAwareness([encodeEntry(client, clock, `{"at":${at}}`)])

const roomOf = (count: number) => {
  const room = new AwarenessRoom(new SimulatedRuntime())
  const members = Array.from({ length: count }, () => new Member())
  for (const member of members) {
    room.join(member)
    room.open(member)
  }
  return { room, members: members as [Member, Member] }
}

test('what comes after a new clientID waits for it, in its order; others are told meanwhile', async () => {
  const { room, members } = roomOf(2)
  const [one, other] = members
  room.receive(other, said(2, 1, 20))
  await other.answer([2])
  room.receive(one, said(1, 1, 10))
  room.receive(one, said(1, 2, 11))
  room.receive(other, said(2, 2, 21))
  await settled()
  assert.equal(other.places, ['20', '21'])
  await one.answer([1])
  assert.equal(other.places, ['20', '21', '11'], 'the newest')
  assert.equal(one.asked, [[1]], 'asked once')
})

test('a clientID that is another’s is ignored, and asked for again when it is said again', async () => {
  const { room, members } = roomOf(2)
  const [one, other] = members
  room.receive(one, said(1, 1, 10))
  await one.answer([])
  room.receive(one, said(1, 2, 11))
  assert.equal(one.asked, [[1], [1]])
  await one.answer([])
  assert.equal(other.places, [])
})

test('a clientID that another socket took is asked for again', async () => {
  const { room, members } = roomOf(2)
  const [one, other] = members
  room.receive(one, said(1, 1, 10))
  await one.answer([1])
  room.receive(other, said(1, 2, 20))
  await other.answer([1])
  room.receive(one, said(1, 3, 11))
  assert.equal(one.asked, [[1], [1]])
  await one.answer([])
  assert.equal(other.places, ['10', '20'])
})

test('a member that left before the answer is not shown, nor what it said after', async () => {
  const { room, members } = roomOf(2)
  const [one, other] = members
  room.receive(one, said(1, 1, 10))
  room.receive(one, said(1, 2, 11))
  room.leave(one)
  await one.answer([1])
  assert.equal(other.places, [])
  assert.is(one.asked.length, 1)
})

test('a document that cannot be asked ends the socket', async () => {
  const { room, members } = roomOf(1)
  const [one] = members
  room.receive(one, said(1, 1, 10))
  await one.failToAnswer()
  assert.is(one.failures.length, 1)
})

test('a client that left before the answer is not shown', async () => {
  const { room, members } = roomOf(2)
  const [one, other] = members
  room.receive(one, said(1, 1, 10))
  room.receive(one, encodeAwareness([encodeEntry(1, 2, 'null')]))
  await one.answer([1])
  assert.equal(other.places, [])
})

test('a flood of clientIDs asks for no more than a socket may speak for', async () => {
  const { room, members } = roomOf(1)
  const [one] = members
  for (let client = 1; client <= 1_000; client++) room.receive(one, said(client, 1, 10))
  assert.equal(one.asked.flat(), [1, 2, 3, 4, 5, 6, 7, 8])
})

test('a socket never has more clientIDs reserved than it may speak for', async () => {
  const { room, members } = roomOf(1)
  const [one] = members
  const many = (from: number, count: number) =>
    encodeAwareness(Array.from({ length: count }, (_, at) => encodeEntry(from + at, 1, '{}')))
  room.receive(one, many(1, 5))
  await one.answer([1, 2, 3, 4, 5])
  room.receive(one, many(11, 8))
  assert.equal(one.asked[1], [11, 12, 13])
  await one.answer([11, 12, 13])
  room.receive(one, many(21, 8))
  assert.is(one.asked.length, 2)
})

test.run()
