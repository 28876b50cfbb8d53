/** What concerns no document, or several, holds across nodes on one PostgreSQL. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asList, asText, Service, within } from '../../client.ts'
import { hasPostgres, needing } from '../../postgres/databases.ts'
import { Live } from '../acceptance/sockets.ts'

const testOf = needing(test)
const service = new Service({ RATE_INVITE: '0' }, 2)
test.before(async () => {
  if (hasPostgres) await service.start()
})
test.after(() => service.remove())

/** The service as it is found at one of its nodes. */
function at(node: number): Service {
  return Object.create(service, { base: { value: service.baseOf(node) } })
}

async function agent(handle: string): Promise<string> {
  const answer = await service.post('/agents/register', { name: handle, handle })
  return asText(answer.body['agent_secret'])
}

async function sharedWith(handle: string, token: string): Promise<string> {
  const created = await service.post('/docs', { markdown: '# Plan\n' }, { token })
  const path = `/docs/${created.body['id']}`
  const granted = await service.post(`${path}/access`, { handle, role: 'editor' }, { token })
  assert.is(granted.status, 201, granted.text)
  return path
}

testOf('§4 who waits for an inbox is woken, whichever node it waits at', async () => {
  const [writer, listener] = [await agent('writer'), await agent('listener')]
  const path = await sharedWith('listener', writer)
  for (const node of [0, 1, 0, 1]) {
    const before = await at(node).get('/agents/me/inbox', listener)
    const seen = asList(before.body['entries']).map(({ id }) => Number(id))
    const after = Math.max(0, ...seen)
    const waiting = at(node).get(`/agents/me/inbox?after=${after}&wait=15`, listener)
    const notify = { kind: 'decision', line: 'Plan - please look' }
    const body = { general: true, text: 'Look at this, @listener', notify }
    const said = await at(1 - node).post(`${path}/comments`, body, { token: writer })
    assert.is(said.status, 201, said.text)
    const woken = await within(3_000, waiting)
    assert.ok(asList(woken.body['entries']).length > 0, woken.text)
  }
})

testOf(
  '§4 a credential that ends at one node ends its sockets at the other within 2 s',
  async () => {
    for (const node of [0, 1]) {
      const [maker, guest] = [await agent(`maker${node}`), await agent(`guest${node}`)]
      const path = await sharedWith(`guest${node}`, maker)
      const live = new Live(at(0), path.slice('/docs/'.length), { token: guest })
      await live.synced()
      const deleted = await at(node).ask('DELETE', '/agents/me', { token: guest })
      assert.ok(deleted.status < 300, deleted.text)
      assert.is(await within(2_000, live.closed), 4401)
      live.stop()
    }
  },
)

testOf('§4 a key of a request counts at all nodes', async () => {
  const token = await agent('once')
  const headers = { 'Idempotency-Key': 'the-same' }
  const create = (node: number) =>
    at(node).post('/docs', { markdown: 'once\n' }, { token, headers })
  const [first, second] = await Promise.all([create(0), create(1)])
  const third = await create(1)
  assert.equal([first.status, second.status, third.status], [201, 201, 201])
  const ids = new Set([first, second, third].flatMap(({ body }) => body['id'] ?? []))
  assert.is(ids.size, 1)
  assert.is(third.body['id'], first.body['id'] ?? second.body['id'])
})

testOf('§13 a message that is too large ends its socket with 4413 at either node', async () => {
  const made = await service.document('large\n')
  for (const node of [0, 1]) {
    const live = new Live(at(node), made.slug, { token: made.token })
    await live.synced()
    live.provider.ws?.send(new Uint8Array(9 * 1024 * 1024))
    assert.is(await within(5_000, live.closed), 4413)
    live.stop()
  }
})

test.run()
