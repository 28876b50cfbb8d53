/**
 * The hue of an author (interface §2.6): given at the first write in the document, for every
 * reader the same, kept whatever becomes of the words, of the process and of the place in memory.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { StoredRecord } from '../../../../../core/commit/participant.ts'
import { Hues, type Writers } from '../../../../../core/documents/authorship/hues.ts'
import type { Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { verifyDocument } from '../../../../../core/documents/verify.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { everything } from '../views/whole-view.ts'

const actorOf = (name: string) => `ai:${name}` as ActorId
const writerOf = (name: string): Writer => ({ actor: actorOf(name), authMethod: 'token' })

async function world() {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const open = () =>
    openDocuments({
      store,
      runtime,
      onTrouble: ({ error }) => assert.unreachable(String(error)),
    })
  let documents = open()
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const markdown = 'one two three four five\n'
  const writer = writerOf('creator')
  await documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
  return {
    store,
    slug,
    replace: (name: string, from: string, to: string) =>
      documents.patch(slug, {
        edits: [{ old_string: from, new_string: to }],
        dryRun: false,
        writer: writerOf(name),
      }),
    hueOf: async (name: string) => (await documents.read(slug, everything)).hueOf(actorOf(name)),
    leave: () => runtime.pass(limits.openDocumentIdleMs),
    verify: () => verifyDocument(store, slug, runtime),
    restart: async () => {
      await documents.close()
      documents = open()
    },
    close: () => documents.close(),
  }
}

test('interface §2.6: given at the first write, a deletion too, and kept', async () => {
  const { replace, hueOf, leave, restart, verify, close } = await world()
  await replace('inserter', 'one', '1')
  await replace('deleter', ' two', '')
  const given = async () => [
    await hueOf('creator'),
    await hueOf('inserter'),
    await hueOf('deleter'),
  ]
  const hues = await given()
  assert.is(new Set(hues).size, 3)
  for (const hue of hues) assert.ok(Number.isInteger(hue) && Number(hue) >= 0 && Number(hue) < 10)
  assert.is(await hueOf('reader'), undefined)

  await replace('creator', '1', 'one again')
  assert.equal(await given(), hues, 'their words are gone')
  await leave()
  assert.equal(await given(), hues, 'out of memory')
  assert.is(await verify(), undefined)
  await restart()
  await replace('fourth', 'three', '3')
  assert.equal(await given(), hues, 'another process')
  assert.not(hues.includes(await hueOf('fourth')))
  assert.is(await verify(), undefined)
  await close()
})

test('interface §2.6: ten are told apart, the eleventh repeats', async () => {
  const { replace, hueOf, close } = await world()
  const names = Array.from({ length: 12 }, (_, index) => `writer-${index}`)
  let word = 'one'
  for (const name of names) {
    await replace(name, word, name)
    word = name
  }
  const hues = await Promise.all(['creator', ...names].map(hueOf))
  assert.is(new Set(hues.slice(0, 10)).size, 10)
  assert.is(new Set(hues.slice(10)).size, 3, 'and each of them once')
  const apart = (a = 0, b = 0) => Math.min(Math.abs(a - b), 10 - Math.abs(a - b))
  assert.ok(apart(hues[0], hues[1]) > 1, 'the first two are far from each other')
  await close()
})

test('a document of before hues were written down has one for each, and keeps them', () => {
  const owning = ['ai:b', 'service:corrections', 'human:a', 'ai:b'] as ActorId[]
  const loaded = (records: readonly StoredRecord[]) => {
    const hues = new Hues(() => owning)
    hues.load(records)
    return hues
  }
  const actorsOf = (writers: Writers) => [...writers.all.keys()]
  const asIs = loaded([]).now()
  assert.equal(actorsOf(asIs), ['ai:b', 'human:a'])
  const hues = loaded([])
  hues.give(actorOf('late'))
  const records: StoredRecord[] = []
  hues.commit(undefined, {
    put: (path, value) => records.push({ path: path.map(String), value }),
    delete: () => assert.unreachable(),
  })
  const again = loaded(records.reverse()).now()
  assert.equal(actorsOf(again), ['ai:b', 'ai:late', 'human:a'])
  for (const [actor, hue] of hues.now().all) assert.is(again.all.get(actor), hue)
  assert.is(asIs.all.get(actorOf('late')), undefined)
  assert.is(asIs.all.get('service:corrections' as ActorId), undefined)
})

test.run()
