/**
 * Interface §5 (rule 8) and extensions §3: what was issued as a secret is shown once, to whom it is
 * for. Every route that issues one is driven, each secret is then sent wherever it does not belong,
 * and looked for in the log, in each refusal, in what others read, and in each byte of the store.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../rest/all-routes.ts'
import { type Answer, type Ask, asText, Service, succeeded } from '../client.ts'
import { Tally } from '../tally.ts'
import { Person } from './acceptance/person.ts'
import { Bare } from './acceptance/sockets.ts'

const PASSWORD = 'a password that nobody else has'
const OTHER_PASSWORD = 'another one that nobody else has'
const NEEDLE = 'the words of the document'

/** By name what it is, by value what nobody but its owner is to see. */
const secrets = new Map<string, string>([
  ['password', PASSWORD],
  ['the other password', OTHER_PASSWORD],
])

/** Of an address that holds one its token. */
function keep(name: string, value: unknown): string {
  const text = asText(value)
  const secret = new URL(text, 'http://here').searchParams.get('token') ?? text
  assert.ok(secret.length >= 20, `${name} is no secret: ${secret}`)
  if (![...secrets.values()].includes(secret)) secrets.set(`${name} ${secrets.size}`, secret)
  return secret
}

/** What came back of everything but the requests that issue something. */
const heard: string[] = []

class Overheard extends Service {
  override async ask(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const answer = await super.ask(method, path, ask)
    heard.push(`${method} → ${answer.status} ${answer.headers.get('location')}\n${answer.text}`)
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name, value = ''] = pair.split(/=(.*)/s)
      if (value !== '') keep(`cookie ${name}`, value)
    }
    return answer
  }
}

const service = new Overheard({
  LOG_LEVEL: 'trace',
  RATE_LINK: '0',
  RATE_LOGIN: '0',
  RATE_GUESS: '0',
  RATE_INVITE: '0',
})

/** An answer that may hold these secrets, and no other may. */
async function issued(asked: Promise<Answer>, ...fields: string[]): Promise<Answer> {
  const answer = await asked
  assert.ok(answer.status < 400, answer.text)
  heard.pop()
  for (const field of fields) keep(field, answer.body[field])
  return answer
}

/** The fields of successes that are secrets, or addresses that hold one. */
const secretFields = /"(access_token|agent_secret|confirmation_url|key|share_url|your_token)":\{/
const driven = [
  'POST /docs',
  'GET /docs/:slug',
  'POST /docs/:slug/access',
  'POST /agents/register',
  'POST /agents/ephemeral',
  'POST /agents/me/rotate-key',
  'POST /auth/owner-keys',
  'GET /s/:code',
  // The same document as of its read, to whom follows a link.
  'GET /s/:code.json',
  'GET /s/@:handle/:name',
  'GET /s/@:handle/:name.json',
  'POST /workspace/bots',
]

interface Cast {
  readonly owner: Person
  readonly handle: string
  readonly slug: string
  readonly agent: string
}

/** Each route that issues something, once at least. */
async function driveAll(): Promise<Cast> {
  const visitor = new Person(service)
  await issued(visitor.post('/docs', { markdown: NEEDLE }), 'access_token', 'share_url')
  const owner = new Person(service)
  const account = { handle: 'secretive', name: 'Secretive', password: PASSWORD }
  succeeded(await owner.post('/auth/signup', account), 201)
  const change = { password: OTHER_PASSWORD, current_password: PASSWORD }
  succeeded(await owner.ask('PATCH', '/auth/me', { body: change }))
  const login = { handle: 'secretive', password: OTHER_PASSWORD }
  succeeded(await new Person(service).post('/auth/login', login))
  const made = await issued(owner.post('/docs', { markdown: NEEDLE }), 'share_url')
  const slug = asText(made.body['id'])
  await driveLinks(owner, slug, asText(made.body['share_url']))
  const agent = await driveAgents(owner)
  return { owner, handle: 'secretive', slug, agent }
}

async function driveLinks(owner: Person, slug: string, shareAddress: string): Promise<void> {
  const token = keep('share token', shareAddress)
  const ingress = { 'x-service-share-ingress': '1' }
  await issued(service.get(`/docs/${slug}?docs`, token, ingress), 'your_token')
  succeeded(await owner.ask('PATCH', `/docs/${slug}/link-access`, { body: { mode: 'anyone' } }))
  await issued(owner.post(`/docs/${slug}/access`, { role: 'editor' }), 'access_token')
  const shared = await owner.post(`/docs/${slug}/share-link`)
  const linked = await owner.post(`/docs/${slug}/links`, { role: 'editor', name: 'a-known-name' })
  for (const { body } of [shared, linked]) {
    const path = new URL(asText(body['url']), service.base).pathname
    const { body: told } = await issued(service.get(path))
    const confirmation = new URL(keep('confirmation', told['confirmation_url']))
    const confirmed = await issued(service.get(confirmation.pathname + confirmation.search))
    const destination = keep('link token', confirmed.headers.get('location'))
    await new Person(service).get(`/d/${slug}?token=${destination}`)
  }
}

async function driveAgents(owner: Person): Promise<string> {
  const { body } = await issued(service.post('/agents/register', { name: 'Clerk' }), 'agent_secret')
  const agent = asText(body['agent_secret'])
  await issued(service.post('/agents/me/rotate-key', undefined, { token: agent }), 'agent_secret')
  await issued(owner.post('/workspace/bots', { name: 'Bot' }), 'agent_secret')
  const key = await issued(owner.post('/auth/owner-keys', { name: 'laptop' }), 'key')
  const token = asText(key.body['key'])
  await issued(service.post('/agents/ephemeral', {}, { token }), 'agent_secret')
  await issued(service.post('/docs', { markdown: NEEDLE }, { token }), 'share_url')
  return agent
}

/** A secret where it does not belong, and where it is refused. */
async function misplace(secret: string, slug: string): Promise<void> {
  const inAddress = encodeURIComponent(secret)
  const doc = `/docs/${slug}`
  const token = 'dtk_unknown'
  await service.get(`${doc}?token=${inAddress}`)
  await service.get(`${doc}?focus=${inAddress}&since_revision=${inAddress}`)
  await service.get(`/d/nowhere?token=${inAddress}`)
  await service.get(`/nowhere/${inAddress}?secret=${inAddress}`)
  await service.get(`/docs/${inAddress}`)
  await service.get(`/s/${inAddress}`)
  await service.get(`/auth/me`, undefined, { cookie: `session=${secret}; link=${secret}` })
  await service.get(`${doc}/history`, undefined, { authorization: `Basic ${secret}` })
  await service.post('/docs', { markdown: '', title: secret, [secret]: secret }, { token })
  await service.post('/docs', { markdown: [secret] })
  await service.ask('POST', '/docs', { raw: `{"markdown": ${secret}` })
  await service.post('/auth/login', { handle: 'secretive', password: `${secret} ` })
  await service.post('/auth/signup', { handle: 'secretive', name: 'X', password: secret })
  await service.post('/auth/signup', { handle: secret, name: [secret], password: [secret] })
  await service.post('/agents/identify', { slug, display_name: [secret], by: secret })
  await service.post('/agents/register', { name: 'X', agent_secret: secret })
  const wrong = new Bare(service, `${doc}/live?token=${inAddress}`, {
    protocols: ['yjs', `bearer.${secret.replace(/[^\w-]/g, '')}`],
  })
  heard.push(JSON.stringify((await wrong.opened)?.body ?? {}))
  wrong.stop()
}

/** Whatever others, and the owner later, may read. */
async function readAll({ owner, slug, agent }: Cast): Promise<void> {
  const doc = `/docs/${slug}`
  const query = 'include=authorship,manifest&resolved=all'
  for (const path of [doc, `${doc}?${query}`, `${doc}?format=okf`, `${doc}/actors?ids=human:x`]) {
    await service.get(path)
    await owner.get(path)
  }
  const lists = ['history', 'log.md', 'access', 'links', 'link-access', 'since?revision=1']
  for (const list of lists) succeeded(await owner.get(`${doc}/${list}`))
  for (const list of ['me', 'sessions', 'owner-keys', 'agents']) await owner.get(`/auth/${list}`)
  succeeded(await service.get('/agents/me', agent))
  for (const path of ['/metrics', '/openapi.json', '/reference', '/llms.txt', '/', `/d/${slug}`]) {
    succeeded(await service.get(path))
  }
}

function* filesBelow(directory: string): Generator<readonly [string, Buffer]> {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    yield [path.slice(directory.length + 1), readFileSync(path)]
  }
}

/** Each record as the database has it, what it keeps to itself too. */
async function recordsOf(directory: string): Promise<(readonly [string, Buffer])[]> {
  const bytes = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const
  const database = new Level<Buffer, Buffer>(directory, bytes)
  await database.open({ createIfMissing: false })
  const found: (readonly [string, Buffer])[] = []
  for await (const [key, value] of database.iterator()) {
    found.push([`record ${key}`, Buffer.concat([key, value])])
  }
  await database.close()
  return found
}

const withSecrets = (what: string, text: string | Buffer): string[] =>
  [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${what}`)

let cast: Cast
test.before(async () => {
  await service.start()
  cast = await driveAll()
})
test.after(() => service.remove())

test('every route that issues a secret is driven', () => {
  const issuing = routes
    .map(({ declaration }) => declaration)
    .filter(({ success }) => secretFields.test(JSON.stringify(success.body)))
    .map(({ method, path }) => `${method} ${path}`)
  assert.equal(issuing.sort(), [...driven].sort())
})

test('interface §5: no refusal and nothing that others read has a secret in it', async () => {
  for (const secret of [...secrets.values()]) await misplace(secret, cast.slug)
  await readAll(cast)
  assert.equal(
    heard.flatMap((text) => withSecrets(text.slice(0, 300), text)),
    [],
  )
  const tally = new Tally()
  tally.add('secrets', secrets.size)
  tally.add('answers', heard.length)
  tally.tell('secrets', { secrets: 15, answers: 200 })
})

test('interface §5: no secret is in the log', () => {
  assert.ok(service.output.includes(cast.slug) || service.output.length > 10_000, 'a log')
  assert.equal(
    service.output.split('\n').flatMap((line) => withSecrets(line.slice(0, 300), line)),
    [],
  )
})

test('extensions §3: no secret is in the store, as it lies on disk or as it is read', async () => {
  const { code } = await service.end('SIGTERM')
  assert.is(code, 0)
  const data = join(service.directory, 'data')
  const files = [...filesBelow(data)]
  const key =
    files
      .find(([name]) => name === 'secret-key')?.[1]
      .toString()
      .trim() ?? ''
  keep('the key of the service', key)
  const others = files.filter(([name]) => name !== 'secret-key')
  const records = await recordsOf(join(data, 'store'))
  const places = [...others, ...records, ['the log', Buffer.from(service.output)] as const]
  assert.equal(
    places.flatMap(([name, bytes]) => withSecrets(name, bytes)),
    [],
  )
  // What is searched is the store, and is searched as it can be read.
  assert.ok(
    others.some(([, bytes]) => bytes.includes(NEEDLE)),
    'the words are in a file',
  )
  assert.ok(
    records.some(([, bytes]) => bytes.includes(NEEDLE)),
    'the words are in a record',
  )
})

test.run()
