/**
 * Interface §6.1 and §6.2 where documents are behind messages: what passes between a socket and its
 * document is plain data, and no call answers at once.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { behindMessages } from '../../../message-boundary.ts'
import { awarenessOf, Copy, Wire } from '../wire.ts'
import { type Made, simulatedWorld } from '../world.ts'

const world = await simulatedWorld()
behindMessages(world.documents)
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(() => {
  for (const one of open.splice(0)) one.stop()
})

async function join({ slug }: Made, token: string): Promise<Copy> {
  const copy = new Copy(world.address, `/docs/${slug}/live?events=json`, { token })
  open.push(copy)
  return copy.synced()
}

const saidOf = (wire: Wire, event: string) =>
  wire.events(event).map(({ data }) => data as Record<string, unknown>)

test('keys are applied, told as saved and as a change, and reach the others', async () => {
  const made = await world.create('words\n')
  const one = await join(made, made.token)
  const other = await join(made, await world.token(made.slug, 'editor', 'Other'))
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, made)
  open.push({ stop: () => watcher.socket.terminate() })
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  one.type('words', ' more')
  await other.untilText('words more')
  await one.until(() => saidOf(one, 'saved').at(-1)?.['updates'] === 2, 'saved')
  assert.equal(saidOf(one, 'saved').at(-1), { revision: 2, updates: 2 })
  await world.runtime.pass(1_000)
  await watcher.until(() => watcher.texts.length > 1, 'the change')
  const { type, revision, since_revision, event } = watcher.texts[1] ?? {}
  assert.equal([type, revision, since_revision, event], ['doc_changed', 2, 1, 'edit'])
  await one.until(() => saidOf(one, 'provenance').length > 0, 'the authors')
  watcher.socket.send(JSON.stringify({ type: 'ping' }))
  await watcher.until(() => watcher.texts.length > 2, 'pong')
  assert.equal([watcher.texts[2]?.['type'], watcher.texts[2]?.['revision']], ['pong', 2])
})

test('a clientID is reserved for who announces it, and refused to who comes after', async () => {
  const made = await world.create('words\n')
  const one = await join(made, made.token)
  const other = await join(made, await world.token(made.slug, 'editor', 'Other'))
  one.send(awarenessOf([[4_711, 1, '{"at":1}']]))
  await other.until(() => other.presences.some(({ client }) => client === 4_711), 'a presence')
  other.send(awarenessOf([[4_711, 2, '{"at":2}']]))
  other.send(awarenessOf([[4_712, 1, '{"at":3}']]))
  await one.until(() => one.presences.some(({ client }) => client === 4_712), 'the next')
  const states = one.presences.flatMap(({ client, state }) =>
    client === 4_711 ? [(state as { at?: number } | null)?.at] : [],
  )
  assert.not(states.includes(2))
})

test('a lock is told in the next hello, and holds for the next key', async () => {
  const made = await world.create('words\n')
  await join(made, made.token)
  const other = await join(made, await world.token(made.slug, 'editor', 'Other'))
  const writer = { actor: made.actor, authMethod: 'token' } as const
  await world.documents.configure(made.slug, { readOnly: true }, { writer })
  await other.until(() => saidOf(other, 'hello').length > 1, 'the lock')
  const told = saidOf(other, 'hello').map(({ revision, read_only }) => [revision, read_only])
  assert.equal(told, [
    [1, false],
    [2, true],
  ])
  other.type('words', ' lost')
  assert.is(await other.code(), 4403)
  assert.is(await world.markdown(made), 'words\n')
})

test('who identified while its document was being asked writes under its name', async () => {
  const made = await world.create('words\n', '')
  const connect = world.documents.connect
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  world.documents.connect = async (slug, request, peer) => {
    const session = await connect(slug, request, peer)
    asked()
    await gate
    return session
  }
  const copy = new Copy(world.address, `/docs/${made.slug}/live?events=json`, made)
  open.push(copy)
  await isAsked
  await world.identify(made.slug, made.token, 'Late')
  world.documents.connect = connect
  letGo()
  await copy.synced()
  assert.is(saidOf(copy, 'hello').at(-1)?.['name'], 'Late')
  copy.type('words', ' kept')
  await copy.until(() => saidOf(copy, 'saved').at(-1)?.['updates'] === 2, 'saved')
  assert.is(await world.markdown(made), 'words kept\n')
})

test('nothing of all this was the fault of the service', () => {
  assert.equal(world.troubles, [])
})

test.run()
