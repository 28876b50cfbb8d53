/**
 * The service on PostgreSQL as operators meet it: its data comes from LevelDB and goes back, the
 * database stops and starts under it, and it starts on no database that is not its own.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  dataPaths,
  openBlobStore,
  openLevelStore,
  openPostgresStore,
} from '../../persistence/index.ts'
import { systemRuntime as runtime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { asText, type Made, refused, Service, within } from '../client.ts'
import { largePng } from '../pictures.ts'
import { ask, hasOwnPostgres, needing, rows } from '../postgres/databases.ts'
import { PostgresServer } from '../postgres/server.ts'
import { putBlob, scratchDirectory } from '../unit/persistence/fixtures.ts'
import { until } from '../waiting.ts'
import { registerAgent } from './matrix/scenes.ts'

const testOf = needing(test, hasOwnPostgres)
const commandTimeoutMs = 60_000
const service = new Service()
let server: PostgresServer

test.before(async () => {
  if (hasOwnPostgres) server = await PostgresServer.start()
})
test.after(async () => {
  await service.remove()
  if (hasOwnPostgres) await server.remove()
})

function spawned(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = service.spawn(`dist/${file}.js`, args, { ...service.environment, ...env })
  let out = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (data) => (out += data))
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  return { child, ended: ended.then((code) => ({ code, out: out.trim() })) }
}

const command = (...given: Parameters<typeof spawned>) =>
  within(commandTimeoutMs, spawned(...given).ended)

async function newUrl(name: string): Promise<string> {
  await ask(server.url(), `CREATE DATABASE ${name}`)
  return server.url(name)
}

interface Scene {
  readonly made: Made
  readonly image: string
  readonly bytes: Buffer
}

async function writtenScene(): Promise<Scene> {
  const made = await service.document('# Kept\n\nIn one engine or the other.\n')
  const { secret: token } = await registerAgent(service, 'Painter')
  const own = await service.ask('POST', '/docs', { token, body: { markdown: '# Pictures' } })
  const bytes = largePng(300_000, new Chance(2))
  const at = `/docs/${asText(own.body['id'])}/images`
  const headers = { 'content-type': 'image/png' }
  const answer = await service.ask('POST', at, { token, raw: bytes, headers })
  assert.is(answer.status, 201, answer.text)
  return { made, image: asText(answer.body['url']), bytes }
}

async function assertServes({ made, image, bytes }: Scene, markdown: string): Promise<void> {
  assert.is(await made.markdown(), markdown)
  const path = new URL(image, 'http://base.test').pathname
  const picture = await fetch(service.base + path)
  assert.is(picture.status, 200)
  assert.ok(Buffer.from(await picture.arrayBuffer()).equals(bytes))
}

testOf('data moves to PostgreSQL and back; outages are 503 and pass', async () => {
  const url = await newUrl('moved')
  await service.start()
  const scene = await writtenScene()
  await service.end('SIGTERM')
  const { DATA_DIR: directory } = service.environment
  const there = await command('copy', [directory, url])
  assert.is(there.code, 0, there.out)
  assert.match(there.out, /records, 1 blobs, verified/)
  assert.equal((await command('copy', [directory, url])).code, 2, 'it is not empty')

  await service.start({ STORE_URL: url })
  await assertServes(scene, '# Kept\n\nIn one engine or the other.\n')
  assert.is((await scene.made.swap('one engine', 'this engine')).status, 200)
  await server.kill()
  const away = [scene.made.swap('engine', 'one'), scene.made.read()]
  for (const answer of await Promise.all(away)) {
    refused(answer, 503, 'UNAVAILABLE')
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  await server.restart()
  await until(
    20_000,
    async () => ((await scene.made.swap('or the', 'and the')).status === 200 ? true : undefined),
    () => 'it does not go on',
  )
  const moved = '# Kept\n\nIn this engine and the other.\n'
  await assertServes(scene, moved)
  const { code, output } = await service.end('SIGTERM')
  assert.is(code, 0, output)
  assert.match(output, /the database does not answer/)
  assert.match(output, /the database answers again/)

  const scrub = await command('scrub', [], { STORE_URL: url })
  assert.is(scrub.code, 0, scrub.out)
  const back = join(service.directory, 'back')
  const returned = await command('copy', [url, back])
  assert.is(returned.code, 0, returned.out)
  await service.start({ DATA_DIR: back })
  await assertServes(scene, moved)
  await service.end('SIGTERM')
  const after = await command('scrub', [], { DATA_DIR: back })
  assert.is(after.code, 0, after.out)
})

testOf('scrub names what is wrong in the database; a backup is its own', async () => {
  const url = await newUrl('scrubbed')
  await service.start({ STORE_URL: url })
  const { made } = await writtenScene()
  await service.end('SIGTERM')
  const like = `convert_from(key, 'UTF8') LIKE 'doc/${made.slug}/%'`
  await ask(url, `UPDATE scriptorium.kv SET value = set_byte(value, 20, 255) WHERE ${like}`)
  await ask(url, 'DELETE FROM scriptorium.blob_pieces WHERE at = 1')
  const { code, out } = await command('scrub', [], { STORE_URL: url })
  assert.is(code, 1, out)
  assert.match(out, new RegExp(`doc/${made.slug}/.*: damaged`))
  assert.match(out, /a part of it is missing/)
  const backup = await command('backup', [join(service.directory, 'no')], { STORE_URL: url })
  assert.is(backup.code, 2)
  assert.match(backup.out, /pg_dump/)
  const copy = await command('copy', [url, join(service.directory, 'damaged')])
  assert.is(copy.code, 1, copy.out)
  assert.match(copy.out, /is damaged/)
})

testOf('a service with another key, or one it made up, does not start on used data', async () => {
  const url = await newUrl('owned')
  const [ours, others] = ['the key of this service', 'the key of another one']
  await service.start({ STORE_URL: url, SECRET_KEY: ours })
  await service.document('# Ours\n')
  await service.end('SIGTERM')
  for (const env of [{ SECRET_KEY: others }, { DATA_DIR: join(service.directory, 'elsewhere') }]) {
    const { code, out } = await command('main', [], { STORE_URL: url, ...env })
    assert.is(code, 2, out)
    assert.match(out, /^SECRET_KEY takes the key of the service to which the database/)
  }
  await service.start({ STORE_URL: url, SECRET_KEY: ours })
  await service.end('SIGTERM')
})

testOf('a copy that is cut off is refused by the service, and made whole by the next', async () => {
  const url = await newUrl('cut')
  const root = await scratchDirectory()
  const paths = dataPaths(root)
  const store = await openLevelStore({ directory: paths.store, runtime })
  const blobs = await openBlobStore({ directory: paths.blobs, runtime })
  for (let at = 0; at < 40; at++) await putBlob(blobs, Buffer.alloc(200_000, `blob ${at}`))
  const value = Buffer.alloc(3_000, 'x')
  for (let from = 0; from < 3_000; from += 500) {
    const puts = Array.from({ length: 500 }, (_, at) => ({ key: `doc/${from + at}`, value }))
    await store.commit({ puts })
  }
  await store.close()
  const { child, ended } = spawned('copy', [root, url])
  const counted = 'SELECT count(*)::int AS count FROM scriptorium.blobs'
  const isAmid = async () => {
    const found = await rows<{ count: number }>(url, counted).catch(() => [])
    return (found[0]?.count ?? 0) > 2 ? true : undefined
  }
  await until(20_000, isAmid, () => 'nothing is copied')
  child.kill('SIGKILL')
  assert.is((await ended).code, -1)
  const start = await command('main', [], { STORE_URL: url })
  assert.is(start.code, 1)
  assert.match(start.out, /an incomplete copy: run `npm run copy/)
  const again = await command('copy', [root, url])
  assert.is(again.code, 0, again.out)
  assert.match(again.out, /3002 records, 40 blobs, verified/)
  const copied = await openPostgresStore({ url, runtime })
  let count = 0
  for await (const { value: found } of copied.scan({ gte: 'doc/', lt: 'doc0' })) {
    count += value.equals(found) ? 1 : 0
  }
  assert.is(count, 3_000)
  await copied.close()
  await rm(root, { recursive: true })
})

test.run()
