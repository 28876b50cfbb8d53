/** Sessions, confirmations and what sweeps leave of them (extensions §3, §4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sessionIdleMs, sweepEndedSessions } from '../../../../core/accounts/sessions.ts'
import { confirmationTtlMs, sweepConfirmations } from '../../../../core/links/confirmations.ts'
import { openWorld } from '../access/world.ts'

const browserWith = (session: string) => ({ session, link: undefined, slug: undefined })

test('a session that ended leaves nothing but its account; one in use stays', async () => {
  const world = await openWorld()
  const { people } = world
  const [gone, used] = [
    await people.accounts.createGuest('Ada'),
    await people.accounts.createGuest('Bob'),
  ]
  world.ahead += sessionIdleMs / 2
  assert.ok(await people.access.browser(browserWith(used.session)))
  world.ahead += sessionIdleMs / 2 + 2_000
  assert.is(await people.access.browser(browserWith(gone.session)), undefined)
  assert.is(await sweepEndedSessions(world), 1)
  assert.is(await sweepEndedSessions(world), 0)
  const sessions = (await world.everything()).match(/"type":"session"/g) ?? []
  assert.is(sessions.length, 1)
  const ends = (await world.everything()).match(/index\/session-end/g) ?? []
  assert.is(ends.length, 1)
  assert.is((await people.access.browser(browserWith(used.session)))?.displayName, 'Bob')
  world.ahead += sessionIdleMs + 2_000
  assert.is(await sweepEndedSessions(world), 1)
})

test('an ended session takes its entry in the index with it', async () => {
  const world = await openWorld()
  const { session } = await world.people.accounts.createGuest('Ada')
  const browser = await world.people.access.browser(browserWith(session))
  if (browser?.session === undefined) throw new Error('no session')
  await world.people.accounts.endSession(browser.session)
  assert.not.match(await world.everything(), /session-end|"type":"session"/)
  assert.is(await world.people.access.refresh(browser), undefined)
})

test('a spent confirmation is remembered for as long as it would have been good', async () => {
  const world = await openWorld()
  const { people, store, runtime } = world
  const code = 'a'.repeat(20)
  const { ticket } = people.links.newConfirmation(code)
  assert.is(await people.links.spendConfirmation(code, ticket), true)
  await sweepConfirmations(store, runtime)
  assert.is(await people.links.spendConfirmation(code, ticket), false)
  world.ahead += confirmationTtlMs + 1_000
  await sweepConfirmations(store, runtime)
  assert.not.match(await world.everything(), /spent-confirmation/)
  assert.is(await people.links.spendConfirmation(code, ticket), false)
})

test('an account keeps a bounded number of links to a document', async () => {
  const world = await openWorld()
  const { people } = world
  const { slug, share } = await world.create()
  const { session } = await people.accounts.createGuest('Ada')
  const shared = await world.credential(share)
  if (shared.kind !== 'token') throw new Error('no token')
  for (let at = 0; at < 12; at++) {
    const link = await people.links.mintPersonal(shared, '10.0.0.1')
    const browser = await people.access.browser({ session, link, slug })
    if (browser === undefined) throw new Error('no browser')
    await people.access.keepLink(browser, slug)
  }
  const [, links = ''] = /"links":\[([^\]]*)\]/.exec(await world.everything()) ?? []
  assert.is(links.split(',').length, 8)
})

test.run()
