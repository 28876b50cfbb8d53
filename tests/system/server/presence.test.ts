/** Extensions §5, law 5: what hostile awareness states do to others, and who is shown to whom. */

import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { awarenessEchoEveryMs } from '../../../server/sockets/live-socket.ts'
import { presenceQueryEveryMs } from '../../../server/sockets/presence-peer.ts'
import { shownStatesMax } from '../../../server/sockets/shown-states.ts'
import { startChild } from '../../child.ts'
import { settled } from '../../simulated-runtime.ts'
import {
  awarenessOf,
  Copy,
  type Presence,
  stock,
  type WireOptions,
  within,
} from '../../unit/server/wire.ts'
import { type Made, simulatedWorld } from '../../unit/server/world.ts'

const world = await simulatedWorld()
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(async () => {
  for (const one of open.splice(0)) one.stop()
  await settled()
})

const passer: WireOptions = { headers: { Origin: 'http://service.test' } }

async function join(made: Made, options: WireOptions = made, query = ''): Promise<Copy> {
  const copy = new Copy(world.address, `/docs/${made.slug}/live${query}`, options)
  open.push(copy)
  return copy.synced()
}

const says = (copy: Copy, client: number, clock: number, state: string) =>
  copy.send(awarenessOf([[client, clock, state]]))
const about = (copy: Copy, client: number): Presence | undefined =>
  copy.presences.filter((one) => one.client === client).at(-1)
const stateOf = (copy: Copy, client: number) =>
  about(copy, client)?.state as Readonly<Record<string, unknown>> | null | undefined
const hears = (copy: Copy, client: number, n: number) =>
  copy.until(() => stateOf(copy, client)?.['n'] === n, `${client} at ${n}`)

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

test('law 5: nested states crash no stock client in Node, with or without a credential', async () => {
  const made = await world.create('words\n')
  const attackers = [await join(made), await join(made, passer)]
  const args = [world.address, made.slug, await world.token(made.slug, 'viewer', 'Vic')]
  const child = startChild({ file: 'tests/system/server/stock-peer.ts', args, env: process.env })
  child.stderr.pipe(process.stderr, { end: false })
  open.push({ stop: () => void child.kill() })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the stock client ended with ${code ?? signal}`)
  })
  const answer = () => within(Promise.race([once(child, 'message'), ended]), 'an answer', 20_000)
  assert.equal(await answer(), ['synced', undefined])
  for (let clock = 1; clock <= 9; clock++) {
    for (const [at, attacker] of attackers.entries()) {
      says(attacker, 100 + at, clock * 2, `{"a":${nested(8_000, String(clock))}}`)
      says(attacker, 100 + at, clock * 2 + 1, nested(1_000, String(clock)))
      says(attacker, 200 + at, clock, `{"n":${clock}}`)
    }
  }
  for (const attacker of attackers) await attacker.handled()
  const bystander = await join(made)
  await hears(bystander, 200, 9)
  for (const at of [1, 2]) {
    const told = answer()
    child.send(at)
    const [states] = (await told) as [{ readonly n?: number }[]]
    assert.equal(
      states.map(({ n }) => n),
      [9],
    )
  }
})

const tooLarge = limits.awarenessStateMaxBytes
const broken: readonly (readonly [string, string])[] = [
  ['an array', '[1]'],
  ['a number', '5'],
  ['a text', '"words"'],
  ['nine deep', `{"a":${nested(8)}}`],
  ['a prototype', '{"__proto__":{"n":9}}'],
  ['more than 2 KB', JSON.stringify({ a: 'x'.repeat(tooLarge) })],
  ['more than 2 KB of UTF-8', JSON.stringify({ a: 'ä'.repeat(tooLarge / 2) })],
  ['more than 2 KB as it is shown', `{"a":[${'1e20,'.repeat(200)}1]}`],
  ['a message of a megabyte', JSON.stringify({ a: 'x'.repeat(1024 * 1024) })],
]
for (const [what, state] of broken) {
  test(`extensions §5: a state that is ${what} is as if unsaid; its socket stays`, async () => {
    const made = await world.create('words\n')
    const [one, two] = [await join(made), await join(made)]
    says(one, 10, 1, '{"n":1}')
    await hears(two, 10, 1)
    says(one, 10, 2, state)
    says(one, 11, 1, state)
    says(one, 12, 1, '{"n":1}')
    await hears(two, 12, 1)
    assert.equal(stateOf(two, 10)?.['n'], 1, 'the last good one stays')
    assert.is(about(two, 11), undefined)
    says(one, 10, 3, '{"n":3}')
    await hears(two, 10, 3)
    one.ydoc.clientID = 11
    one.type('words', ' more')
    await two.untilText('words more')
  })
}

test('extensions §5: a state of 2 KB and one eight deep are shown', async () => {
  const made = await world.create('words\n')
  const [one, two] = [await join(made), await join(made)]
  const frame = Buffer.byteLength('{"n":1,"a":""}')
  says(one, 10, 1, `{"n":1,"a":"${'x'.repeat(tooLarge - frame)}"}`)
  await hears(two, 10, 1)
  says(one, 10, 2, `{"n":2,"a":${nested(7)}}`)
  await hears(two, 10, 2)
})

test('extensions §5: nobody appears as somebody else; a new name is told', async () => {
  const made = await world.create('words\n')
  const bystander = stock(world.address, made.slug, made.token)
  open.push(bystander)
  await bystander.synced()
  const token = await world.token(made.slug, 'editor', 'Eve')
  const eve = await join(made, { token }, '?events=json')
  const lie = { actor: made.actor, actor_id: made.actor, name: 'Alice Real', color: '#30bced' }
  says(eve, 20, 1, JSON.stringify({ user: lie, n: 1 }))
  const { awareness } = bystander.provider
  const seen = async (name: string) => {
    const isSo = () => awareness.getStates().get(20)?.['user']?.name === name
    const wait = new Promise<void>((resolve) => {
      awareness.on('change', () => isSo() && resolve())
      if (isSo()) resolve()
    })
    await within(wait, name)
  }
  await seen('Eve')
  const [hello] = eve.events('hello')
  const { actor_id: actor } = hello?.['data'] as { readonly actor_id: string }
  assert.equal(awareness.getStates().get(20), {
    n: 1,
    user: { actor, name: 'Eve', color: '#30bced' },
  })
  await world.identify(made.slug, token, 'Eva')
  await seen('Eva')
  assert.equal(awareness.getStates().get(20)?.['n'], 1)
  says(eve, 20, 2, '{"n":2}')
  await within(
    (async () => {
      while (awareness.getStates().get(20)?.['n'] !== 2) await settled()
    })(),
    'what is said after it',
  )
})

test('extensions §5: who has no credential is shown to nobody and keeps no clientID', async () => {
  const made = await world.create('words\n')
  const [passing, one, two] = [await join(made, passer), await join(made), await join(made)]
  says(passing, 30, 5, '{"n":5}')
  await passing.handled()
  says(one, 30, 1, '{"n":1}')
  await hears(two, 30, 1)
  assert.not(two.presences.some(({ clock }) => clock === 5))
  await hears(passing, 30, 1)
})

test('extensions §5: who comes back at the clock it had is seen at once', async () => {
  const made = await world.create('words\n')
  const bystander = stock(world.address, made.slug, made.token)
  open.push(bystander)
  await bystander.synced()
  const states = bystander.provider.awareness.getStates()
  const seen = (isHere: boolean) =>
    within(
      (async () => {
        while (states.has(40) !== isHere) await settled()
      })(),
      `here: ${isHere}`,
    )
  for (let times = 0; times < 3; times++) {
    const one = await join(made)
    says(one, 40, 7, '{"n":1}')
    await seen(true)
    one.stop()
    await seen(false)
  }
})

test('extensions §5: questions who is here are answered once a second, the last one too', async () => {
  const made = await world.create('words\n')
  const [one, two] = [await join(made), await join(made)]
  says(one, 50, 1, '{"n":1}')
  await hears(two, 50, 1)
  const answers = () => two.heard.filter(({ kind }) => kind === 'awareness').length
  const before = answers()
  for (let asked = 0; asked < 180; asked++) two.send(Uint8Array.of(3))
  await two.until(() => answers() > before, 'an answer')
  await two.handled()
  assert.is(answers(), before + 1)
  await world.runtime.pass(presenceQueryEveryMs)
  await two.until(() => answers() > before + 1, 'the late one')
  await world.runtime.pass(presenceQueryEveryMs * 3)
  await two.handled()
  assert.is(answers(), before + 2)
})

test('extensions §5: an idle editor is kept warm, shown or not, with a state or without', async () => {
  const made = await world.create('words\n')
  const shown = await join(made)
  says(shown, 60, 1, '{"n":1}')
  const everybody = [shown, await join(made), await join(made, passer)]
  await shown.handled()
  await world.runtime.pass(1_000)
  const counts = everybody.map(({ heard }) => heard.length)
  await world.runtime.pass(awarenessEchoEveryMs + 5_000)
  for (const [index, one] of everybody.entries()) {
    await one.until(() => one.heard.length > (counts[index] ?? 0), 'a sign of life')
    assert.is(one.heard.at(-1)?.kind, 'awareness')
  }
})

test('extensions §5: 200 are shown, how many more there are is told', async () => {
  const made = await world.create('words\n')
  const page = await join(made, made, '?events=json')
  const crowd: Copy[] = []
  for (let holder = 0; holder < 205; holder++) crowd.push(await guest(made.slug, holder))
  const hidden = () => page.events('presence').at(-1)?.['data']
  await world.runtime.pass(5_000)
  await page.until(() => JSON.stringify(hidden()) === '{"hidden":5}', 'five more')
  const shown = new Set(page.presences.map(({ client }) => client))
  assert.is(shown.size, shownStatesMax)
  const late = await join(made, made, '?events=json')
  await late.until(() => new Set(late.presences.map(({ client }) => client)).size === 200, 'all')
  const kinds = late.heard.map((one) => (one.kind === 'text' ? one.frame['event'] : one.kind))
  assert.is(kinds[0], 'hello', 'before anything else')
  const [hello] = late.events('hello')
  assert.is((hello?.['data'] as { readonly hidden?: number }).hidden, 5)
  for (const one of crowd.slice(0, 3)) one.stop()
  await world.runtime.pass(5_000)
  for (const [index, one] of crowd.entries()) if (index > 2) says(one, 1_000 + index, 9, '{}')
  for (const one of crowd.slice(3)) await one.handled()
  await world.runtime.pass(5_000)
  await page.until(() => JSON.stringify(hidden()) === '{"hidden":2}', 'two more')
})

async function guest(slug: Slug, holder: number): Promise<Copy> {
  const token = await world.token(slug, 'viewer', `Guest ${holder}`)
  const copy = new Copy(world.address, `/docs/${slug}/live`, { token })
  open.push(copy)
  await copy.synced()
  says(copy, 1_000 + holder, 1, '{"at":1}')
  await copy.handled()
  return copy
}

test.run()
