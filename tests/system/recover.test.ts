/**
 * Law: `npm run recover` writes a directory that has all that was whole. What a single flipped bit
 * did is put right wherever it was; of what more damage hit, each document is as it was, or is
 * named and is unavailable. LONG=1 flips ten times as many.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DamagedFile, openLevelStore, putOutOfService } from '../../persistence/index.ts'
import { startService } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { recover } from '../../server/recovery.ts'
import { systemRuntime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { startChild } from '../child.ts'

const seed = Number(process.env['SEED'] ?? 20_261_124)
const flips = process.env['LONG'] === undefined ? 10 : 160
const documents = 6

interface Asked {
  readonly status: number
  readonly body: string
}

/** The service on this directory for as long as `use` takes. */
async function serving<T>(
  directory: string,
  use: (ask: (method: string, path: string, more?: object) => Promise<Asked>) => Promise<T>,
): Promise<T> {
  const limits = { RATE_CREATE: '0', RATE_IDENTIFY: '0' }
  const config = readConfig({ PORT: '0', DATA_DIR: directory, ...limits })
  const logger = pino({ level: 'silent' })
  const service = await startService({ config, runtime: systemRuntime, logger })
  try {
    return await use(async (method, path, more = {}) => {
      const { token, body } = more as { token?: string; body?: unknown }
      const headers = new Headers({ connection: 'close' })
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      if (body !== undefined) headers.set('content-type', 'application/json')
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = (await answer.text()).replaceAll(`:${service.port}/`, '/')
      return { status: answer.status, body: text }
    })
  } finally {
    await service.stop()
  }
}

interface Written {
  readonly slug: string
  readonly token: string
  text: string
}

/** Documents written in several runs, and the directory as a crash in the last one leaves it. */
async function crashed(parent: string, chance: Chance): Promise<[string, Written[]]> {
  const directory = join(parent, 'data')
  const image = join(parent, 'image')
  const written: Written[] = []
  const words = () => Array.from({ length: 30 }, () => chance.below(1e9).toString(36)).join(' ')
  for (const round of [0, 1, 2]) {
    await serving(directory, async (ask) => {
      for (let made = written.length; made < documents; made++) {
        const markdown = `# Title\n\nround0\n\n${words()}\n\n${words()}\n`
        const { id, access_token } = JSON.parse(
          (await ask('POST', '/docs', { body: { markdown } })).body,
        )
        const token = access_token as string
        await ask('POST', '/agents/identify', { token, body: { display_name: 'Maker', slug: id } })
        written.push({ slug: id, token, text: '' })
      }
      for (const document of written) {
        const { slug, token } = document
        const edits = [{ old_string: `round${round}`, new_string: `round${round + 1}` }]
        const edited = await ask('PATCH', `/docs/${slug}`, { token, body: { edits } })
        assert.is(edited.status, 200, edited.body)
        const comment = { text: `about round ${round}`, quote: '# Title' }
        const added = await ask('POST', `/docs/${slug}/comments`, { token, body: comment })
        assert.is(added.status, 201, added.body)
        document.text = (await ask('GET', `/docs/${slug}?include=authorship`, { token })).body
      }
      if (round === 2)
        await cp(directory, image, { recursive: true, filter: (path) => !path.endsWith('.sock') })
    })
  }
  return [image, written]
}

/** What each document reads as now, by its name. */
const reading = (directory: string, written: readonly Written[]): Promise<Map<string, Asked>> =>
  serving(directory, async (ask) => {
    const read = new Map<string, Asked>()
    for (const { slug, token } of written) {
      read.set(slug, await ask('GET', `/docs/${slug}?include=authorship`, { token }))
    }
    return read
  })

let parent = ''
let image = ''
let written: Written[] = []

test.before(async () => {
  console.log(`seed ${seed}`)
  parent = await mkdtemp(join(tmpdir(), 'recover-'))
  const made = await crashed(parent, new Chance(seed))
  image = made[0]
  written = made[1]
})
test.after(() => rm(parent, { recursive: true, force: true }))

test('one bit that flipped anywhere in the store is put right, and nothing is lost', async () => {
  const chance = new Chance(seed)
  const store = join(image, 'store')
  const names = (await readdir(store)).filter((name) => !/^LO(CK|G)/.test(name)).sort()
  let mended = 0
  for (let round = 0; round < flips; round++) {
    const name =
      (round % 2 === 0 ? names.find((one) => one.endsWith('.log')) : undefined) ??
      chance.pick(names) ??
      ''
    const path = join(store, name)
    const bytes = await readFile(path)
    if (bytes.length === 0) continue
    const flipped = Buffer.from(bytes)
    const at = chance.below(bytes.length)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << chance.below(8)), at)
    await writeFile(path, flipped)
    const to = join(parent, `recovered-${round}`)
    const where = `${name} byte ${at} of ${bytes.length}`
    const found = await recover(image, to, systemRuntime)
    assert.equal([found.lost, found.damaged], [[], []], where)
    mended += found.mended.length
    for (const [slug, read] of await reading(to, written)) {
      const { text } = written.find((one) => one.slug === slug) ?? { text: '' }
      assert.is(read.status, 200, `${where}: ${read.body}`)
      assert.is(read.body, text, where)
    }
    await writeFile(path, bytes)
    await rm(to, { recursive: true })
  }
  assert.ok(mended > flips / 2, `${mended} were put right`)
})

test('of a log with a hole, each document is as it was or is named and is unavailable', async () => {
  const store = join(image, 'store')
  const [log = ''] = (await readdir(store)).filter((name) => name.endsWith('.log'))
  const path = join(store, log)
  const bytes = await readFile(path)
  let named = 0
  for (const part of [0.3, 0.6]) {
    const at = Math.floor(bytes.length * part)
    await writeFile(path, Buffer.from(bytes).fill(0xaa, at, at + 300))
    await openLevelStore({ directory: store, runtime: systemRuntime }).then(
      () => assert.unreachable('it opened'),
      (error: unknown) => {
        assert.instance(error, DamagedFile)
        assert.match(String(error), 'npm run recover -- FROM TO')
      },
    )
    const to = join(parent, `hole-${part}`)
    const { mended, lost, damaged } = await recover(image, to, systemRuntime)
    assert.equal(mended, [])
    assert.is(lost.length, 1)
    named += damaged.length
    const read = await reading(to, written)
    for (const { slug, text } of written) {
      const { status, body } = read.get(slug) ?? { status: 0, body: '' }
      const one = damaged.find((each) => each.slug === slug)
      if (one === undefined) {
        assert.is(body, text)
        continue
      }
      assert.is(status, 503)
      assert.is(JSON.parse(body).code, 'DOC_DAMAGED')
      const taken = await readFile(one.taken?.path ?? '', 'utf8')
      assert.match(taken, /^# Title\n\nround[23]\n/)
    }
  }
  await writeFile(path, bytes)
  assert.ok(named > 0, 'the holes hit no document')
})

test('the command names each document that is not whole, and takes no directory with anything in it', async () => {
  const run = async (...args: string[]) => {
    const child = startChild({ file: 'dist/recover.js', args, env: process.env })
    let said = ''
    for (const pipe of [child.stdout, child.stderr])
      pipe.setEncoding('utf8').on('data', (text) => {
        said += text
      })
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { code, said }
  }
  const to = join(parent, 'to')
  assert.match((await run(image)).said, 'usage: npm run recover -- FROM TO')
  assert.equal(await run(image, image).then(({ code }) => code), 2)
  const whole = await run(image, to)
  assert.is(whole.code, 0, whole.said)
  assert.match(whole.said, 'nothing was lost')
  const [{ slug } = { slug: '' }] = written
  const store = await openLevelStore({ directory: join(to, 'store'), runtime: systemRuntime })
  await store.close()
  await putOutOfService(join(to, 'store'), [slug as never])
  const again = await run(to, join(parent, 'again'))
  assert.is(again.code, 1, again.said)
  assert.match(again.said, `document ${slug} is unavailable`)
})

test.run()
