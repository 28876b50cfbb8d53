/**
 * Both sockets over a document's life and flags (interface §3, §5 rule 4, §6; extensions §5), with
 * real connections: who is in it learns at once, and who comes later is answered in HTTP.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../../server/runtime.ts'
import { Copy, Wire, within } from '../wire.ts'
import { type Made, openWorld } from '../world.ts'

const world = await openWorld(systemRuntime)
const open: { stop(): void }[] = []
test.after.each(() => {
  for (const one of open.splice(0)) one.stop()
})
test.after(() => world.close())

const by = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

async function company({ slug, token }: Made) {
  const editor = new Copy(world.address, `/docs/${slug}/live?events=json`, by(token))
  const watcher = new Wire(world.address, `/docs/${slug}/changes/connect`, by(token))
  open.push(editor, watcher)
  await editor.synced()
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  const events = () => watcher.texts.flatMap(({ event }) => (event === undefined ? [] : [event]))
  return { editor, watcher, events }
}

const refusals = async ({ slug, token }: Made) => {
  const wires = ['live', 'changes/connect'].map(
    (path) => new Wire(world.address, `/docs/${slug}/${path}`, by(token)),
  )
  open.push(...wires)
  return Promise.all(wires.map(async (wire) => (await wire.opened)?.status))
}

test('extensions §5: archiving closes both sockets with 4423, and an upgrade is 423', async () => {
  const made = await world.create('words\n')
  const { editor, watcher, events } = await company(made)
  const archived = await world.call('POST', `/docs/${made.slug}/archive`, made.token)
  assert.is(archived.status, 200)
  const codes = await within(Promise.all([editor.code(), watcher.code()]), 'closes', 2_000)
  assert.equal(codes, [4423, 4423])
  assert.equal(events(), ['archive'])
  assert.equal(await refusals(made), [423, 423])
  assert.is((await world.call('POST', `/docs/${made.slug}/restore`, made.token)).status, 200)
  const again = await company(made)
  assert.is(again.editor.text, 'words')
})

test('identify works while a document is archived', async () => {
  const made = await world.create('words\n', '')
  await world.documents.changeLife(made.slug, 'archive', {
    writer: { actor: made.actor, authMethod: 'token' },
  })
  const body = { slug: made.slug, display_name: 'Maker' }
  assert.is((await world.call('POST', '/agents/identify', made.token, body)).status, 200)
})

test('§5 rule 4: what others type into a locked text ends their socket with 4403', async () => {
  const made = await world.create('words\n')
  const { editor, watcher, events } = await company(made)
  const writer = { actor: made.actor, authMethod: 'token' } as const
  await world.documents.configure(made.slug, { readOnly: true }, { writer })
  await watcher.until(() => events().length > 0, 'the lock')
  assert.equal(events(), ['settings'])
  editor.type('words', ' lost')
  assert.is(await within(editor.code(), 'closes'), 4403)
  assert.is(await world.markdown(made), 'words\n')
})

test.run()
