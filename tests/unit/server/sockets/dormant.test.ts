/** A document that only idle editors hold leaves memory; nobody in it can tell. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import { settled } from '../../../simulated-runtime.ts'
import { awarenessOf, Copy, within } from '../wire.ts'
import { simulatedWorld } from '../world.ts'

const idle = limits.openDocumentIdleMs

/** A document with two editors in it, both asleep. */
async function sleepingWorld(markdown = 'words\n') {
  const world = await simulatedWorld()
  const made = await world.create(markdown)
  const path = `/docs/${made.slug}/live?events=json`
  const other = await world.token(made.slug, 'editor', 'Other')
  const [one, two] = [made.token, other].map((token) => new Copy(world.address, path, { token }))
  if (one === undefined || two === undefined) throw new Error('two copies')
  await Promise.all([one.synced(), two.synced()])
  await world.runtime.pass(idle * 2)
  assert.is(world.documents.openCount, 0, 'it is not in memory')
  assert.is(world.sockets.liveCount, 2)
  return { world, made, one, two }
}

test('a key wakes it: everyone hears it, and its writer that it is saved', async () => {
  const { world, made, one, two } = await sleepingWorld()
  world.store.loads = 0
  one.type('words', ' more')
  one.type('more', ' and more')
  await two.until(() => two.text.endsWith('and more'), 'the key')
  await one.until(() => savedOf(one) === 3, 'saved')
  assert.is(world.store.loads, 1)
  assert.is(await world.markdown(made), 'words more and more\n')
  await world.runtime.pass(idle * 2)
  assert.is(world.documents.openCount, 0, 'and it sleeps again')
  two.type('words', '!')
  await one.until(() => one.text.startsWith('words!'), 'the other key')
  assert.equal(world.troubles, [])
  await world.close()
})

test('what is written over REST meanwhile reaches the editors, who wake in their turn', async () => {
  const { world, made, one, two } = await sleepingWorld()
  await world.patch(made, 'words', 'letters')
  for (const copy of [one, two]) await copy.until(() => copy.text === 'letters', 'the edit')
  two.type('letters', '!')
  await one.until(() => one.text === 'letters!', 'the key')
  assert.equal(world.troubles, [])
  await world.close()
})

test('presence goes round without waking it; a new voice is heard all the same', async () => {
  const { world, one, two } = await sleepingWorld()
  const [mine, stranger] = [one.ydoc.clientID, 4_711]
  one.send(awarenessOf([[mine, 1, '{"user":"one"}']]))
  await two.until(() => two.presences.some(({ client }) => client === mine), 'a presence')
  await world.runtime.pass(idle * 2)
  assert.is(world.documents.openCount, 0)
  for (const [clock, from] of [one, two, one].entries()) {
    from.send(awarenessOf([[mine, from === one ? clock + 2 : 1, '{"user":"one"}']]))
  }
  await two.until(() => two.presences.some(({ clock }) => clock === 4), 'a later presence')
  assert.is(world.documents.openCount, 0)
  two.send(awarenessOf([[stranger, 1, '{"user":"two"}']]))
  await one.until(() => one.presences.some(({ client }) => client === stranger), 'a new one')
  assert.is(world.documents.openCount, 1)
  await world.close()
})

test('a clientID stays reserved while the document sleeps', async () => {
  const { world, one, two } = await sleepingWorld()
  const mine = one.ydoc.clientID
  one.send(awarenessOf([[mine, 1, '{"user":"one"}']]))
  await two.until(() => two.presences.some(({ client }) => client === mine), 'a presence')
  await world.runtime.pass(idle * 2)
  two.ydoc.clientID = mine
  two.type('words', ' stolen')
  assert.is(await two.code(), 1013)
  one.type('words', ' mine')
  await one.until(() => savedOf(one) === 2, 'saved')
  assert.is(one.text, 'words mine')
  await world.close()
})

test('who comes and goes while it sleeps is let in and out', async () => {
  const { world, made, one, two } = await sleepingWorld()
  one.stop()
  await within(
    gone(() => world.sockets.liveCount === 1),
    'the socket to be gone',
  )
  assert.is(world.documents.openCount, 0)
  const late = new Copy(world.address, `/docs/${made.slug}/live`, { token: made.token })
  await late.synced()
  late.type('words', ' late')
  await two.until(() => two.text === 'words late', 'the key')
  for (const copy of [late, two]) copy.stop()
  await within(
    gone(() => world.sockets.liveCount === 0),
    'all sockets to be gone',
  )
  await world.runtime.pass(idle * 2)
  assert.is(world.documents.openCount, 0)
  assert.is(await world.markdown(made), 'words late\n')
  await world.close()
})

test('a store that fails when it falls asleep, or wakes, ends the sockets with 1013', async () => {
  const { world, made, one, two } = await sleepingWorld()
  one.type('words', ' more')
  await one.until(() => savedOf(one) === 2, 'saved')
  world.store.failure = new Error('the disk is full')
  await world.runtime.pass(idle * 2)
  assert.is(await one.code(), 1013)
  assert.is(await two.code(), 1013)
  assert.is(world.troubles.length, 1)
  world.store.failure = undefined
  const next = new Copy(world.address, `/docs/${made.slug}/live`, { token: made.token })
  await next.synced()
  await world.runtime.pass(idle * 2)
  assert.is(world.documents.openCount, 0)
  const { get } = world.store
  world.store.get = () => Promise.reject(new Error('no answer'))
  next.type('words', '!')
  assert.is(await next.code(), 1013)
  world.store.get = get
  assert.is(await world.markdown(made), 'words more\n')
  await world.close()
})

/** The answer to sync step 1 counts as one. */
const savedOf = (copy: Copy) =>
  (copy.events('saved').at(-1)?.['data'] as { updates: number } | undefined)?.updates

async function gone(claim: () => boolean): Promise<void> {
  while (!claim()) await settled()
}

test.run()
