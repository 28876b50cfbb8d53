/** Interface §6.2 and extensions §5: live editing with a stock y-websocket provider. */
import { cpSync, renameSync, rmSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import {
  asList,
  asText,
  type Made,
  pick,
  refused,
  Service,
  succeeded,
  within,
} from '../../client.ts'
import { Bare, Live, type LiveOptions, until } from './sockets.ts'

const service = new Service({ MAX_MARKDOWN_BYTES: '200000' })
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const running: { stop(): void }[] = []
test.after.each(() => {
  for (const one of running.splice(0)) one.stop()
})

async function open(made: Made, options: LiveOptions = {}): Promise<Live> {
  const live = new Live(service, made.slug, { token: made.token, ...options })
  running.push(live)
  await live.synced()
  return live
}

function bare(path: string, options: ConstructorParameters<typeof Bare>[2] = {}): Bare {
  const socket = new Bare(service, path, options)
  running.push(socket)
  return socket
}

async function stranger(): Promise<string> {
  return (await service.agent('Stranger')).agent_secret
}

test('extensions §5: a provider with the subprotocol pair syncs the document', async () => {
  const made = await service.document('# Head\n\nbody\n')
  const live = await open(made)
  assert.ok(live.text.includes('Head') && live.text.includes('body'), live.text)
  assert.is(live.provider.ws?.protocol, 'yjs')
})

test('extensions §5: a provider with an Authorization header syncs the document', async () => {
  const made = await service.document('# Head\n')
  const live = new Live(service, made.slug, { headers: { authorization: `Bearer ${made.token}` } })
  running.push(live)
  await live.synced()
  assert.ok(live.text.includes('Head'))
})

test('interface §2.2: typing reaches REST, bumps the revision and is attributed', async () => {
  const made = await service.document('# Head\n\nbody\n')
  const share = { token: made.shareToken }
  const named = { display_name: 'Typist', slug: made.slug }
  const typist = succeeded(await service.post('/agents/identify', named, share))['actor_id']
  const live = await open(made, share)
  live.type('body', ' typed \u{1F600}')
  await until(async () => (await made.markdown()) === '# Head\n\nbody typed \u{1F600}\n')
  const body = succeeded(await made.read('?include=authorship'))
  assert.ok(Number(body['revision']) > 1)
  const markdown = asText(body['markdown'])
  const runs = asList(body['authorship']).map((run) => [
    markdown.slice(Number(run['from']), Number(run['to'])).trim(),
    run['author'],
  ])
  assert.equal(runs.at(-2)?.[1] === typist || runs.at(-1)?.[1] === typist, true)
  assert.ok(runs.some(([text, author]) => author === typist && text === 'typed \u{1F600}'))
})

test('extensions §5: what one types another sees, with its awareness', async () => {
  const made = await service.document('word\n')
  const [one, two] = [await open(made), await open(made)]
  one.provider.awareness.setLocalStateField('user', { name: 'One' })
  one.type('word', ' more')
  await until(() => two.text.includes('word more'))
  await until(() => two.provider.awareness.getStates().has(one.doc.clientID))
})

test('interface §4.5: a PATCH reaches the editors that are open', async () => {
  const made = await service.document('word\n')
  const live = await open(made)
  succeeded(await made.swap('word', 'changed'))
  await until(() => live.text.includes('changed'))
})

test('interface §4.5: a PATCH and typing in one paragraph both stay', async () => {
  const made = await service.document('left middle right\n')
  const live = await open(made)
  live.type('left', ' L')
  succeeded(await made.swap('right', 'R'))
  await until(async () => (await made.markdown()) === 'left L middle R\n')
  await until(() => live.text.includes('left L middle R'))
})

test('extensions §5: an unidentified token reads; its first update closes with 4412', async () => {
  const made = await service.nameless('word\n')
  const live = await open(made)
  running.push(live)
  await live.synced()
  assert.ok(live.text.includes('word'))
  live.type('word', ' lost')
  assert.is(await within(8000, live.closed), 4412)
  const read = succeeded(await made.read())
  assert.equal([read['markdown'], read['revision']], ['word\n', 1])
})

test('extensions §5: a viewer reads; its write is refused with 4403', async () => {
  const made = await service.document('word\n')
  const live = await open(made, { token: await stranger() })
  assert.ok(live.text.includes('word'))
  live.type('word', ' lost')
  assert.is(await within(8000, live.closed), 4403)
  assert.equal([await made.markdown(), await made.revision()], ['word\n', 1])
})

test('interface §1: nobody writes in the name of another over a live socket', async () => {
  const made = await service.document('word\n')
  const share = { token: made.shareToken }
  const named = { display_name: 'Forger', slug: made.slug }
  const forger = succeeded(await service.post('/agents/identify', named, share))['actor_id']
  const live = await open(made, share)
  live.textWith('word').format(0, 4, { authored: { by: 'human:root' } })
  live.textWith('word').insert(4, ' more', { authored: { by: made.actorId } })
  await until(async () => (await made.markdown()) === 'word more\n')
  const runs = asList(succeeded(await made.read('?include=authorship'))['authorship'])
  assert.equal(
    runs.map((run) => [run['from'], run['author']]),
    [
      [0, made.actorId],
      [4, forger],
    ],
  )
})

test('extensions §5: without ?events=json no text frame is sent', async () => {
  const made = await service.document('word\n')
  const socket = bare(`${made.path}/live`, { token: made.token })
  await socket.opened
  const live = await open(made)
  live.type('word', ' more')
  await until(async () => (await made.markdown()) === 'word more\n')
  succeeded(await made.swap('more', 'less'))
  const told = bare(`${made.path}/live?events=json`, { token: made.token })
  await told.opened
  succeeded(await made.swap('less', 'least'))
  await until(() => told.frames.some((frame) => frame['event'] === 'provenance'))
  assert.equal(socket.frames, [])
  assert.ok(socket.binary.length > 0)
})

test('interface §6.2: after each edit a provenance frame tells the ranges', async () => {
  const made = await service.document('# A\n\nword\n')
  const socket = bare(`${made.path}/live?events=json`, { token: made.token })
  await socket.opened
  const share = { token: made.shareToken }
  const edits = [{ old_string: 'word', new_string: 'words' }]
  succeeded(await service.patch(made.path, { edits, display_name: 'Other' }, share))
  const isTold = () => socket.frames.filter((frame) => frame['event'] === 'provenance').at(-1)
  await until(() => asListOr(pick(isTold(), 'data', 'ranges')).length > 1)
  const body = succeeded(await made.read('?include=authorship'))
  assert.is(isTold()?.['type'], 'event')
  assert.equal(pick(isTold(), 'data', 'ranges'), body['authorship'])
})

function asListOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

test('interface §6.2: provenance is throttled to about 200 ms a document', async () => {
  const made = await service.document('word\n')
  const socket = bare(`${made.path}/live?events=json`, { token: made.token })
  const live = await open(made)
  await socket.opened
  const started = performance.now()
  for (let n = 0; n < 40; n++) {
    live.type('word', 'x')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await until(async () => (await made.markdown()).length === 45)
  const told = () => socket.frames.filter((frame) => frame['event'] === 'provenance')
  const isLast = () => pick(told().at(-1), 'data', 'ranges', 0, 'to') === 45
  await until(isLast)
  const most = Math.ceil((performance.now() - started) / 200) + 2
  assert.ok(told().length <= most, `${told().length} frames, at most ${most}`)
})

test('extensions §5: ?events=json tells doc_changed as on the change stream', async () => {
  const made = await service.document('word\n')
  const socket = bare(`${made.path}/live?events=json`, { token: made.token })
  await socket.opened
  succeeded(await made.swap('word', 'words'))
  await until(() => socket.frame('doc_changed') !== undefined)
  const frame = socket.frame('doc_changed')
  assert.is(frame?.['slug'], made.slug)
  assert.is(frame?.['revision'], 2)
  assert.is(frame?.['event'], 'edit')
})

test('extensions §5: a refused upgrade is answered in HTTP: 401, 404', async () => {
  const made = await service.document('word\n')
  const bad = await bare(`${made.path}/live`, { token: 'dtk_unknown' }).opened
  assert.is(bad?.status, 401)
  assert.is(bad?.body['code'], 'AUTH_REQUIRED')
  assert.match(asText(bad?.headers['www-authenticate']), /^Bearer/)
  assert.is(bad?.body['request_id'], bad?.headers['x-request-id'])
  assert.type(bad?.body['request_id'], 'string')
  assert.type(bad?.body['error'], 'string')
  const protocols = ['yjs', 'bearer.dtk_unknown']
  assert.is((await bare(`${made.path}/live`, { protocols }).opened)?.status, 401)
  const gone = await bare('/docs/nowhere/live', { token: made.token }).opened
  assert.is(gone?.status, 404)
  assert.is(gone?.body['code'], 'DOC_NOT_FOUND')
  assert.is((await bare('/nowhere', { token: made.token }).opened)?.status, 404)
})

test('interface §5: ?token= is no credential for a live socket', async () => {
  const made = await service.document('word\n')
  const refusal = await bare(`${made.path}/live?token=${made.token}`).opened
  assert.is(refusal?.status, 401)
  assert.is(refusal?.body['code'], 'AUTH_HEADER_REQUIRED')
})

test('extensions §5: a message over 8 MiB closes with 4413', async () => {
  const made = await service.document('word\n')
  for (const bytes of [8 * 1024 * 1024 + 1, 32 * 1024 * 1024]) {
    const socket = bare(`${made.path}/live`, { token: made.token })
    await socket.opened
    socket.socket.send(Buffer.alloc(bytes, 1))
    assert.is(await within(8000, socket.closed), 4413, `${bytes} bytes`)
  }
})

test('extensions §8: MAX_MARKDOWN_BYTES bounds a create', async () => {
  const answer = await service.post('/docs', { markdown: 'x'.repeat(200_001) })
  refused(answer, 413, 'PAYLOAD_TOO_LARGE')
  assert.is(answer.body['limit'], 200_000)
})

test('extensions §4: typing past the limit of the markdown is refused with 4413', async () => {
  const made = await service.document('word\n')
  const live = await open(made)
  live.type('word', 'x'.repeat(250_000))
  assert.is(await within(2000, live.closed), 4413)
  assert.is(await made.markdown(), 'word\n')
})

test('extensions §5: a copy that knows more than a restored server is refused with 4409', async () => {
  const made = await service.document('word\n')
  const data = service.environment.DATA_DIR
  await service.end('SIGTERM')
  cpSync(data, `${data}-old`, { recursive: true })
  await service.start()
  succeeded(await made.swap('word', 'later'))
  const doc = new Y.Doc()
  const copy = new Live(service, made.slug, { token: made.token })
  await copy.synced()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(copy.doc))
  copy.stop()
  await service.end('SIGTERM')
  rmSync(data, { recursive: true })
  renameSync(`${data}-old`, data)
  await service.start()
  const live = new Live(service, made.slug, { token: made.token, doc })
  running.push(live)
  assert.is(await within(2000, live.closed), 4409)
  assert.is(await made.markdown(), 'word\n')
})

test('extensions §5: a copy with the history of another document is refused with 4409', async () => {
  const [made, other] = [await service.document('mine\n'), await service.document('yours\n')]
  const copy = await open(other)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(copy.doc))
  const live = new Live(service, made.slug, { token: made.token, doc })
  running.push(live)
  assert.is(await within(2000, live.closed), 4409)
  assert.is(await made.markdown(), 'mine\n')
})

test('extensions §5: an older ?schema= closes with 4426', async () => {
  const made = await service.document('word\n')
  const socket = bare(`${made.path}/live?schema=0`, { token: made.token })
  const refusal = await socket.opened
  assert.is(refusal, undefined)
  assert.is(await within(2000, socket.closed), 4426)
})

test('extensions §5: nonsense frames close the socket at most; the service lives on', async () => {
  const made = await service.document('word\n')
  const frames = [
    Buffer.from([]),
    Buffer.from([0]),
    Buffer.from([0, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 127]),
    Buffer.from([0, 2, 3, 1, 2, 3]),
    Buffer.from([1, 200, 1]),
    Buffer.from([99, 1]),
    Buffer.from([255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]),
    '{"type":"ping"}',
    'not json',
  ]
  for (const frame of frames) {
    const socket = bare(`${made.path}/live`, { token: made.token })
    await socket.opened
    socket.socket.send(frame)
  }
  const live = await open(made)
  live.type('word', ' on')
  await until(async () => (await made.markdown()) === 'word on\n')
  refused(await service.get('/docs/nowhere'), 404, 'DOC_NOT_FOUND')
})

test('extensions §5: what was typed offline merges after kill -9 and restart', async () => {
  const made = await service.document('word\n')
  const [one, two] = [await open(made), await open(made)]
  one.type('word', ' kept')
  await until(async () => (await made.markdown()) === 'word kept\n')
  const port = new URL(service.base).port
  await service.end('SIGKILL')
  one.type('kept', ' offline')
  two.type('word', ' too')
  await service.start({ PORT: port })
  await until(async () => (await made.markdown()) === 'word too kept offline\n', 15_000)
  await until(() => one.text === two.text)
})

test.run()
