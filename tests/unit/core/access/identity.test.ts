/** Names of token holders (interface §4.7) and what they do to credentials and actor objects. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { requireIdentity } from '../../../../core/access/roles.ts'
import { inlineNameFor } from '../../../../core/links/token-names.ts'
import { displayNameFrom } from '../../../../core/records/display-name.ts'
import { codeOf, openWorld } from './world.ts'

test('§3 a per-document token is unidentified until identify, then identified', async () => {
  const world = await openWorld()
  const { access, facts } = await world.create()
  const before = await world.credential(access)
  assert.is((await world.access(before, facts))?.identified, false)
  assert.equal(await world.people.links.identify(before, 'Ada'), {
    actor: before.actor,
    displayName: 'Ada',
  })
  const after = await world.access(await world.credential(access), facts)
  assert.is(after?.identified, true)
  assert.equal(after?.writer, { actor: before.actor, authMethod: 'token' })
})

test('§4.7 identify is idempotent; calling again renames', async () => {
  const world = await openWorld()
  const credential = await world.credential((await world.create()).access)
  for (const name of ['Ada', 'Ada', 'Grace']) {
    assert.is((await world.people.links.identify(credential, name)).displayName, name)
    const actors = await world.people.access.actors([credential.actor])
    assert.is(actors[credential.actor]?.name, name)
  }
})

test('§4.7 two renames at once both answer and one of them stays', async () => {
  const world = await openWorld()
  const credential = await world.credential((await world.create()).access)
  await Promise.all(['A', 'B', 'C'].map((name) => world.people.links.identify(credential, name)))
  const now = await world.people.access.refresh(credential)
  assert.ok(['A', 'B', 'C'].includes(now?.displayName ?? ''))
})

test('§4.7 of two first names at once a shared token takes one and refuses the other', async () => {
  const world = await openWorld()
  const credential = await world.credential((await world.create()).share)
  const attempts = ['A', 'B'].map((name) => world.people.links.identifyInline(credential, name))
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const won = outcomes[0]?.status === 'fulfilled' ? 'A' : 'B'
  assert.is((await world.people.access.refresh(credential))?.displayName, won)
})

test('§4.7 a registered agent is already identified and keeps its name', async () => {
  const world = await openWorld()
  const { secret, agent } = await world.people.agents.register({ name: 'Robo', handle: 'robo' })
  const credential = await world.credential(secret)
  const answer = await world.people.links.identify(credential, 'Other')
  assert.equal(answer, { actor: agent.actor, displayName: 'Robo' })
  assert.is(inlineNameFor(credential, 'Other'), undefined)
})

test('§4.7 an identified personal token ignores an inline name', async () => {
  const world = await openWorld()
  const { access } = await world.create('Ada')
  assert.is(inlineNameFor(await world.credential(access), 'Grace'), undefined)
})

test('§4.7 an unidentified token takes an inline name, personal or shared', async () => {
  const world = await openWorld()
  const { access, share } = await world.create()
  assert.is(inlineNameFor(await world.credential(access), 'Ada'), 'Ada')
  assert.is(inlineNameFor(await world.credential(share), 'Team'), 'Team')
})

test('§4.7 an identified shared token rejects a different inline name', async () => {
  const world = await openWorld()
  const { share } = await world.create()
  await world.people.links.identify(await world.credential(share), 'Team')
  const named = await world.credential(share)
  assert.is(inlineNameFor(named, 'Team'), undefined)
  assert.is(await codeOf(() => inlineNameFor(named, 'Other')), 'IDENTITY_MISMATCH')
})

test('§7 IDENTIFY_REQUIRED says what to do next and for which document', async () => {
  const { slug } = await (await openWorld()).create()
  const agent = { identified: false, isBrowser: false }
  const browser = { identified: false, isBrowser: true }
  const refusal = (caller: typeof agent, name?: string): unknown => {
    try {
      requireIdentity(caller, name, slug)
      return undefined
    } catch (error) {
      return error instanceof Error && 'details' in error ? error.details : error
    }
  }
  assert.is(refusal({ ...agent, identified: true }), undefined)
  assert.is(refusal({ ...browser, identified: true }, 'Ada'), undefined)
  assert.is(refusal(agent, 'Ada'), undefined)
  assert.equal(refusal(agent), { next: 'POST /agents/identify', slug })
  assert.equal(refusal(browser), { next: 'POST /auth/guest', slug })
  assert.equal(refusal(browser, 'Ada'), { next: 'POST /auth/guest', slug })
})

test('a name is trimmed, one line, 1 to 80 characters, without direction changes', async () => {
  assert.is(
    displayNameFrom('  Ada L. \u{1f469}\u200d\u{1f680} '),
    'Ada L. \u{1f469}\u200d\u{1f680}',
  )
  assert.is(displayNameFrom('\u{1f600}'.repeat(80)), '\u{1f600}'.repeat(80))
  for (const bad of [
    '',
    '   ',
    'a'.repeat(81),
    'a\nb',
    'a\u0000',
    'a\u202eb',
    'a\u2066',
    '\ud800',
  ]) {
    assert.is(await codeOf(() => displayNameFrom(bad)), 'INVALID_REQUEST', JSON.stringify(bad))
  }
})

test('a change of name is hinted to whoever watches the credential', async () => {
  const world = await openWorld()
  const { access, slug } = await world.create()
  const credential = await world.credential(access)
  const hinted = new Promise<void>((resolve) => {
    world.people.access.watch(credential, slug, resolve)
  })
  await world.people.links.identify(credential, 'Ada')
  await hinted
  assert.is((await world.people.access.refresh(credential))?.displayName, 'Ada')
})

test.run()
