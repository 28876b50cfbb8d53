/** Short links over a store whose service got another key (extensions §3). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPeople, type People } from '../../../../core/people.ts'
import type { Store } from '../../../../persistence/store.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { openWorld } from '../access/world.ts'

/** As planned, and stored where anything is to be. */
async function generalLink(store: Store, people: People, slug: Slug) {
  const { answer, records } = await people.links.planGeneralLink(slug)
  if (records !== undefined) assert.ok((await store.commit(records)).ok)
  return answer
}

test('under another key the document gets another link, that works', async () => {
  const world = await openWorld()
  const { slug } = await world.create()
  const first = await generalLink(world.store, world.people, slug)
  const { store, runtime } = world
  const later = openPeople({ store, runtime, secretKey: Buffer.alloc(32, 4) })
  const second = await generalLink(store, later, slug)
  assert.is.not(second.code, first.code)
  assert.ok(second.isNew)
  const link = await later.links.shortLink(second.code)
  const credential = await later.access.authenticate(link?.token ?? '')
  assert.is(credential?.kind === 'token' && credential.follows, true)
  assert.equal(await generalLink(store, later, slug), { ...second, isNew: false })
  await later.close()
})

test.run()
