/** Extensions §5, who is here: what a socket may say of itself and of others, and what it hears. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { awarenessMaxBytes } from '../../../../server/sockets/live-socket.ts'
import { settled } from '../../../simulated-runtime.ts'
import { awarenessOf, Copy, frame, stock, within } from '../wire.ts'
import { simulatedWorld } from '../world.ts'

const world = await simulatedWorld()
const made = await world.create('words\n')
const share = made.share
await world.identify(made.slug, share, 'Shared')
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(async () => {
  for (const one of open.splice(0)) one.stop()
  await settled()
})

const path = `/docs/${made.slug}/live`

async function join(token = made.token): Promise<Copy> {
  const copy = new Copy(world.address, path, { token })
  open.push(copy)
  await copy.synced()
  return copy
}

const says = (copy: Copy, ...entries: [number, number, string][]) => copy.send(awarenessOf(entries))
const knows = (copy: Copy, client: number, state: unknown) =>
  copy.presences.some((one) => one.client === client && assert.equal.length > 0 && same(one, state))
/** But for `user`, which is the service's word. */
const same = (one: { readonly state: unknown }, state: unknown) => {
  const { user: _, ...said } = (one.state ?? {}) as Readonly<Record<string, unknown>>
  return JSON.stringify(one.state === null ? null : said) === JSON.stringify(state)
}
const hears = (copy: Copy, client: number, state: unknown) =>
  copy.until(() => knows(copy, client, state), `${client} as ${JSON.stringify(state)}`)

test('who joins hears who is here; who stays hears who comes and who leaves', async () => {
  const one = await join()
  says(one, [11, 1, '{"at":"one"}'])
  await one.handled()
  const two = await join()
  await hears(two, 11, { at: 'one' })
  says(two, [12, 1, '{"at":"two"}'])
  await hears(one, 12, { at: 'two' })
  two.stop()
  await hears(one, 12, null)
  const three = await join()
  await three.handled()
  assert.not(knows(three, 12, { at: 'two' }), 'who left is not told of')
})

test('a stock provider that leaves is gone for the others', async () => {
  const bystander = await join()
  const person = stock(world.address, made.slug, made.token)
  open.push(person)
  await person.synced()
  person.provider.awareness.setLocalStateField('at', 'page 1')
  await hears(bystander, person.ydoc.clientID, { at: 'page 1' })
  person.stop()
  await hears(bystander, person.ydoc.clientID, null)
})

test('nobody speaks for a client of another credential', async () => {
  const ada = await join()
  says(ada, [21, 1, '{"at":"ada"}'])
  await ada.handled()
  const eve = await join(await world.token(made.slug, 'editor', 'Eve'))
  says(eve, [21, 9, '{"at":"eve"}'])
  says(eve, [21, 10, 'null'])
  await eve.handled()
  eve.stop()
  await settled()
  await ada.handled()
  assert.not(knows(ada, 21, { at: 'eve' }))
  assert.not(knows(ada, 21, null))
})

test('a stolen clientID: its owner is heard, the thief is not', async () => {
  const eve = await join(await world.token(made.slug, 'viewer', 'Eve'))
  const ada = await join()
  says(ada, [22, 1, '{"at":"ada"}'])
  await hears(eve, 22, { at: 'ada' })
  says(eve, [22, 5, '{"at":"eve"}'], [23, 1, '{"at":"honest"}'])
  await hears(ada, 23, { at: 'honest' })
  assert.not(knows(ada, 22, { at: 'eve' }))
})

test('what a stock client echoes of another window of the same person changes nothing', async () => {
  const window1 = await join(share)
  const window2 = await join(share)
  const bystander = await join()
  says(window1, [31, 1, '{"at":"first"}'])
  await hears(window2, 31, { at: 'first' })
  says(window2, [32, 1, '{"at":"second"}'])
  says(window2, [31, 1, '{"at":"first"}'])
  await hears(bystander, 32, { at: 'second' })
  await window2.handled()
  window2.stop()
  await hears(bystander, 32, null)
  await bystander.handled()
  assert.not(knows(bystander, 31, null), 'the first window is still open')
})

test('a client that comes back on a new socket is not taken for gone with its old one', async () => {
  const bystander = await join()
  const before = await join()
  says(before, [33, 1, '{"at":1}'])
  await hears(bystander, 33, { at: 1 })
  const after = await join()
  says(after, [33, 2, '{"at":2}'])
  await hears(bystander, 33, { at: 2 })
  before.stop()
  await settled(20)
  await bystander.handled()
  assert.not(knows(bystander, 33, null))
  after.stop()
  await hears(bystander, 33, null)
})

test('an older clock changes nothing; the same clock may only leave', async () => {
  const [one, two] = [await join(), await join()]
  says(one, [41, 5, '{"n":5}'])
  await hears(two, 41, { n: 5 })
  says(one, [41, 4, '{"n":4}'], [41, 5, '{"n":55}'])
  await one.handled()
  says(one, [41, 5, 'null'])
  await hears(two, 41, null)
  assert.not(knows(two, 41, { n: 4 }) || knows(two, 41, { n: 55 }))
})

test('a state that means null means that the client left', async () => {
  const [one, two] = [await join(), await join()]
  says(one, [42, 1, '{"n":1}'])
  await hears(two, 42, { n: 1 })
  says(one, [42, 2, ' null\n'])
  await hears(two, 42, null)
  const three = await join()
  await three.handled()
  assert.not(three.presences.some((one) => one.client === 42))
})

test('a socket speaks for at most 8 clients', async () => {
  const [one, two] = [await join(), await join()]
  for (let client = 50; client < 60; client++) says(one, [client, 1, '{"n":1}'])
  await one.handled()
  await hears(two, 57, { n: 1 })
  await two.handled()
  const heard = new Set(two.presences.map(({ client }) => client).filter((id) => id >= 50))
  assert.equal([...heard], [50, 51, 52, 53, 54, 55, 56, 57])
})

test('a message above 16 KiB is ignored; the socket stays', async () => {
  const [one, two] = [await join(), await join()]
  says(one, [71, 1, JSON.stringify('x'.repeat(awarenessMaxBytes))])
  says(one, [72, 1, '{"n":1}'])
  await hears(two, 72, { n: 1 })
  assert.not(two.presences.some(({ client }) => client === 71))
})

const malformed: readonly (readonly [string, Uint8Array])[] = [
  ['a state that is no JSON', awarenessOf([[81, 1, '{"open":']])],
  ['a count above the entries', frame([1], Uint8Array.of(2, 81, 1, 2, 123, 125))],
  ['a string longer than the message', frame([1], Uint8Array.of(1, 81, 1, 127, 123, 125))],
  ['a number without end', frame([1], new Uint8Array(24).fill(255))],
  ['nothing at all', frame([1], new Uint8Array(0))],
]
for (const [what, bytes] of malformed) {
  test(`malformed, ${what}: 4403, and no trouble of the service`, async () => {
    const [one, two] = [await join(), await join()]
    says(one, [80, 1, '{"n":1}'])
    await hears(two, 80, { n: 1 })
    const troubles = world.troubles.length
    one.send(bytes)
    assert.is(await one.code(), 4403)
    await hears(two, 80, null)
    assert.is(world.troubles.length, troubles)
  })
}

test('of a malformed message nothing is taken', async () => {
  const [one, two] = [await join(), await join()]
  says(one, [91, 1, '{"n":1}'], [92, 1, '{'])
  assert.is(await one.code(), 4403)
  await two.handled()
  assert.not(two.presences.some(({ client }) => client === 91))
})

test('a query is answered with everyone', async () => {
  const [one, two] = [await join(), await join()]
  says(one, [95, 1, '{"n":1}'])
  await hears(two, 95, { n: 1 })
  const before = two.presences.length
  two.send(Uint8Array.of(3))
  await two.until(() => two.presences.length > before, 'an answer')
  assert.ok(two.presences.slice(before).some(({ client }) => client === 95))
})

test('rooms: who opens while the last one leaves still meets who comes later', async () => {
  const lonely = await world.create('quiet\n')
  const at = `/docs/${lonely.slug}/live`
  const copyOf = (token: string) => {
    const copy = new Copy(world.address, at, { token })
    open.push(copy)
    return copy
  }
  const first = copyOf(lonely.token)
  await first.synced()
  const load = world.documents.connect.bind(world.documents)
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  world.documents.connect = async (slug, request, peer) => {
    await gate
    return load(slug, request, peer)
  }
  const slow = copyOf(lonely.token)
  await slow.opened
  first.stop()
  await within(
    (async () => {
      while (world.sockets.liveCount > 1) await settled()
    })(),
    'the first to be gone',
  )
  letGo()
  world.documents.connect = load
  await slow.synced()
  const late = copyOf(lonely.token)
  await late.synced()
  says(late, [99, 1, '{"n":9}'])
  await hears(slow, 99, { n: 9 })
})

test.run()
