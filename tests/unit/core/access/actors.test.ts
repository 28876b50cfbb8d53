/** Actor objects (interface §2.6), agents and their handles, visitors. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ActorId, unattributed } from '../../../../schema/ids.ts'
import { codeOf, openWorld } from './world.ts'

test('§2.6 a token identity: its handle, its display name, no human', async () => {
  const world = await openWorld()
  const { actor } = await world.credential((await world.create('Ada')).access)
  const actors = await world.people.access.actors([actor])
  assert.equal(actors[actor], {
    actor_id: actor,
    handle: actor.slice('ai:'.length),
    name: 'Ada',
    is_human: false,
    kind_label: 'AI agent',
  })
})

test('§2.1 a token identity is ai:anon.tkn.<suffix>', async () => {
  const world = await openWorld()
  const { actor } = await world.credential((await world.create()).access)
  assert.match(actor, /^ai:anon\.tkn\.[0-9a-z]{16}$/)
})

test('§2.6 unattributed content has an actor object too', async () => {
  const { people } = await openWorld()
  const actors = await people.access.actors([unattributed])
  assert.is(actors[unattributed]?.kind_label, 'Unknown')
  assert.is(actors[unattributed]?.is_human, false)
})

test('each actor once, in order, and one nobody knows goes by its handle', async () => {
  const world = await openWorld()
  const { actor } = await world.credential((await world.create('Ada')).access)
  const { agent } = await world.people.agents.register({ name: 'Robo', handle: 'robo' })
  const gone = 'ai:gone' as ActorId
  const ids = [gone, actor, agent.actor as ActorId, actor, unattributed]
  const actors = await world.people.access.actors(ids)
  assert.equal(Object.keys(actors), [gone, actor, 'ai:robo', unattributed])
  assert.equal(
    Object.values(actors).map(({ name }) => name),
    ['gone', 'Ada', 'Robo', 'Unknown'],
  )
})

test('handles are unique: the second is HANDLE_TAKEN, also at the same moment', async () => {
  const { people } = await openWorld()
  const claims = [1, 2, 3].map(() =>
    codeOf(() => people.agents.register({ name: 'R', handle: 'robo' })),
  )
  const outcomes = (await Promise.all(claims)).sort()
  assert.equal(outcomes, ['HANDLE_TAKEN', 'HANDLE_TAKEN', 'no refusal'])
})

test('without a handle one is made from the name', async () => {
  const { people } = await openWorld()
  const { agent } = await people.agents.register({ name: 'Über Robot 9000' })
  assert.match(agent.handle, /^u-?ber-robot-9000-[0-9a-z]{6}$/)
  assert.match(
    (await people.agents.register({ name: '机器人' })).agent.handle,
    /^agent-[0-9a-z]{6}$/,
  )
})

test('a visitor is whoever brings the cookie back; anything else is a new one', async () => {
  const { people } = await openWorld()
  const first = people.access.visitor(undefined)
  assert.ok(first.isNew)
  const again = people.access.visitor(first.cookie)
  assert.not.ok(again.isNew)
  assert.is(again.holder, first.holder)
  for (const other of ['', 'short', `${first.cookie}x`, 'a;b']) {
    assert.ok(people.access.visitor(other).isNew)
    assert.is.not(people.access.visitor(other).holder, first.holder)
  }
  assert.not.ok(first.holder.includes(first.cookie))
})

test.run()
