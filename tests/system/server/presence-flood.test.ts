/** Law 5, extensions §5: those who say much of themselves neither drop nor drown anybody. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { AwarenessRoom } from '../../../server/sockets/awareness.ts'
import { encodeAwareness, encodeEntry } from '../../../server/sockets/awareness-update.ts'
import type { AwarenessMember } from '../../../server/sockets/presence-peer.ts'
import { SendQueue } from '../../../server/sockets/send-queue.ts'
import { SentStates } from '../../../server/sockets/sent-states.ts'
import { leastOf, pace } from '../../pace.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { awarenessOf, Copy } from '../../unit/server/wire.ts'
import { simulatedWorld } from '../../unit/server/world.ts'

const stops: (() => unknown)[] = []
test.after.each(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const filler = 'x'.repeat(1_900)

class Member implements AwarenessMember {
  readonly hasWritten = false
  readonly hasBacklog = false
  readonly frames: Uint8Array[] = []
  refusals = 0
  readonly #name: string
  readonly #network: string

  constructor(name: string, network = name) {
    this.#name = name
    this.#network = network
  }

  get bytes(): number {
    return this.frames.reduce((sum, { length }) => sum + length, 0)
  }

  who() {
    const sources = { address: this.#network, link: 'link' }
    return { holder: this.#name, actor: `human:${this.#name}`, name: this.#name, sources }
  }

  async reserve(clients: readonly number[]): Promise<readonly number[]> {
    return clients
  }

  hear(frame: Uint8Array): void {
    this.frames.push(frame)
  }

  async hearSlowly(message: Uint8Array): Promise<void> {
    this.hear(message)
  }

  refuse(): void {
    this.refusals++
  }

  fail(error: unknown): void {
    throw error
  }
}

const said = (client: number, clock: number, state: string): Uint8Array =>
  encodeAwareness([encodeEntry(client, clock, state)])

/** A room of these, who are sent what there is. */
function roomOf(runtime: SimulatedRuntime, members: readonly Member[]): AwarenessRoom {
  const room = new AwarenessRoom(runtime)
  for (const member of members) {
    room.join(member)
    room.open(member)
  }
  return room
}

/** How many frames of these name somebody's place. */
const tellings = (frames: readonly Uint8Array[], word: string): number =>
  frames.filter((frame) => Buffer.from(frame).includes(word)).length

test('a socket is sent so many bytes a second, whatever is said, and honest carets move', async () => {
  const runtime = new SimulatedRuntime()
  const honest = new Member('honest')
  const attackers = Array.from({ length: 40 }, (_, at) => new Member(`eve${at}`, 'evil'))
  const room = roomOf(runtime, [honest, ...attackers])
  let clock = 0
  const seconds = 20
  for (let tick = 0; tick < seconds * 20; tick++) {
    clock++
    room.receive(honest, said(1, clock, '{"cursor":null,"caret":"here"}'))
    for (const [at, one] of attackers.entries()) {
      for (let client = 0; client < 8; client++) {
        room.receive(one, said(100 + at * 8 + client, clock, `{"a":"${filler}","n":${clock}}`))
      }
    }
    await runtime.pass(50)
  }
  const perSecond = honest.bytes / seconds
  const most = limits.presenceBytesPerSecond * 1.2
  assert.ok(perSecond < most, `${perSecond} of ${most} bytes a second`)
  const moves = tellings(honest.frames, '"here"') / seconds
  assert.ok(moves > 2, `${moves} moves a second`)
})

test('a thousand messages a second of one socket are not looked at one by one', async () => {
  const runtime = new SimulatedRuntime()
  const [one, other] = [new Member('one'), new Member('other')]
  const room = roomOf(runtime, [one, other])
  let clock = 0
  const flood = (count: number) => {
    for (let left = count; left > 0; left--) {
      room.receive(one, said(1, ++clock, `{"a":"${filler}","n":${clock}}`))
    }
  }
  flood(1)
  await settled()
  const spent = leastOf(5, () => flood(2_000))
  const most = 60 * pace()
  assert.ok(spent < most, `${spent} of ${most} ms for 2,000 messages`)
  await runtime.pass(1_000)
  assert.is(other.frames.length, 2)
  assert.ok(Buffer.from(other.frames[1] ?? []).includes(`"n":${clock}}`), 'the newest')
})

test('what is no JSON ends its socket also where it is looked at late; the others go on', async () => {
  const [one, other] = [new Member('one'), new Member('other')]
  const room = roomOf(new SimulatedRuntime(), [one, other])
  room.receive(one, said(1, 1, '{}'))
  room.receive(other, said(2, 1, '{}'))
  await settled()
  room.receive(one, said(1, 2, '{"open":'))
  room.receive(other, said(2, 2, '{"n":2}'))
  await settled()
  assert.equal([one.refusals, other.refusals], [1, 0])
  assert.is(tellings(other.frames, '"n":2'), 1)
})

test('who says little is told before those who say much; who left is told first', () => {
  const news = new SendQueue()
  const order: number[] = []
  for (let round = 0; round < 50; round++) {
    for (let client = 0; client < 8; client++) news.add(client, 2_000)
    news.add(100, 200)
    order.push(...news.take(4_000).map(({ client }) => client))
  }
  const little = order.filter((client) => client === 100).length
  assert.ok(little >= 45, `${little} of 50`)
  assert.ok(order.length - little > 40, 'the others are told too')
  news.leave(7)
  assert.is(news.take(1)[0]?.client, 7)
})

test('what was missed is told newest first of nobody and last of all: in order, each once', () => {
  const told = new SentStates()
  const says = (client: number, clock: number, state: string) =>
    told.state(client, { clock, state, holder: 'ada' })
  for (let client = 1; client <= 10; client++) says(client, 1, '{"n":1}')
  const half = told.after(0, 40)
  assert.ok(half.entries.length > 0 && half.entries.length < 10)
  says(1, 2, '{"n":2}')
  told.left(3)
  const rest = told.after(half.until, 10_000)
  assert.is(half.entries.length + rest.entries.length, 12)
  assert.equal(told.after(rest.until, 10_000), { entries: [], until: told.last })
  assert.is(told.after(0, 10_000).entries.length, 9, 'who has just come hears nothing of who left')
  for (let client = 100; client < 3_000; client++) {
    says(client, 1, '{}')
    told.left(client)
  }
  assert.ok(told.after(1, 1e9).entries.length < 600, 'who left long ago is forgotten')
})

test('who reads slowly is not dropped for presence, and hears the newest', async () => {
  const world = await simulatedWorld()
  stops.push(() => world.close())
  const made = await world.create('words\n')
  const copyOf = (token: string) => {
    const copy = new Copy(world.address, `/docs/${made.slug}/live`, { token })
    stops.push(() => copy.stop())
    return copy.synced()
  }
  const [slow, keen] = [await copyOf(made.token), await copyOf(made.token)]
  const crowd: Copy[] = []
  for (let at = 0; at < 24; at++) crowd.push(await copyOf(await world.token(made.slug, 'viewer')))
  // None of those who talk listens either.
  for (const one of [slow, ...crowd]) one.socket.pause()
  const ears = new Map([slow, keen].map((copy) => [copy, { at: 0, known: new Map() }]))
  const hearsAll = (copy: Copy, round: number): boolean => {
    const ear = ears.get(copy) ?? { at: 0, known: new Map<number, unknown>() }
    for (const one of copy.heard.slice(ear.at)) {
      for (const { client, state } of one.kind === 'awareness' ? one.entries : []) {
        ear.known.set(client, (state as { readonly n?: number } | null)?.n)
      }
    }
    ear.at = copy.heard.length
    return [...ear.known.values()].filter((n) => n === round).length === crowd.length * 8
  }
  const rounds = 40
  for (let round = 1; round <= rounds; round++) {
    for (const [at, one] of crowd.entries()) {
      for (let client = 0; client < 8; client++) {
        const state = `{"a":"${filler}","n":${round}}`
        one.send(awarenessOf([[1_000 + at * 8 + client, round, state]]))
      }
    }
    if (round % 10 === 0) slow.send(Uint8Array.of(3))
    const deadline = performance.now() + 20_000
    while (!hearsAll(keen, round) && performance.now() < deadline) await world.runtime.pass(500)
    assert.ok(hearsAll(keen, round), `who listens hears everybody in round ${round}`)
  }
  slow.socket.resume()
  await slow.until(() => hearsAll(slow, rounds), 'the newest of all, late')
  assert.is(slow.closeCode, undefined)
  slow.type('words', ' more')
  await keen.untilText('words more')
})

test.run()
