/**
 * What a write rests on is checked by its own commit (interface §5, extensions §8): who loses it in
 * the very moment of writing is refused, and nobody else who writes in the same commit notices.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { records } from '../../../../core/records/records.ts'
import { sha256Hex } from '../../../../core/records/secrets.ts'
import { grantKey, tokenBySha256 } from '../../../../persistence/keys.ts'
import type { Commit, Store } from '../../../../persistence/store.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { LiveDesk } from '../../core/documents/live/live-desk.ts'
import { UnrulyStore } from '../../server/unruly-store.ts'
import { Browser } from '../browser.ts'
import { type Call, startService, type TestService } from '../service.ts'

/** Something happens right before the commits that are meant, and after they were put together. */
class MeddledStore extends UnrulyStore {
  readonly inner: Store
  meddle: ((commit: Commit) => Promise<unknown>) | undefined

  constructor(inner: Store) {
    super(inner)
    this.inner = inner
  }

  override async commit(commit: Commit) {
    await this.meddle?.(commit)
    return super.commit(commit)
  }

  /** Once, before the next commit that writes history of this document, or of any. */
  beforeNext(slug: string, happen: () => Promise<unknown>): void {
    this.meddle = async ({ puts = [] }) => {
      if (!puts.some(({ key }) => key.includes(`${slug}/history/`))) return
      this.meddle = undefined
      await happen()
    }
  }
}

interface World extends TestService {
  readonly meddled: MeddledStore
}

async function open(): Promise<World> {
  let meddled: MeddledStore | undefined
  const service = await startService({
    wrapStore: (store) => {
      meddled = new MeddledStore(store)
      return meddled
    },
  })
  if (meddled === undefined) throw new TypeError('there is no store')
  return Object.assign(service, { meddled })
}

const edit = (from: string, to: string) => ({
  body: { edits: [{ old_string: from, new_string: to }] },
})

async function tokenOf(service: World, slug: string, share: string, name: string): Promise<string> {
  const { json } = await service.call('GET', `/docs/${slug}?docs`, { token: share })
  const token = String(json['your_token'])
  const body = { display_name: name, slug }
  assert.is((await service.call('POST', '/agents/identify', { token, body })).status, 200)
  return token
}

const keyOf = (secret: string) => tokenBySha256(sha256Hex(secret))

/** Others who write in the same commit: somebody who types, and an agent. */
async function company(world: World, slug: string, share: string) {
  const desk = await new LiveDesk('typist').open(world.documents, slug as Slug)
  const token = await tokenOf(world, slug, share, 'Other')
  return { desk, token }
}

/** An edit whose commit is under way until it is released. */
async function writing(world: World, slug: string, call: Call) {
  const { writes } = world.meddled
  const release = world.meddled.holdCommits()
  const first = world.call('PATCH', `/docs/${slug}`, call)
  while (world.meddled.writes === writes) await new Promise((resolve) => setImmediate(resolve))
  return { release, first }
}

/** Until all that it sent is stored. */
async function settled(desk: LiveDesk): Promise<void> {
  for (let turn = 0; turn < 500 && desk.saved < desk.sent; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('§5 a token that is revoked while its edit is being stored: refused, nobody notices', async () => {
  const world = await open()
  const { slug, token: own, shareToken } = await world.create('one\n\ntwo\n\nthree\n', 'Maker')
  const { desk, token: other } = await company(world, slug, shareToken)
  const token = await tokenOf(world, slug, shareToken, 'Ed')
  const { release, first } = await writing(world, slug, { token: own, ...edit('three', '3') })
  // All of these wait for one commit, behind the first, which is under way.
  const { writes } = world.meddled
  const refused = world.call('PATCH', `/docs/${slug}`, { token, ...edit('one', 'bad') })
  const fine = world.call('PATCH', `/docs/${slug}`, { token: other, ...edit('two', '2') })
  desk.textOf(0).insert(3, ' typed')
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.is(world.meddled.writes, writes, 'they wait')
  world.meddled.beforeNext(slug, async () => {
    await world.meddled.inner.commit({ deletes: [keyOf(token)] })
  })
  release()
  assert.is((await first).status, 200)
  const answer = await refused
  assert.is(`${answer.status} ${answer.json['code']}`, '401 AUTH_REQUIRED')
  assert.is((await fine).status, 200, 'another in the same commit')
  await settled(desk)
  const { markdown } = await world.documents.read(slug as Slug, { markdown: true })
  assert.is(markdown, 'one typed\n\n2\n\n3\n')
  assert.is(desk.closed, undefined)
  assert.is(desk.saved, desk.sent)
  assert.is(desk.textOf(1).toString().includes('2'), true, 'it is shown what the others wrote')
  desk.textOf(0).insert(0, 'and ')
  await settled(desk)
  assert.is(
    (await world.documents.read(slug as Slug, { markdown: true })).markdown,
    'and one typed\n\n2\n\n3\n',
  )
  await world.close()
})

test('§13 the maker of a link is lowered while an edit by the link is stored: refused', async () => {
  const world = await open()
  const { slug, token } = await world.create('one\n', 'Maker')
  const registered = await world.call('POST', '/agents/register', { body: { name: 'Quill' } })
  const { agent_secret: secret, actor_id: actor, handle } = registered.json
  const body = { handle, role: 'editor' }
  const invited = await world.call('POST', `/docs/${slug}/access`, { token, body })
  assert.is(invited.status, 201)
  const { json } = await world.call('POST', `/docs/${slug}/links`, {
    token: String(secret),
    body: {},
  })
  const link = await world.people.links.shortLink(String(json['code']))
  const own = await tokenOf(world, slug, link?.token ?? '', 'Ed')
  const key = grantKey(slug as Slug, String(actor))
  world.meddled.beforeNext(slug, async () => {
    const grant = records.grant.encode({ role: 'viewer', grantedAt: 0, source: 'invite' })
    await world.meddled.inner.commit({ puts: [{ key, value: grant }] })
  })
  const answer = await world.call('PATCH', `/docs/${slug}`, { token: own, ...edit('one', 'bad') })
  assert.is(`${answer.status} ${answer.json['code']}`, '403 FORBIDDEN')
  assert.is((await world.documents.read(slug as Slug, { markdown: true })).markdown, 'one\n')
  await world.close()
})

test('§4.7 a token that takes another name while its edit is being stored: 200, once', async () => {
  const world = await open()
  const { slug, token } = await world.create('one\n', 'Maker')
  world.meddled.beforeNext(slug, async () => {
    const body = { display_name: 'Renamed', slug }
    assert.is((await world.call('POST', '/agents/identify', { token, body })).status, 200)
  })
  const answer = await world.call('PATCH', `/docs/${slug}`, { token, ...edit('one', 'two') })
  assert.is(answer.status, 200, answer.text)
  assert.is(answer.json['revision'], 2)
  assert.is((await world.documents.read(slug as Slug, { markdown: true })).markdown, 'two\n')
  await world.close()
})

test('who is another at each try is told to come back, and others go on', async () => {
  const world = await open()
  const { slug, token, shareToken } = await world.create('one\n\ntwo\n', 'Maker')
  const other = await tokenOf(world, slug, shareToken, 'Other')
  const { release, first } = await writing(world, slug, { token: other, ...edit('two', '2') })
  let renames = 0
  world.meddled.meddle = async ({ checks = [] }) => {
    if (!checks.some(({ key }) => key === keyOf(token)) || checks.length < 2) return
    const stored = await world.meddled.inner.get(keyOf(token))
    const record = JSON.parse(Buffer.from(stored?.value ?? []).toString())
    const value = Buffer.from(JSON.stringify({ ...record, displayName: `Name ${renames++}` }))
    await world.meddled.inner.commit({ puts: [{ key: keyOf(token), value }] })
  }
  const restless = world.call('PATCH', `/docs/${slug}`, { token, ...edit('one', 'bad') })
  const second = world.call('PATCH', `/docs/${slug}`, { token: other, ...edit('2', 'two') })
  await new Promise((resolve) => setTimeout(resolve, 100))
  release()
  assert.is((await first).status, 200)
  const answer = await restless
  assert.is(`${answer.status} ${answer.json['code']}`, '503 UNAVAILABLE')
  assert.is((await second).status, 200)
  assert.ok(renames < 20, `${renames} renames`)
  assert.is((await world.documents.read(slug as Slug, { markdown: true })).markdown, 'one\n\ntwo\n')
  await world.close()
})

test('§4.10 a session that ends while it sets the general access: refused, nothing is set', async () => {
  const world = await open()
  const { slug, shareToken } = await world.create('one\n', 'Maker')
  const browser = new Browser(world)
  await browser.open(`/d/${slug}?token=${shareToken}`)
  await browser.guest('Owner')
  assert.is((await browser.call('POST', `/docs/${slug}/claim`)).status, 200)
  const session = /session=(ses_[\w-]+)/.exec(browser.cookies('/'))?.[1] ?? ''
  world.meddled.beforeNext(slug, () => world.meddled.inner.commit({ deletes: [keyOf(session)] }))
  const body = { mode: 'restricted' }
  const answer = await browser.call('PATCH', `/docs/${slug}/link-access`, { body })
  assert.is(`${answer.status} ${answer.json['code']}`, '403 FORBIDDEN', 'it has its link still')
  assert.is((await world.documents.facts(slug as Slug)).linkAccess.mode, 'anyone')
  await world.close()
})

test('§4.2 an agent that ends while its document is being stored: refused, there is none', async () => {
  const world = await open()
  const { json } = await world.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const secret = String(json['agent_secret'] ?? json['secret'])
  world.meddled.beforeNext('', () => world.meddled.inner.commit({ deletes: [keyOf(secret)] }))
  const answer = await world.call('POST', '/docs', { token: secret, body: { markdown: 'one\n' } })
  assert.is(`${answer.status} ${answer.json['code']}`, '401 AUTH_REQUIRED')
  for await (const { key } of world.store.scan({ gte: 'doc/', lt: 'doc0' })) assert.unreachable(key)
  await world.close()
})

test('§4.2 a session that ends while it claims: refused, nobody owns the document', async () => {
  const world = await open()
  const { slug, shareToken } = await world.create('one\n', 'Maker')
  const browser = new Browser(world)
  await browser.open(`/d/${slug}?token=${shareToken}`)
  await browser.guest('Late')
  const session = /session=(ses_[\w-]+)/.exec(browser.cookies('/'))?.[1] ?? ''
  world.meddled.meddle = async ({ puts = [] }) => {
    if (!puts.some(({ key }) => key.includes('owner'))) return
    world.meddled.meddle = undefined
    await world.meddled.inner.commit({ deletes: [keyOf(session)] })
  }
  const answer = await browser.call('POST', `/docs/${slug}/claim`)
  assert.is(`${answer.status} ${answer.json['code']}`, '401 AUTH_REQUIRED')
  const next = new Browser(world)
  await next.open(`/d/${slug}?token=${shareToken}`)
  await next.guest('Next')
  assert.is((await next.call('POST', `/docs/${slug}/claim`)).status, 200)
  await world.close()
})

test.run()
