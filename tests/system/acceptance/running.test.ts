/** Extensions §1: starting, stopping, killing, backing up and scrubbing the service. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, type Made, parsed, refused, Service, succeeded, within } from '../../client.ts'
import { Bare, Live, until } from './sockets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function run(file: string, args: readonly string[], env: Record<string, string>): Promise<Run> {
  const child = service.spawn(file, args, env)
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => (err += data))
  const ended = new Promise<Run>((resolve) =>
    child.on('close', (code) => resolve({ code, out, err })),
  )
  return within(40_000, ended).finally(() => child.kill('SIGKILL'))
}

const wrong: readonly (readonly [string, string])[] = [
  ['PORT', 'abc'],
  ['HOST', 'not a host'],
  ['LOG_LEVEL', 'loud'],
  ['RATE_CREATE', '-1'],
]
for (const [name, value] of wrong) {
  test(`extensions §1: ${name}=${value} stops the start with one line that names it`, async () => {
    const elsewhere = { ...service.environment, DATA_DIR: join(service.directory, 'elsewhere') }
    const ended = await run('dist/main.js', [], { ...elsewhere, [name]: value })
    assert.is.not(ended.code, 0)
    const lines = (ended.out + ended.err).trim().split('\n')
    assert.is(lines.length, 1, lines.join('\n').slice(0, 500))
    assert.match(lines[0] ?? '', new RegExp(`\\b${name}\\b`))
  })
}

test('extensions §1: a DATA_DIR that is a file stops the start with one line', async () => {
  const file = join(service.directory, 'a-file')
  writeFileSync(file, '')
  const ended = await run('dist/main.js', [], { ...service.environment, DATA_DIR: file })
  assert.is.not(ended.code, 0)
  const lines = (ended.out + ended.err).trim().split('\n')
  assert.is(lines.length, 1, lines.join('\n').slice(0, 500))
  assert.match(lines[0] ?? '', /DATA_DIR/)
})

test('extensions §1: a second service on one DATA_DIR does not start', async () => {
  const ended = await run('dist/main.js', [], service.environment)
  assert.is.not(ended.code, 0)
  succeeded(await service.get('/readyz'))
})

test('an error in the log says where in the sources it came from', async () => {
  const ended = await run('dist/main.js', [], { ...service.environment, LOG_LEVEL: 'debug' })
  const line = ended.out.split('\n').find((each) => each.includes('did not start')) ?? ''
  const { stack } = parsed(line)['err'] as { readonly stack: string }
  assert.match(stack, / \(?(?:server|persistence)\/[\w/-]+\.ts:\d+:\d+\)?\n/)
  assert.not.match(stack, /dist\/main\.js/)
})

test('npm start builds nothing where all is built', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/build/main.js'], {
    cwd: root,
  })
  assert.equal([status, String(stdout), String(stderr)], [0, '', ''])
})

test('extensions §1: one log line says ready, and names the port', () => {
  const lines = service.output.split('\n').filter((line) => parsed(line)['msg'] === 'ready')
  assert.is(lines.length, 1)
  assert.ok(Number(parsed(lines[0] ?? '')['port']) > 0)
})

test('extensions §3: the key file in DATA_DIR has the mode 0600', () => {
  const data = service.environment.DATA_DIR
  const keys = readdirSync(data).filter((name) => /key/.test(name))
  assert.is(keys.length, 1)
  for (const name of keys) assert.is(statSync(join(data, name)).mode & 0o777, 0o600)
})

test('extensions §1: the control socket in DATA_DIR has the mode 0600', () => {
  const data = service.environment.DATA_DIR
  const sockets = readdirSync(data).filter((name) => statSync(join(data, name)).isSocket())
  assert.is(sockets.length, 1)
  for (const name of sockets) assert.is(statSync(join(data, name)).mode & 0o777, 0o600)
})

async function same(made: Made, markdown: string, revision: number) {
  const body = succeeded(await made.read('?include=authorship'))
  assert.equal([body['markdown'], body['revision']], [markdown, revision])
}

test('extensions §1: SIGTERM closes sockets with 1001 and exits 0 within 10 s', async () => {
  const made = await service.document('word\n')
  const bare = new Bare(service, `${made.path}/live`, { token: made.token })
  await bare.opened
  const live = new Live(service, made.slug, { token: made.token })
  await live.synced()
  live.type('word', ' typed')
  await until(async () => (await made.markdown()) === 'word typed\n')
  const revision = await made.revision()
  live.provider.shouldConnect = false
  const ended = await service.end('SIGTERM')
  assert.is(ended.code, 0, ended.output.slice(-500))
  assert.ok(ended.ms < 10_000, `${ended.ms} ms`)
  assert.is(await within(1000, bare.closed), 1001)
  live.stop()
  await service.start()
  await same(made, 'word typed\n', revision)
})

test('extensions §1: SIGINT flushes typing that nobody has read yet and exits 0', async () => {
  const made = await service.document('word\n')
  const live = new Live(service, made.slug, { token: made.token })
  await live.synced()
  const other = new Live(service, made.slug, { token: made.token })
  await other.synced()
  live.type('word', ' typed')
  await until(() => other.text.includes('typed'))
  for (const one of [live, other]) one.provider.shouldConnect = false
  assert.is((await service.end('SIGINT')).code, 0)
  for (const one of [live, other]) one.stop()
  await service.start()
  assert.is(await made.markdown(), 'word typed\n')
})

test('extensions §1: SIGTERM finishes the requests that run', async () => {
  const made = await service.document(`${'word '.repeat(20_000)}end\n`)
  const edit = made.swap('end', 'fin')
  await until(async () => (await service.get('/healthz')).status === 200)
  const ended = await service.end('SIGTERM')
  assert.is(ended.code, 0)
  const answer = await edit
  assert.ok([200, 503].includes(answer.status), answer.text.slice(0, 200))
  await service.start()
  assert.is(await made.revision(), answer.status === 200 ? 2 : 1)
})

test('interface §1: kill -9 amid writes keeps every answered one and no half one', async () => {
  const made = await service.document('start\n')
  const still = await service.document('# Still\n')
  succeeded(await still.swap('Still', 'Quiet'))
  // The port is another one after each start, and an address names it.
  const read = async () => {
    const { api_reference_url: _, ...body } = (await still.read('?include=authorship')).body
    return body
  }
  const before = await read()
  let answered = 1
  let isOver = false
  const writer = async () => {
    for (let n = 0; !isOver; n++) {
      const from = n === 0 ? 'start' : `step${n - 1}e`
      const answer = await made.swap(from, `step${n}e`).catch(() => undefined)
      if (answer?.status !== 200) return
      answered = Number(answer.body['revision'])
    }
  }
  const writing = writer()
  await until(() => answered > 10)
  await service.end('SIGKILL')
  isOver = true
  await writing
  await service.start()
  const revision = await made.revision()
  assert.ok(revision === answered || revision === answered + 1, `${revision} ${answered}`)
  assert.is(await made.markdown(), `step${revision - 2}e\n`)
  assert.equal(await read(), before)
})

test('extensions §1: a backup of the running service restores documents and tokens', async () => {
  const made = await service.document('kept\n')
  const target = join(service.directory, 'backup')
  const done = await run('dist/backup.js', [target], service.environment)
  assert.is(done.code, 0, done.out + done.err)
  succeeded(await made.swap('kept', 'later'))
  const copy = new Service({ DATA_DIR: target })
  await copy.start()
  try {
    const body = succeeded(await copy.get(made.path, made.token))
    assert.equal([body['markdown'], body['revision']], ['kept\n', 1])
    succeeded(await copy.get(made.path, made.shareToken))
    const edits = [{ old_string: 'kept', new_string: 'copy' }]
    succeeded(await copy.patch(made.path, { edits }, { token: made.token }))
  } finally {
    await copy.remove()
  }
  assert.is(await made.markdown(), 'later\n')
})

test('extensions §1: a backup opens the store itself when none runs; scrub finds no fault', async () => {
  const made = await service.document('cold\n')
  await service.end('SIGTERM')
  const target = join(service.directory, 'cold-backup')
  const done = await run('dist/backup.js', [target], service.environment)
  assert.is(done.code, 0, done.out + done.err)
  const scrubbed = await run('dist/scrub.js', [], service.environment)
  assert.is(scrubbed.code, 0, scrubbed.out + scrubbed.err)
  assert.match(scrubbed.out, /\b0 problems\b/)
  const keys = readdirSync(target).filter((name) => /key/.test(name))
  assert.is(keys.length, 1, 'the backup holds the key file')
  await service.start()
  assert.is(await made.markdown(), 'cold\n')
})

test('extensions §1: a backup into a folder in use is refused and harms nothing there', async () => {
  const target = join(service.directory, 'full')
  mkdirSync(target)
  writeFileSync(join(target, 'mine'), 'x')
  const done = await run('dist/backup.js', [target], service.environment)
  assert.is.not(done.code, 0)
  assert.equal(readdirSync(target), ['mine'])
  assert.is(readFileSync(join(target, 'mine'), 'utf8'), 'x')
})

test('extensions §1: an address from BASE_URL shows in what the service hands out', async () => {
  const named = new Service({ BASE_URL: 'https://docs.example.test/base' })
  await named.start()
  try {
    const made = await named.document('a\n')
    const body = succeeded(await made.read())
    assert.match(asText(body['api_reference_url']), /^https:\/\/docs\.example\.test\/base\//)
    const created = await named.post('/docs', { markdown: 'a' })
    const visitor = created.headers.getSetCookie().join('\n')
    assert.match(visitor, /visitor=.*Secure/i, 'Secure when BASE_URL is https')
    refused(await named.get('/docs/none'), 404, 'DOC_NOT_FOUND')
  } finally {
    await named.remove()
  }
})

test.run()
