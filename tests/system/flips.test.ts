/**
 * Law: one bit that flips in the files of a stopped service is noticed at the next start. Wrong
 * bytes are never served, and where it can be told what it hit, all else stays in service. LONG=1
 * flips far more.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  DamagedFile,
  documentsTouched,
  type LevelStore,
  openLevelStore,
} from '../../persistence/index.ts'
import { writeQuarantine } from '../../persistence/level-files/quarantine-file.ts'
import { type Service, startService } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { systemRuntime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { startChild } from '../child.ts'

const seed = Number(process.env['SEED'] ?? 20_261_121)
const isLong = process.env['LONG'] !== undefined
const flips = isLong ? 200 : 8
const documents = 8

interface Running {
  readonly service: Service
  /** What the start told the log to warn of. */
  readonly warnings: readonly string[]
  ask(method: string, path: string, token?: string, body?: unknown): Promise<Reply>
}

interface Reply {
  readonly status: number
  readonly text: string
}

async function run(directory: string): Promise<Running> {
  const settings = { RATE_CREATE: '0', RATE_IDENTIFY: '0', RATE_ACCOUNT: '0' }
  const config = readConfig({ PORT: '0', DATA_DIR: directory, ...settings })
  const warnings: string[] = []
  const write = (line: string) => {
    if (JSON.parse(line).level === pino.levels.values['warn']) warnings.push(line)
  }
  const logger = pino({ level: 'warn' }, { write })
  const service = await startService({ config, runtime: systemRuntime, logger })
  return {
    service,
    warnings: [...warnings],
    async ask(method, path, token, body) {
      const headers = new Headers({ connection: 'close' })
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      if (body !== undefined) headers.set('content-type', 'application/json')
      const payload = body === undefined ? {} : { body: JSON.stringify(body) }
      const url = `http://127.0.0.1:${service.port}${path}`
      const response = await fetch(url, { method, headers, ...payload })
      // Each start has another port, and reads tell the address of the reference.
      const text = (await response.text()).replaceAll(`:${service.port}/`, '/')
      return { status: response.status, text }
    },
  }
}

interface Written {
  readonly slug: string
  readonly token: string
  /** What reading it answers. */
  text: string
}

const swap = (from: string, to: string) => ({ edits: [{ old_string: from, new_string: to }] })

/** Documents of some 12 KB, each edited in each of several runs: every start makes a table. */
async function fill(directory: string, chance: Chance): Promise<Written[]> {
  const written: Written[] = []
  const word = () => chance.below(1e9).toString(36)
  for (let round = 0; round < 5; round++) {
    const { service, ask } = await run(directory)
    for (let made = 0; round === 0 && made < documents; made++) {
      const lines = Array.from({ length: 40 }, () => Array.from({ length: 40 }, word).join(' '))
      const markdown = `# Title\n\nround0\n\n${lines.join('\n\n')}\n`
      const created = JSON.parse((await ask('POST', '/docs', undefined, { markdown })).text)
      const { id: slug, access_token: token } = created
      await ask('POST', '/agents/identify', token, { display_name: 'Maker', slug })
      written.push({ slug, token, text: '' })
    }
    for (const document of written) {
      const { slug, token } = document
      const edited = await ask(
        'PATCH',
        `/docs/${slug}`,
        token,
        swap(`round${round}`, `round${round + 1}`),
      )
      assert.is(edited.status, 200, edited.text)
      document.text = (await ask('GET', `/docs/${slug}?include=authorship`, token)).text
    }
    await service.stop()
  }
  return written
}

/** Flips a bit anywhere in the live files, in tables mostly; says where. */
async function flip(store: string, chance: Chance): Promise<string> {
  const names = (await readdir(store)).filter((name) => !/^LO(CK|G)/.test(name)).sort()
  const tables = names.filter((name) => name.endsWith('.ldb'))
  const contents = await Promise.all(tables.map((name) => readFile(join(store, name))))
  const whole = contents.reduce((sum, { length }) => sum + length, 0)
  let at = chance.below(whole)
  let name = chance.pick(names) ?? ''
  if (chance.happens(0.8)) {
    const table = contents.findIndex(({ length }) => {
      if (at < length) return true
      at -= length
      return false
    })
    name = tables[table] ?? ''
  }
  const path = join(store, name)
  const bytes = await readFile(path)
  if (bytes.length === 0) return flip(store, chance)
  at %= bytes.length
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << chance.below(8)), at)
  await writeFile(path, bytes)
  return `${name} byte ${at}`
}

/** Reads everything: each document is as it was or out of service; those that are out. */
async function outOfService(running: Running, written: readonly Written[]) {
  const { service, ask } = running
  const damaged = new Set<string>()
  let withheld = 0
  for (const { slug, token, text } of written) {
    const read = await ask('GET', `/docs/${slug}?include=authorship`, token)
    const { status: edited } = await ask('PATCH', `/docs/${slug}`, token, swap('round5', 'round5'))
    assert.ok(edited === 200 || edited === 503, `an edit answers ${edited}`)
    if (read.status === 200) {
      assert.is(read.text, text, `${slug} reads otherwise`)
      continue
    }
    assert.is(read.status, 503, read.text)
    withheld++
    const { code } = JSON.parse(read.text)
    if (code === 'DOC_DAMAGED') damaged.add(slug)
    else assert.is(code, 'UNAVAILABLE', 'its token or the name of an author cannot be told')
    if (code === 'DOC_DAMAGED') assert.is(edited, 503)
  }
  const store = service.store as LevelStore
  const named = await Promise.all(store.quarantine.map((span) => documentsTouched(store, span)))
  for (const slug of damaged)
    assert.ok(named.flat().includes(slug as never), `${slug} is not named`)
  assert.is(running.warnings.length, store.quarantine.length)
  return { damaged, withheld, spans: store.quarantine.length }
}

interface Outcome {
  readonly kind: string
  readonly damaged: readonly string[]
}

async function outcomeOf(directory: string, written: readonly Written[]): Promise<Outcome> {
  let running: Running
  try {
    running = await run(directory)
  } catch (error) {
    assert.instance(error, DamagedFile, String(error))
    return { kind: 'refused to start', damaged: [] }
  }
  try {
    const found = await outOfService(running, written)
    return { kind: kindOf(found), damaged: [...found.damaged] }
  } finally {
    await running.service.stop()
  }
}

const one = 'one document 503, the others exact'

function kindOf({ damaged, withheld, spans }: Awaited<ReturnType<typeof outOfService>>): string {
  if (spans === 0) {
    assert.is(withheld, 0)
    return 'harmless'
  }
  if (withheld > damaged.size) return 'credentials and documents 503, the others exact'
  if (damaged.size > 1) return 'several documents 503, the others exact'
  return damaged.size === 1 ? one : 'keys that nobody reads'
}

/** `npm run scrub` names the documents that are out of service, and exits 1. */
async function assertScrubbed(directory: string, damaged: readonly string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: directory }
  const child = startChild({ file: 'dist/scrub.js', env })
  let told = ''
  child.stdout.on('data', (data) => (told += data))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.is(code, 1, told)
  const named = told.match(/(?<=^document )\w+/gm)
  assert.equal(named, damaged, told)
}

const withoutSocket = (path: string): boolean => !path.endsWith('.sock')

/** Keys outside documents, and not those the whole store needs. */
async function keysOfPeople(directory: string): Promise<string[]> {
  const store = await openLevelStore({ directory, runtime: systemRuntime })
  const keys: string[] = []
  for await (const { key } of store.scan({})) if (!/^(doc|meta)\//.test(key)) keys.push(key)
  await store.close()
  return keys
}

test('any record of people out of service: who needs it gets 503, never 401 or 500', async () => {
  const image = await mkdtemp(join(tmpdir(), 'flips-'))
  const written = await fill(image, new Chance(seed))
  const copy = await mkdtemp(join(tmpdir(), 'flipped-'))
  const keys = await keysOfPeople(join(image, 'store'))
  const outcomes = new Map<string, number>()
  const needed = 'credentials and documents 503, the others exact'
  const met = new Map<string, number>()
  for (const key of keys) {
    const [sort = ''] = key.split('/')
    const count = met.get(sort) ?? 0
    met.set(sort, count + 1)
    // Three of each sort, and more while none was needed.
    if (!isLong && count >= 3 && (sort !== 'token' || outcomes.has(needed))) continue
    await rm(copy, { recursive: true })
    await cp(image, copy, { recursive: true, filter: withoutSocket })
    const bytes = Buffer.from(key)
    await writeQuarantine(join(copy, 'store'), [{ from: bytes, to: bytes }])
    const { kind } = await outcomeOf(copy, written).catch((error: unknown) => {
      throw new Error(`${key}: ${error}`, { cause: error })
    })
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
  }
  console.log(`\nseed ${seed} people: ${JSON.stringify([...outcomes])}`)
  assert.ok(outcomes.has(needed))
  await Promise.all([image, copy].map((path) => rm(path, { recursive: true })))
})

test(`${flips} flipped bits after a clean stop: noticed, and never served`, async () => {
  const chance = new Chance(seed)
  const image = await mkdtemp(join(tmpdir(), 'flips-'))
  const written = await fill(image, chance)
  const copy = await mkdtemp(join(tmpdir(), 'flipped-'))
  const outcomes = new Map<string, number>()
  let scrubbed = 0
  for (let done = 0; done < flips; done++) {
    await rm(copy, { recursive: true })
    await cp(image, copy, { recursive: true, filter: withoutSocket })
    const where = await flip(join(copy, 'store'), chance)
    try {
      const outcome = await outcomeOf(copy, written)
      // What was noticed once stays noticed, whatever was written since.
      if (outcome.kind.includes('503')) assert.equal(await outcomeOf(copy, written), outcome)
      outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1)
      if (outcome.kind === one && scrubbed++ < 2) await assertScrubbed(copy, outcome.damaged)
    } catch (error) {
      throw new Error(`seed ${seed} flip ${done}, ${where}: ${error}`, { cause: error })
    }
  }
  const told = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join('; ')
  console.log(`\nseed ${seed} flips: ${told}`)
  const harmless = outcomes.get('harmless') ?? 0
  assert.ok(harmless < flips, told)
  // Of a few the shares say nothing.
  if (isLong) assert.ok((outcomes.get(one) ?? 0) > flips / 4 && harmless <= flips / 20, told)
  await Promise.all([image, copy].map((path) => rm(path, { recursive: true })))
})

test.run()
