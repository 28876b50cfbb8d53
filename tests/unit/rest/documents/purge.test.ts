/**
 * Documents deleted for good (interface §3, §4.1; extensions §3): nothing is left in the whole
 * store, and nothing else is touched.
 */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Purges } from '../../../../core/purge/purges.ts'
import { docHead, docRange, purgeKey } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { png, pngChunk } from '../../../pictures.ts'
import { silentFollower } from '../../../silent-peers.ts'
import { UnrulyStore } from '../../server/unruly-store.ts'
import { blobFiles, upload } from '../files/asset-scene.ts'
import { openScene } from '../sharing/sharing-scene.ts'
import {
  codeOf,
  fullDocument,
  marker,
  peopleOf,
  placeOf,
  placesOfDocuments,
  type Records,
  wholeStore,
} from './purge-scene.ts'

const day = 24 * 3_600_000

async function world() {
  const scene = await openScene()
  const people = await peopleOf(scene)
  return { scene, people, service: scene.service, store: scene.service.store }
}

const parts = ({ service }: Awaited<ReturnType<typeof world>>) => ({
  store: service.store,
  documents: service.documents,
  runtime: service.runtime,
  secretKey: Buffer.alloc(32, 7),
  onTrouble: (error: unknown) => {
    throw error
  },
})

/** Says of whom and when, not of documents: sessions, tickets, how webhooks fare. */
const beside = ['use/', 'confirmation/', 'webhook-state/', 'index/target-due/']
const isBeside = (key: string) =>
  beside.some((kind) => key.startsWith(kind)) || /^meta\/(?:purged-seen|last-entry)$/.test(key)

function assertGone(slug: Slug, before: Records, after: Records): void {
  for (const [key, value] of after) {
    assert.not.ok(key.includes(slug) || value.includes(slug), `${key} tells of it`)
    assert.not.ok(key.includes(marker) || value.includes(marker), `${key} has its words`)
    assert.ok(before.has(key) || isBeside(key), `${key} came with it and stayed`)
  }
  for (const [key, value] of before) {
    if (!isBeside(key)) assert.is(after.get(key), value, `${key} is no part of it`)
  }
}

test('§3 nothing of it is left in the whole store, and others keep everything', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  await fullDocument(scene, people, { name: 'other', archived: false })
  await service.people.links.listLinks('0'.repeat(20) as Slug)
  const before = await wholeStore(store)
  const slug = await fullDocument(scene, people)
  const full = await wholeStore(store)
  const places = new Set(
    [...full]
      .filter(([key]) => !before.has(key) && key.includes(slug))
      .map(([key]) => placeOf(key)),
  )
  places.add('purge')
  // There until the agents of the document are found.
  places.add('index/webhook-fan-out')
  assert.equal([...places].sort(), placesOfDocuments(), 'the scene has one of each')
  const deleted = await people.ada.browser.call('DELETE', `/docs/${slug}/forever`)
  const bytes = blobFiles(service).map((path) => readFileSync(path, 'latin1'))
  assert.is(bytes.length, 3, 'the other one’s')
  assert.not.ok(bytes.some((one) => one.includes(marker)))
  assert.equal([deleted.status, deleted.text], [204, ''])
  assertGone(slug, before, await wholeStore(store))
  const { browser } = people.ada
  const asked = [
    await codeOf(browser.call('GET', `/docs/${slug}`)),
    await codeOf(browser.call('GET', `/docs/${slug}/archive`)),
    await codeOf(browser.call('POST', `/docs/${slug}/restore`)),
    await codeOf(browser.call('DELETE', `/docs/${slug}/forever`)),
    await codeOf(browser.call('PATCH', `/docs/${slug}`, { body: { edits: [] } })),
    await codeOf(service.call('GET', `/docs/${slug}/live`)),
  ]
  assert.equal(
    asked,
    asked.map(() => '404 DOC_NOT_FOUND'),
  )
  assert.is((await service.call('GET', `/s/${marker}`)).status, 404)
  await service.close()
})

test('§3, §5 rule 3 only its owner deletes it, and only once it is archived', async () => {
  const { scene, people, service } = await world()
  const slug = await fullDocument(scene, people, { archived: false })
  const path = `/docs/${slug}/forever`
  const { ada, bob, agent } = people
  assert.is(await codeOf(service.call('DELETE', path)), '401 AUTH_REQUIRED')
  assert.is(await codeOf(bob.browser.call('DELETE', path)), '403 FORBIDDEN', 'an editor')
  assert.is(await codeOf(service.call('DELETE', path, { token: agent.token })), '403 FORBIDDEN')
  assert.is(await codeOf(ada.browser.call('DELETE', path)), '409 NOT_ARCHIVED')
  assert.is((await ada.browser.call('GET', `/docs/${slug}`)).status, 200)
  assert.is((await ada.browser.call('POST', `/docs/${slug}/archive`)).status, 200)
  assert.is((await ada.browser.call('DELETE', path)).status, 204)
  await service.close()
})

test('§3 202 while it runs: the owner is told how far it is, others that there is nothing', async () => {
  let hold: Promise<void> | undefined
  class Slow extends UnrulyStore {
    override async compact(): Promise<void> {
      await hold
    }
  }
  const scene = await openScene({ wrapStore: (store) => new Slow(store) })
  const people = await peopleOf(scene)
  const { service } = scene
  const slug = await fullDocument(scene, people)
  let release = () => {}
  hold = new Promise((resolve) => {
    release = resolve
  })
  const { browser } = people.ada
  const path = `/docs/${slug}/forever`
  const started = await browser.call('DELETE', path)
  assert.equal([started.status, started.json], [202, { id: slug, purging: true }])
  assert.is((await browser.call('GET', `/docs/${slug}/archive`)).json['purging'], true)
  assert.is(await codeOf(browser.call('POST', `/docs/${slug}/restore`)), '409 PURGE_STARTED')
  assert.is(await codeOf(browser.call('GET', `/docs/${slug}`)), '404 DOC_NOT_FOUND')
  assert.is(await codeOf(people.bob.browser.call('GET', `/docs/${slug}`)), '404 DOC_NOT_FOUND')
  release()
  const last = await browser.call('DELETE', path)
  assert.ok(last.status === 204 || last.status === 404, 'it has come to its end meanwhile')
  assert.is(await codeOf(browser.call('DELETE', path)), '404 DOC_NOT_FOUND')
  await service.close()
})

test('§8 an archived document deletes itself after 30 days, one that was brought back does not', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  const before = await wholeStore(store)
  const slug = await fullDocument(scene, people)
  const other = await fullDocument(scene, people, { name: 'other' })
  assert.is((await people.ada.browser.call('POST', `/docs/${other}/restore`)).status, 200)
  const purges = new Purges(parts(all))
  service.ahead += 30 * day - 60_000
  await purges.sweep()
  assert.is((await people.ada.browser.call('GET', `/docs/${slug}/archive`)).status, 200)
  service.ahead += 120_000
  await purges.sweep()
  assert.is(await codeOf(people.ada.browser.call('GET', `/docs/${slug}`)), '404 DOC_NOT_FOUND')
  assert.is((await people.ada.browser.call('GET', `/docs/${other}`)).status, 200)
  const after = await wholeStore(store)
  assert.ok([...after].every(([key, value]) => !key.includes(slug) && !value.includes(slug)))
  assert.ok(after.size > before.size)
  await purges.close()
  await service.close()
})

test('a purge that stops at any commit goes on, and two at once do no harm', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  const before = await wholeStore(store)
  const slug = await fullDocument(scene, people)
  await service.documents.retire(slug)
  for (let commits = 0; (await store.get(purgeKey(slug))) !== undefined; commits++) {
    assert.ok(commits < 50, 'it gets on')
    let left = commits
    const stopping = new UnrulyStore(store)
    stopping.eachWrite = async () => {
      if (left-- === 0) throw new Error('stopped')
    }
    const troubles: unknown[] = []
    const onTrouble = (error: unknown) => void troubles.push(error)
    const one = new Purges({ ...parts(all), store: stopping, onTrouble })
    const other = commits % 2 === 0 ? undefined : new Purges(parts(all))
    await Promise.all([one.sweep(), other?.sweep()])
    await Promise.all([one.close(), other?.close()])
  }
  assertGone(slug, before, await wholeStore(store))
  await service.close()
})

test('what a backup brought back is out of service before anybody is served, then deleted', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  const before = await wholeStore(store)
  const slug = await fullDocument(scene, people, { archived: false })
  const added: string[] = []
  const list = { slugs: [slug], add: async (slug: Slug) => void added.push(slug) }
  const purges = new Purges({ ...parts(all), list })
  await purges.start()
  assert.is(await codeOf(people.ada.browser.call('GET', `/docs/${slug}`)), '404 DOC_NOT_FOUND')
  await purges.sweep()
  assertGone(slug, before, await wholeStore(store))
  assert.equal(added, [slug])
  await purges.close()
  const later = await fullDocument(scene, people, { name: 'later', archived: false })
  const again = new Purges({ ...parts(all), list: { slugs: [slug, later], add: list.add } })
  await again.start()
  await again.close()
  const { browser } = people.ada
  assert.is(await codeOf(browser.call('GET', `/docs/${later}`)), '404 DOC_NOT_FOUND', 'a new line')
  await service.close()
})

test('extensions §11: its images go too, and no other document’s', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  const other = await scene.owned()
  const shared = await upload(other.ada, other.slug, png(pngChunk('tEXt', Buffer.from(marker))))
  const own = await upload(other.ada, other.slug, png())
  const slug = await fullDocument(scene, people)
  assert.is((await people.ada.browser.call('DELETE', `/docs/${slug}/forever`)).status, 204)
  for (const url of [shared, own]) assert.is((await other.ada.call('GET', url)).status, 200)
  for (const url of [shared, own]) assert.is((await other.ada.call('DELETE', url)).status, 200)
  assert.equal(blobFiles(service), [])
  for (const [key, value] of await wholeStore(store)) {
    assert.not.ok(key.includes(slug) || value.includes(slug), `${key} tells of it`)
  }
  await service.close()
})

test('a document whose records are damaged is deleted all the same', async () => {
  const all = await world()
  const { scene, people, service, store } = all
  const before = await wholeStore(store)
  const slug = await fullDocument(scene, people)
  for await (const { key } of store.scan(docRange(slug))) {
    if (key !== docHead(slug)) await store.commit({ puts: [{ key, value: Buffer.from('?') }] })
  }
  assert.is((await people.ada.browser.call('DELETE', `/docs/${slug}/forever`)).status, 204)
  assertGone(slug, before, await wholeStore(store))
  await service.close()
})

test('who is in it when it goes is closed with 4404', async () => {
  const { scene, people, service } = await world()
  const slug = await fullDocument(scene, people, { archived: false })
  const gone = new Promise<number>((resolve) => {
    void service.documents.follow(slug, { ...silentFollower, onClose: resolve })
  })
  await service.documents.read(slug, {})
  await service.documents.retire(slug, { forced: true })
  assert.is(await gone, 4404)
  await service.close()
})

test.run()
