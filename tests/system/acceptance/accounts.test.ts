/** Extensions §9: accounts as operators and people meet them, and what is kept of secrets. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, type Fields, refused, Service, succeeded, within } from '../../client.ts'
import { Person } from './person.ts'
import { Bare } from './sockets.ts'

const service = new Service({ LOG_LEVEL: 'trace' })
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

/** Everything that was said to anybody as an error, and every log line. */
const told: string[] = []
const secrets = new Set<string>()

async function command(file: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const child = service.spawn(`dist/${file}.js`, args, service.environment)
  let out = ''
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => (out += data))
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const code = await within(20_000, ended).finally(() => child.kill('SIGKILL'))
  return { code, out: out.trim() }
}

function withPassword(password: string): string {
  secrets.add(password)
  return password
}

async function newcomer(handle: string, password: string): Promise<Person> {
  const person = new Person(service)
  const body = { handle, name: handle, password: withPassword(password) }
  succeeded(await person.post('/auth/signup', body), 201)
  noteSession(person)
  return person
}

function noteSession(person: Person): void {
  const cookie = person.headers('/')['cookie'] ?? ''
  const secret = /session=(ses_[^;]+)/.exec(cookie)?.[1]
  if (secret !== undefined) secrets.add(secret)
}

async function fails(person: Person, path: string, body: Fields, code: string): Promise<void> {
  const answer = await person.post(path, body)
  assert.is(answer.body['code'], code, answer.text)
  told.push(answer.text)
}

test('the operator lists accounts, closes one at once, sockets too, and opens it again', async () => {
  const ada = await newcomer('ada', 'the password of ada')
  const made = succeeded(await ada.post('/docs', { markdown: 'x' }), 201)
  const path = `/docs/${asText(made['id'])}`
  const socket = new Bare(service, `${path}/live`, { headers: ada.headers(path) })
  assert.is(await socket.opened, undefined)
  assert.match((await command('accounts')).out, /^ada {2}ada {2}\d{4}-\d\d-\d\d$/m)
  assert.equal(await command('accounts', 'disable', 'ada'), { code: 0, out: 'ada: disabled' })
  assert.is(await within(2_000, socket.closed), 4401)
  refused(await ada.get('/auth/me'), 401, 'AUTH_REQUIRED')
  await fails(
    ada,
    '/auth/login',
    { handle: 'ada', password: 'the password of ada' },
    'LOGIN_FAILED',
  )
  assert.match((await command('accounts')).out, /^ada .* disabled$/m)
  assert.is((await command('accounts', 'enable', 'ada')).code, 0)
  refused(await ada.get('/auth/me'), 401, 'AUTH_REQUIRED')
  const body = { handle: 'ada', password: 'the password of ada' }
  succeeded(await ada.post('/auth/login', body))
  noteSession(ada)
  assert.is(succeeded(await ada.get(path))['your_role'], 'owner')
  assert.is((await command('accounts', 'disable', 'nobody-here')).code, 1)
  assert.is((await command('accounts', 'sing')).code, 2)
})

test('a reset is an address with the secret in its fragment; it ends sessions and works once', async () => {
  const bob = await newcomer('bob', 'the password of bob')
  const { code, out } = await command('reset-password', 'bob')
  assert.is(code, 0)
  const address = new URL(out.split('\n').at(-1) ?? '')
  assert.equal([address.pathname, address.search], ['/reset', ''])
  const secret = address.hash.slice(1)
  secrets.add(secret)
  const anew = { secret, password: withPassword('bob has another one') }
  await fails(bob, '/auth/reset', { ...anew, password: 'short' }, 'INVALID_REQUEST')
  const elsewhere = new Person(service)
  const entered = await elsewhere.post('/auth/reset', anew)
  assert.is(succeeded(entered)['handle'], 'bob')
  noteSession(elsewhere)
  refused(await bob.get('/auth/me'), 401, 'AUTH_REQUIRED')
  await fails(bob, '/auth/reset', anew, 'LOGIN_FAILED')
  await fails(
    bob,
    '/auth/login',
    { handle: 'bob', password: 'the password of bob' },
    'LOGIN_FAILED',
  )
  assert.is((await command('reset-password', 'nobody-here')).code, 1)
  assert.is((await command('reset-password')).code, 2)
})

test('without the service the commands say so', async () => {
  await service.end('SIGTERM')
  told.push(service.output)
  for (const [file, ...args] of [['accounts'], ['reset-password', 'bob']] as const) {
    assert.equal(await command(file, ...args), {
      code: 1,
      out: 'no service is running on this DATA_DIR',
    })
  }
  await service.start()
})

test('accounts and sessions outlive a kill', async () => {
  const eve = await newcomer('eve', 'the password of eve')
  await service.end('SIGKILL')
  told.push(service.output)
  await service.start()
  assert.is(succeeded(await eve.get('/auth/me'))['handle'], 'eve')
})

test('no password, session or reset is in a log line, an error or the store', async () => {
  const eve = new Person(service)
  const wrong = withPassword('a password that eve once had elsewhere')
  await fails(eve, '/auth/login', { handle: 'eve', password: wrong }, 'LOGIN_FAILED')
  await fails(eve, '/auth/login', { handle: wrong, password: wrong }, 'LOGIN_FAILED')
  await fails(eve, '/auth/login', { handle: 'eve', secret: wrong }, 'INVALID_REQUEST')
  await fails(eve, '/auth/login', { handle: 'eve', password: [wrong] }, 'INVALID_REQUEST')
  const long = withPassword('and a very long one '.repeat(20).trim())
  const body = { handle: 'eve-too', name: 'Eve', password: long }
  await fails(eve, '/auth/signup', body, 'INVALID_REQUEST')
  const metrics = (await service.get('/metrics')).text
  assert.match(metrics, /^scriptorium_failed_sign_ins_total [2-9]$/m)
  await service.end('SIGTERM')
  told.push(service.output, metrics)
  assert.ok(secrets.size >= 8)
  const texts = [...told, ...filesIn(service.environment.DATA_DIR)]
  for (const secret of secrets) {
    assert.not.ok(
      texts.some((text) => text.includes(secret)),
      `${secret.slice(0, 12)}… was kept`,
    )
  }
})

/** As the bytes are: packing leaves what is random as it is. */
function filesIn(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map((name) =>
    join(directory, `${name}`),
  )
  return names
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name).toString('latin1'))
}

test.run()
