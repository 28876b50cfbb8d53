/** Interface §6.1: the change stream of a document. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Made, pick, Service, succeeded, within } from '../../client.ts'
import { Bare, type BareOptions, until } from './sockets.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const running: Bare[] = []
test.after.each(() => {
  for (const one of running.splice(0)) one.stop()
})

function watch(made: Made, query: string, options?: BareOptions): Bare {
  const asked = options ?? { token: made.token }
  const socket = new Bare(service, `${made.path}/changes/connect${query}`, asked)
  running.push(socket)
  return socket
}

const isTold = (socket: Bare, type: string) => until(() => socket.frame(type) !== undefined)

test('interface §6.1: on connect comes `ready` with exactly its fields', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  assert.equal(socket.frames[0], {
    type: 'ready',
    slug: made.slug,
    revision: 1,
    since_revision: 1,
  })
  assert.is(socket.frame('doc_changed'), undefined)
})

test('interface §6.1: a later change sends `doc_changed` with its fields', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  succeeded(await made.swap('one', 'two'))
  await isTold(socket, 'doc_changed')
  assert.equal(socket.frame('doc_changed'), {
    type: 'doc_changed',
    slug: made.slug,
    revision: 2,
    since_revision: 1,
    event: 'edit',
  })
})

test('interface §6.1: a revision that is already newer sends `doc_changed` at once', async () => {
  const made = await service.document('one\n')
  succeeded(await made.swap('one', 'two'))
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'doc_changed')
  assert.is(socket.frames[0]?.['type'], 'ready')
  assert.is(socket.frames[0]?.['revision'], 2)
  assert.is(socket.frame('doc_changed')?.['revision'], 2)
  assert.is(socket.frame('doc_changed')?.['since_revision'], 1)
})

test('interface §6.1: after many changes the last frame has the last revision', async () => {
  const made = await service.document('n0\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  for (let n = 0; n < 5; n++) succeeded(await made.swap(`n${n}`, `n${n + 1}`))
  await until(() => socket.frames.at(-1)?.['revision'] === 6)
  const revisions = socket.frames.map((frame) => Number(frame['revision']))
  assert.equal(
    revisions,
    [...revisions].sort((a, b) => a - b),
  )
})

test('interface §6.1: a dry run and an edit that changes nothing tell nothing', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  succeeded(await made.patch({ edits }, { query: '?dryRun=true' }))
  succeeded(await made.swap('one', 'one'))
  succeeded(await made.swap('one', 'three'))
  await isTold(socket, 'doc_changed')
  assert.is(socket.frames.length, 2)
})

test('interface §6.1: ping answers pong with the current revision', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  succeeded(await made.swap('one', 'two'))
  socket.socket.send(JSON.stringify({ type: 'ping' }))
  await isTold(socket, 'pong')
  assert.is(socket.frame('pong')?.['revision'], 2)
})

test('interface §6.1: frames are text; a change of another document is not told', async () => {
  const [made, other] = [await service.document('one\n'), await service.document('one\n')]
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  succeeded(await other.swap('one', 'two'))
  succeeded(await made.swap('one', 'two'))
  await isTold(socket, 'doc_changed')
  assert.ok(socket.frames.every((frame) => frame['slug'] === made.slug))
  assert.is(socket.binary.length, 0)
})

test('interface §5: the change stream takes the document token as ?token=', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, `?since_revision=1&token=${made.token}`, {})
  assert.is(await socket.opened, undefined)
  await isTold(socket, 'ready')
})

test('interface §5: tokenless link access is not enough for the change stream', async () => {
  const made = await service.document('one\n')
  const refusal = await watch(made, '?since_revision=1', {}).opened
  assert.is(refusal?.status, 401)
  assert.is(refusal?.body['code'], 'AUTH_REQUIRED')
})

test('interface §5: an unknown ?token= on the change stream is AUTH_REQUIRED', async () => {
  const made = await service.document('one\n')
  const refusal = await watch(made, '?since_revision=1&token=dtk_x', {}).opened
  assert.is(refusal?.status, 401)
})

test('extensions §5: an upgrade for no document is a 404 in HTTP', async () => {
  const made = await service.document('one\n')
  const socket = new Bare(service, '/docs/nowhere/changes/connect', { token: made.token })
  running.push(socket)
  const refusal = await socket.opened
  assert.is(refusal?.status, 404)
  assert.is(refusal?.body['code'], 'DOC_NOT_FOUND')
})

test('interface §6.1: an unidentified token may listen', async () => {
  const { path, token } = await service.nameless('one\n')
  const socket = new Bare(service, `${path}/changes/connect?since_revision=1`, { token })
  running.push(socket)
  await isTold(socket, 'ready')
})

for (const value of ['abc', '-1', '1.5', '']) {
  test(`extensions §2: since_revision=${value} is refused in HTTP with 400`, async () => {
    const made = await service.document('one\n')
    const refusal = await watch(made, `?since_revision=${value}`).opened
    assert.is(refusal?.status, 400)
  })
}

test('interface §6.1: without since_revision the stream begins now', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '')
  const refusal = await socket.opened
  if (refusal !== undefined) assert.is(refusal.status, 400)
  else await isTold(socket, 'ready')
})

test('extensions §2: a since_revision that is none is named by its query parameter', async () => {
  const made = await service.document('one\n')
  const refusal = await watch(made, '?since_revision=one').opened
  assert.is(refusal?.status, 400)
  assert.is(refusal?.body['code'], 'INVALID_REQUEST')
  assert.is(pick(refusal?.body, 'issues', 0, 'path'), '?since_revision')
})

for (const since of ['99', '9007199254740991', '9'.repeat(400)]) {
  test(`interface §6.1: ${since.slice(0, 20)} ahead of the document does no harm`, async () => {
    const made = await service.document('one\n')
    const socket = watch(made, `?since_revision=${since}`)
    assert.is(await socket.opened, undefined)
    await isTold(socket, 'ready')
    assert.is(socket.frames[0]?.['revision'], 1)
    assert.type(socket.frames[0]?.['since_revision'], 'number')
  })
}

test('interface §6.1: nonsense from the client breaks nothing', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  for (const frame of [
    'nonsense',
    '[]',
    'null',
    '{"type":"x"}',
    `{"type":"${'x'.repeat(9999)}"}`,
  ]) {
    socket.socket.send(frame)
  }
  const other = watch(made, '?since_revision=1')
  await isTold(other, 'ready')
  succeeded(await made.swap('one', 'two'))
  await isTold(other, 'doc_changed')
})

test('interface §6.1: typing in a live editor is told too', async () => {
  const { Live } = await import('./sockets.ts')
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  const live = new Live(service, made.slug, { token: made.token })
  await live.synced()
  live.type('one', ' two')
  await isTold(socket, 'doc_changed').finally(() => live.stop())
  assert.is(socket.frame('doc_changed')?.['event'], 'edit')
})

test('extensions §1: SIGTERM closes the change stream with 1001', async () => {
  const made = await service.document('one\n')
  const socket = watch(made, '?since_revision=1')
  await isTold(socket, 'ready')
  const ended = await service.end('SIGTERM')
  assert.is(await within(1000, socket.closed), 1001)
  assert.is(ended.code, 0)
  await service.start()
})

test.run()
