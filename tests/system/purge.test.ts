/**
 * Documents deleted for good by the service as a process (interface §3; extensions §3): a kill in
 * the middle only delays it, no byte of them is left in the files, and a backup that is older does
 * not bring them back.
 */
import { copyFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore } from '../../persistence/index.ts'
import { systemRuntime as runtime } from '../../server/runtime.ts'
import { type Made, Service, succeeded } from '../client.ts'
import { pause } from '../waiting.ts'
import { Person } from './acceptance/person.ts'

const service = new Service()
test.after(() => service.remove())

const marker = 'zanzibar'

/** What the store of a stopped or killed service holds. */
async function recordsOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const copy = await mkdtemp(join(tmpdir(), 'purged-'))
  await cp(join(directory, 'store'), copy, { recursive: true })
  const store = await openLevelStore({ directory: copy, runtime })
  const found = new Map<string, string>()
  try {
    for await (const { key, value } of store.scan({})) {
      found.set(key, Buffer.from(value).toString('latin1'))
    }
  } finally {
    await store.close()
    await rm(copy, { recursive: true })
  }
  return found
}

/** Files of the store in which these words stand, whatever the store makes of them. */
async function filesWith(directory: string, words: string): Promise<string[]> {
  const folder = join(directory, 'store')
  const found: string[] = []
  for (const name of await readdir(folder)) {
    if ((await readFile(join(folder, name))).includes(words)) found.push(name)
  }
  return found
}

async function archived(owner: Person, name: string): Promise<Made> {
  const made = await service.document(`# ${name}\n\nwords of ${name}\n`)
  await owner.open(made)
  succeeded(await owner.post(`${made.path}/claim`))
  for (let at = 1; at <= 20; at++) await made.swap(at === 1 ? 'words' : `w${at - 1}`, `w${at}`)
  succeeded(await owner.post(`${made.path}/links`, { role: 'viewer' }), 201)
  succeeded(await owner.post(`${made.path}/archive`))
  return made
}

async function untilGone(made: readonly Made[]): Promise<void> {
  for (const { path } of made) {
    while ((await service.get(path)).status !== 404) await pause(20)
  }
  const owner = new Person(service)
  await owner.becomes('Nobody')
}

const scrubbed = async () => {
  const child = service.spawn('dist/scrub.js', [], service.environment)
  let told = ''
  child.stdout?.on('data', (data) => (told += data))
  await new Promise((resolve) => child.on('close', resolve))
  return told
}

test('§3 a purge that is killed goes on after the start and leaves nothing', async () => {
  await service.start()
  const owner = new Person(service)
  await owner.becomes('Olga')
  const made: Made[] = []
  for (let at = 0; at < 12; at++) made.push(await archived(owner, `${marker}${at}`))
  const kept = await service.document('# Kept\n\nother words\n')
  // All at once: one answer says that the others are under way.
  const asked = made.map(({ path }) => owner.ask('DELETE', `${path}/forever`))
  const answers = asked.map((answer) => answer.catch(() => undefined))
  assert.is((await Promise.race(answers))?.status, 204)
  await service.end('SIGKILL')
  await Promise.all(answers)
  const { DATA_DIR: directory } = service.environment
  const middle = await recordsOf(directory)
  assert.ok(
    [...middle.keys()].some((key) => key.startsWith('purge/')),
    'it was under way',
  )
  assert.match(await scrubbed(), / 0 problems/)
  await service.start()
  // Whom the kill came before has no answer and is where he was: he asks again.
  const isUnderWay = ({ slug }: Made) =>
    !middle.has(`doc/${slug}/head`) ||
    [...middle.keys()].some((key) => key.startsWith('purge/') && key.includes(slug))
  for (const { path } of made.filter((one) => !isUnderWay(one))) {
    assert.is((await owner.ask('DELETE', `${path}/forever`)).status, 204)
  }
  await untilGone(made)
  while ([...(await recordsLeft(made))].length > 0) await pause(50)
  assert.is((await service.get(kept.path, kept.token)).status, 200)
  const ended = await service.end('SIGTERM')
  assert.is(ended.code, 0)
  for (const [key, value] of await recordsOf(directory)) {
    for (const { slug } of made) assert.not.ok(key.includes(slug) || value.includes(slug), key)
    assert.not.ok(value.includes(marker), key)
  }
  assert.equal(await filesWith(directory, marker), [])
  assert.match(await scrubbed(), / 0 problems/)
})

/** Those that the owner still hears of, while the last of them go. */
async function recordsLeft(made: readonly Made[]): Promise<readonly Made[]> {
  const answers = await Promise.all(made.map(({ path }) => service.get(`${path}/archive`)))
  return made.filter((_, index) => answers[index]?.status !== 404)
}

test('extensions §3: a backup that is older does not bring back what was deleted since', async () => {
  await service.start()
  const owner = new Person(service)
  await owner.becomes('Olga')
  const made = await archived(owner, 'quagga')
  const kept = await service.document('# Kept\n\nother words\n')
  const target = join(service.directory, 'backup')
  const taken = service.spawn('dist/backup.js', [target], service.environment)
  await new Promise((resolve) => taken.on('close', resolve))
  assert.is((await owner.ask('DELETE', `${made.path}/forever`)).status, 204)
  await service.end('SIGTERM')
  const { DATA_DIR: directory } = service.environment
  assert.ok((await recordsOf(target)).has(`doc/${made.slug}/head`), 'the backup has it')
  await copyFile(join(directory, 'purged'), join(target, 'purged'))
  const restored = new Service({ DATA_DIR: target })
  try {
    await restored.start()
    assert.is((await restored.get(made.path)).status, 404)
    assert.is((await restored.get(kept.path, kept.token)).status, 200)
    while ((await restored.get(`${made.path}/archive`)).status !== 404) await pause(20)
    await restored.end('SIGTERM')
    for (const [key, value] of await recordsOf(target)) {
      assert.not.ok(key.includes(made.slug) || value.includes(made.slug), key)
    }
  } finally {
    await restored.remove()
  }
})

test.run()
