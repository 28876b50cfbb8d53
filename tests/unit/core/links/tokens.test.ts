/** Secrets and their records: forms, strength, what the store holds, how unused ones end. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MintedByNetwork, mintPersonal } from '../../../../core/links/minted-tokens.ts'
import { unusedTokenTtlMs } from '../../../../core/links/tokens.ts'
import { sweepUnusedTokens } from '../../../../core/links/unused-tokens.ts'
import { openPeople } from '../../../../core/people.ts'
import { KeyCounts } from '../../../../core/records/key-counts.ts'
import { mintedOfDocument } from '../../../../persistence/keys.ts'
import { openWorld, secretKey } from '../access/world.ts'

test('document tokens are dtk_, share tokens shr_, agent secrets as_, each of 256 bits', async () => {
  const { people, create } = await openWorld()
  const { access, share } = await create()
  const { secret } = await people.agents.register({ name: 'Ada' })
  assert.match(access, /^dtk_[A-Za-z0-9_-]{43}$/)
  assert.match(share, /^shr_[A-Za-z0-9_-]{43}$/)
  assert.match(secret, /^as_[A-Za-z0-9_-]{43}$/)
})

test('the store holds no token, only a SHA-256 of each', async () => {
  const world = await openWorld()
  const { access, share } = await world.create('Ada')
  const { secret } = await world.people.agents.register({ name: 'Ada' })
  const shared = await world.credential(share)
  assert.is(shared.kind, 'token')
  const minted =
    shared.kind === 'token' ? await world.people.links.mintPersonal(shared, '10.0.0.1') : ''
  const stored = await world.everything()
  for (const one of [access, share, secret, minted]) {
    assert.not.ok(stored.includes(one.slice(one.indexOf('_') + 1)))
    assert.ok(await world.people.access.authenticate(one))
  }
})

test('what must be handed out again is derived: the same note gives the same secrets', async () => {
  const { people, store, runtime } = await openWorld()
  const slug = 'a'.repeat(20) as Parameters<typeof people.links.prepareCreation>[0]['slug']
  const asked = { slug, credential: undefined, displayName: undefined }
  const { replay: note } = people.links.prepareCreation(asked).founding(undefined)
  const kept: unknown = JSON.parse(JSON.stringify(note))
  const first = people.links.creatorAccess(note)
  assert.equal(people.links.creatorAccess(kept), first)
  const other = openPeople({ store, runtime, secretKey: Buffer.alloc(32, 4) })
  assert.is.not(other.links.creatorAccess(kept).shareToken, first.shareToken)
})

test('a key under 32 bytes is a bug', async () => {
  const { store, runtime } = await openWorld()
  assert.throws(() => openPeople({ store, runtime, secretKey: secretKey.subarray(0, 31) }))
})

test('the share token is distinct from the access token and has an actor of its own', async () => {
  const world = await openWorld()
  const { access, share } = await world.create()
  const [personal, shared] = [await world.credential(access), await world.credential(share)]
  assert.is.not(personal.actor, shared.actor)
  assert.is(personal.kind === 'token' && personal.shared, false)
  assert.is(shared.kind === 'token' && shared.shared, true)
})

test('text that is no secret of ours stands for nobody', async () => {
  const { people, create } = await openWorld()
  const { access } = await create()
  for (const text of ['', 'dtk_', access.slice(0, -1), `${access}a`, access.toUpperCase(), 'é']) {
    assert.is(await people.access.authenticate(text), undefined, text)
  }
})

async function mintedFrom(world: Awaited<ReturnType<typeof openWorld>>, share: string) {
  const shared = await world.credential(share)
  if (shared.kind !== 'token') throw new Error('a share token is a document token')
  return world.people.links.mintPersonal(shared, '10.0.0.1')
}

test('an unused your_token ends after 24 h, a used one does not', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  const unused = await mintedFrom(world, share)
  const used = await mintedFrom(world, share)
  assert.ok(await world.people.access.authenticate(used))
  world.ahead = unusedTokenTtlMs + 1
  assert.is(await world.people.access.authenticate(unused), undefined)
  assert.ok(await world.people.access.authenticate(used))
})

test('the access token of a create does not end unused', async () => {
  const world = await openWorld()
  const { access } = await world.create()
  world.ahead = 400 * 24 * 3_600_000
  assert.ok(await world.people.access.authenticate(access))
})

test('the sweep deletes unused tokens past their time with all their records, and no others', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  const before = await world.everything()
  await mintedFrom(world, share)
  const used = await mintedFrom(world, share)
  await world.people.access.authenticate(used)
  assert.is(await sweepUnusedTokens(world.store, world.runtime), 0)
  world.ahead = unusedTokenTtlMs + 2000
  assert.is(await sweepUnusedTokens(world.store, world.runtime), 1)
  assert.ok(await world.people.access.authenticate(used))
  const records = (text: string) => text.split('\n').length / 2
  assert.is(records(await world.everything()), records(before) + 6)
})

test('who mints many tokens ends its own, not those of others', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  const counts = new KeyCounts(world.store, mintedOfDocument, 10)
  const byNetwork = new MintedByNetwork()
  const options = { store: world.store, runtime: world.runtime, secretKey, counts, byNetwork }
  const shared = await world.credential(share)
  if (shared.kind !== 'token') throw new Error('a share token is a document token')
  const mint = (network: string) => mintPersonal(options, shared, network)
  const isGood = async (token: string) =>
    (await world.people.access.authenticate(token)) !== undefined
  const others = [await mint('10.0.0.1'), await mint('10.0.0.2'), await mint('10.0.0.1')]
  const first = await mint('10.0.0.3')
  for (let more = 0; more < 50; more++) await mint('10.0.0.3')
  assert.equal(await Promise.all(others.map(isGood)), [true, true, true])
  assert.not.ok(await isGood(first))
})

test('a document keeps so many minted tokens that nobody named: the oldest end first', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  const sizeOf = async () => (await world.everything()).split('\n').length / 2
  const counts = new KeyCounts(world.store, mintedOfDocument, 3)
  const byNetwork = new MintedByNetwork()
  const options = { store: world.store, runtime: world.runtime, secretKey, counts, byNetwork }
  let networks = 0
  const shared = await world.credential(share)
  if (shared.kind !== 'token') throw new Error('a share token is a document token')
  const mint = async () => {
    world.ahead += 1_000
    // Each for a network of its own.
    return mintPersonal(options, shared, `10.0.0.${++networks}`)
  }
  const isGood = async (token: string) =>
    (await world.people.access.authenticate(token)) !== undefined
  const [first, named, third] = [await mint(), await mint(), await mint()]
  await world.people.links.identify(await world.credential(named), 'Scribe')
  assert.ok((await isGood(first)) && (await isGood(third)))
  const fourth = await mint()
  const now = await Promise.all([first, named, third, fourth].map(isGood))
  assert.equal(now, [false, true, true, true])
  for (let more = 0; more < 10; more++) await mint()
  assert.equal(await Promise.all([named, third, fourth].map(isGood)), [true, false, false])
  const full = await sizeOf()
  for (let more = 0; more < 10; more++) await mint()
  assert.is(await sizeOf(), full, 'what is kept of them does not grow')
})

test('a token minted through a shared one ends with it', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  const minted = await mintedFrom(world, share)
  assert.ok(await world.people.access.authenticate(minted))
  const shared = await world.credential(share)
  await world.store.commit({ deletes: [`token/${shared.sha256}`] })
  assert.is(await world.people.access.authenticate(minted), undefined)
})

test('a stored record of another shape is a loud failure', async () => {
  const world = await openWorld()
  const { access } = await world.create()
  const { sha256 } = await world.credential(access)
  await world.store.commit({ puts: [{ key: `token/${sha256}`, value: Buffer.from('{"type":1}') }] })
  try {
    await world.people.access.authenticate(access)
    assert.unreachable()
  } catch (error) {
    assert.instance(error, TypeError)
  }
})

test.run()
