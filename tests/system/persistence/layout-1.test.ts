/**
 * Stores that were written before keys had their present layout: one that was stopped, one that was
 * killed amid writes and whose last record is cut off. Opened by this service they answer as they
 * did before; cut off anywhere on the way, they come to the same.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Level } from 'level'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { openEnvelope, sealEnvelope, versionOf, wrapValue } from '../../../persistence/envelope.ts'
import { ensureLayout, formatKey } from '../../../persistence/format.ts'
import {
  allDocSlugs,
  type Commit,
  createMemoryRecords,
  dataPaths,
  epochKey,
  type MemoryRecords,
  openLevelStore,
  openMemoryStore,
  type Store,
  scrubStore,
  UnknownLayout,
} from '../../../persistence/index.ts'
import type { Slug } from '../../../schema/ids.ts'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { rejection, scratchDirectory } from '../../unit/persistence/fixtures.ts'
import { UnrulyStore } from '../../unit/server/unruly-store.ts'

interface Ask {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly cookie?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Fixture {
  /** When it was made. */
  readonly at: number
  readonly secretKey: string
  readonly third: Slug
  /** In base64, by path below the data directory. */
  readonly files: Readonly<Record<string, string>>
  readonly answers: readonly {
    readonly ask: Ask
    readonly status: number
    readonly body: Record<string, unknown> | string
    readonly etag?: string
  }[]
}

const base = 'http://localhost:4177'
const folder = new URL('layout-1/', import.meta.url)
const fixtures = ['stopped', 'killed'] as const
type Name = (typeof fixtures)[number]

async function unpacked(name: Name): Promise<Fixture & { readonly directory: string }> {
  const bytes = gunzipSync(await readFile(new URL(`${name}.json.gz`, folder)))
  const fixture: Fixture = JSON.parse(bytes.toString())
  const directory = await scratchDirectory()
  for (const [path, content] of Object.entries(fixture.files)) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, Buffer.from(content, 'base64'))
  }
  return { ...fixture, directory }
}

async function answerTo(origin: string, ask: Ask) {
  const headers = new Headers(ask.headers)
  if (ask.token !== undefined) headers.set('authorization', `Bearer ${ask.token}`)
  if (ask.cookie !== undefined) headers.set('cookie', ask.cookie)
  if (ask.cookie !== undefined) headers.set('origin', base)
  if (ask.body !== undefined) headers.set('content-type', 'application/json')
  const { method, path } = ask
  const response = await fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const body: Record<string, unknown> | string = isJson ? JSON.parse(text) : text
  assertHues(body)
  return { status: response.status, body: withoutChance(body) }
}

/** Without what is made anew at each request. */
function withoutChance(body: Record<string, unknown> | string) {
  if (typeof body === 'string') return body
  const { request_id: _, your_token: __, ...rest } = body
  return 'actors' in rest ? { ...rest, actors: withoutHues(rest['actors'] as Actors) } : rest
}

type Actors = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Layout 1 gave authors none; by now each has one. */
const withoutHues = (actors: Actors): Actors =>
  Object.fromEntries(Object.entries(actors).map(([id, { hue: _, ...actor }]) => [id, actor]))

/** Who has written in a document that is told with its authors. */
function assertHues(body: Record<string, unknown> | string): void {
  if (typeof body === 'string' || body['authorship'] === undefined) return
  const actors = body['actors'] as Actors
  for (const { author } of body['authorship'] as { readonly author: string }[]) {
    const hue = actors[author]?.['hue']
    assert.ok(author.startsWith('unknown:') || (Number(hue) >= 0 && Number(hue) <= 9), author)
  }
}

/** Layout 1 noted when the commit was made, and said before a restart when the text was written. */
/** Without what depends on the time, and the sentence of a refusal, which is no contract. */
const comparable = (body: unknown): unknown => {
  if (typeof body === 'string') return body.replace(/^timestamp: .*$/m, '')
  const isRefusal = typeof body === 'object' && body !== null && 'code' in body && 'error' in body
  return isRefusal ? { ...body, error: '' } : body
}

/** Records with a layout-1 store's bytes, as memory has them. */
async function recordsOf(directory: string): Promise<MemoryRecords> {
  const records = createMemoryRecords()
  const database = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' })
  for await (const [key, envelope] of database.iterator({ gte: '\u0001' })) {
    const { value } = openEnvelope(key, envelope)
    records.values.set(key, { value, version: versionOf(1) })
  }
  await database.close()
  records.lastVersion = 1
  return records
}

const dump = (records: MemoryRecords): string[] =>
  [...records.values]
    .map(([key, { value }]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .sort()

for (const name of fixtures) {
  test(`the store that was ${name} answers as it did, and is whole`, async () => {
    const { directory, at, secretKey, third, answers } = await unpacked(name)
    const store = dataPaths(directory).store
    assert.ok((await recordsOf(await copyOf(store))).values.has(epochKey))
    const started = systemRuntime.elapsed()
    const now = () => at + (systemRuntime.elapsed() - started)
    const config = readConfig({
      PORT: '0',
      DATA_DIR: directory,
      SECRET_KEY: secretKey,
      BASE_URL: base,
      RATE_CREATE: '0',
    })
    const logger = pino({ level: 'silent' })
    const service = await startService({ config, runtime: { ...systemRuntime, now }, logger })
    try {
      const origin = `http://localhost:${service.port}`
      for (const { ask, status, body } of answers) {
        const what = `${ask.method} ${ask.path}`
        const answer = await answerTo(origin, ask)
        assert.is(answer.status, status, what)
        assert.equal(comparable(answer.body), comparable(withoutChance(body)), what)
      }
      const { markdown } = await service.documents.read(third, { markdown: true })
      assert.match(markdown, /^third/)
      if (name === 'killed') assert.match(markdown, /w\d\.\d/, 'what was written last')
    } finally {
      await service.stop()
    }
    const opened = await openLevelStore({ directory: store, runtime: systemRuntime })
    for await (const finding of scrubStore(opened)) assert.unreachable(JSON.stringify(finding))
    for await (const slug of allDocSlugs(opened)) {
      assert.is(await verifyDocument(opened, slug, systemRuntime), undefined)
    }
    const names = new Set<string>()
    for await (const { key } of opened.scan({ gte: 'index/', lt: 'index0' })) {
      names.add(key.split('/')[1] ?? '')
    }
    const known = ['grant-of', 'link-of', 'session-end', 'token-of', 'unused-token']
    assert.equal([...names].sort(), known, 'what is below index/ finds what lies elsewhere')
    await opened.close()
  })

  test(`the store that was ${name}, cut off at any commit on the way, comes to the same`, async () => {
    const { directory } = await unpacked(name)
    const before = await recordsOf(dataPaths(directory).store)
    withManyGrants(before)
    const whole = copied(before)
    await (await openMemoryStore({ runtime: systemRuntime, records: whole })).close()
    const expected = dump(whole)
    let cuts = 0
    for (let commits = 0; ; commits++) {
      const records = copied(before)
      const store = new CutStore(await unmigrated(records), commits)
      const error = await rejection(ensureLayout(store, systemRuntime)).catch(() => undefined)
      if (error === undefined) break
      assert.is((error as Error).message, 'cut off')
      cuts++
      await (await openMemoryStore({ runtime: systemRuntime, records })).close()
      assert.equal(dump(records), expected, `after ${commits} commits`)
    }
    assert.ok(cuts >= 8, `${cuts} cuts`)
    console.log(`\nseed none, ${name}: cut off at ${cuts} commits`)
  })
}

/** So many that they go in several commits. */
function withManyGrants({ values }: MemoryRecords): void {
  const [key, grant] = [...values].find(([one]) => one.startsWith('index/grant/')) ?? []
  if (key === undefined || grant === undefined) throw new TypeError('nobody was granted anything')
  for (let n = 0; n < 1_600; n++) values.set(`${key}-${n}`, grant)
}

const copied = ({ values, lastVersion }: MemoryRecords): MemoryRecords => ({
  values: new Map(values),
  lastVersion,
})

/** A store that takes these records for what they are. */
async function unmigrated(records: MemoryRecords): Promise<Store> {
  const isKnown = { value: Buffer.from('{"layout":2}'), version: versionOf(1) }
  records.values.set(formatKey, isKnown)
  const store = await openMemoryStore({ runtime: systemRuntime, records })
  records.values.delete(formatKey)
  return store
}

/** Fails at one commit, as a process that ends there, and is not heard of again. */
class CutStore extends UnrulyStore {
  #left: number

  constructor(store: Store, commits: number) {
    super(store)
    this.#left = commits
  }

  override async commit(commit: Commit) {
    if (this.#left-- <= 0) throw new Error('cut off')
    return super.commit(commit)
  }
}

test('a service that knows only layout 1 opens no store of this one, and this one none newer', async () => {
  const { directory } = await unpacked('stopped')
  const store = dataPaths(directory).store
  const opened = await openLevelStore({ directory: store, runtime: systemRuntime })
  await opened.close()
  const copy = await copyOf(store)
  const database = new Level<string, Buffer>(copy, { valueEncoding: 'buffer' })
  // It looks for this one, and gives up where there are records and it is not there.
  assert.is(await database.get('\u0000last'), undefined)
  assert.ok((await database.keys({ limit: 2 }).all()).length > 0)
  await database.close()
  const lost = await openLevelStore({ directory: store, runtime: systemRuntime })
  await lost.commit({ deletes: [formatKey] })
  await lost.close()
  assert.match(
    String(
      await rejection(openLevelStore({ directory: await copyOf(store), runtime: systemRuntime })),
    ),
    /format.*missing/,
  )
  const raw = new Level<string, Buffer>(store, { valueEncoding: 'buffer' })
  await raw.put(formatKey, sealEnvelope(wrapValue(formatKey, Buffer.from('{"layout":2}')), 1))
  await raw.close()
  await rm(join(store, 'CLEAN-STOP'))
  const again = await openLevelStore({ directory: store, runtime: systemRuntime })
  await again.commit({ puts: [{ key: formatKey, value: Buffer.from('{"layout":3}') }] })
  await again.close()
  const error = await rejection(openLevelStore({ directory: store, runtime: systemRuntime }))
  assert.instance(error, UnknownLayout)
  assert.match((error as Error).message, /layout 3/)
  assert.ok(existsSync(join(store, 'CURRENT')))
})

async function copyOf(directory: string): Promise<string> {
  const copy = await scratchDirectory()
  await cp(directory, copy, { recursive: true })
  return copy
}

test.run()
