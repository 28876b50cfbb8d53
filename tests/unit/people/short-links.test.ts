/** Short links over a store whose service got another key (extensions §3). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPeople } from '../../../core/people.ts'
import { openWorld } from './world.ts'

test('under another key the document gets another link, that works', async () => {
  const world = await openWorld()
  const { slug } = await world.create()
  const first = await world.people.links.generalLink(slug)
  const { store, runtime } = world
  const later = openPeople({ store, runtime, secretKey: Buffer.alloc(32, 4) })
  const second = await later.links.generalLink(slug)
  assert.is.not(second.code, first.code)
  assert.ok(second.isNew)
  const link = await later.links.shortLink(second.code)
  const credential = await later.access.authenticate(link?.token ?? '')
  assert.is(credential?.kind === 'token' && credential.follows, true)
  assert.equal(await later.links.generalLink(slug), { ...second, isNew: false })
  later.close()
})

test.run()
