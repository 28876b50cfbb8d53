/**
 * The one role resolver (interface §5): grants, the highest of them, and the refusals in their
 * place.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { atLeast } from '../../../../core/access/may.ts'
import { accessOf, accessOn, requireRole } from '../../../../core/access/roles.ts'
import { codeOf, factsOf, openWorld } from './world.ts'

const roles = ['viewer', 'commenter', 'editor', 'owner'] as const

test('§5 rule 3: owner, editor, commenter, viewer, each includes the next', () => {
  for (const [i, role] of roles.entries()) {
    for (const [j, needed] of roles.entries()) assert.is(atLeast(role, needed), i >= j)
  }
})

test('the highest grant counts, whichever order they come in', () => {
  const grants = roles.map((role) => ({ role, through: 'actor' as const }))
  assert.is(accessOf(undefined, grants)?.role, 'owner')
  assert.is(accessOf(undefined, grants.toReversed())?.role, 'owner')
  assert.is(accessOf(undefined, []), undefined)
})

test('without a credential, anyone-with-link reads as viewer and is nobody', async () => {
  const { access: accessTo, create } = await openWorld()
  const { facts } = await create()
  const access = await accessTo(undefined, facts)
  assert.is(access?.role, 'viewer')
  assert.is(access?.actor, undefined)
  assert.is(access?.writer, undefined)
})

test('without a credential, a restricted document is AUTH_REQUIRED', async () => {
  const { access: accessTo, create } = await openWorld()
  const { slug } = await create()
  const access = await accessTo(undefined, factsOf(slug, 'restricted'))
  assert.is(access, undefined)
  assert.is(await codeOf(() => requireRole(undefined, access, 'viewer')), 'AUTH_REQUIRED')
})

test('knowing a slug never lets anyone write', async () => {
  const { access: accessTo, create } = await openWorld()
  const { facts } = await create()
  const access = await accessTo(undefined, facts)
  for (const needed of ['commenter', 'editor', 'owner'] as const) {
    assert.is(await codeOf(() => requireRole(undefined, access, needed)), 'AUTH_REQUIRED')
  }
})

test('a token of another document is FORBIDDEN, even where anyone reads', async () => {
  const world = await openWorld()
  const [one, other] = [await world.create(), await world.create('Ada')]
  const credential = await world.credential(other.access)
  const access = await world.access(credential, one.facts)
  assert.is(await codeOf(() => requireRole(credential, access, 'viewer')), 'FORBIDDEN')
})

test('a role too low is FORBIDDEN', async () => {
  const world = await openWorld()
  const credential = await world.credential((await world.create()).access)
  const access = await world.access(
    credential,
    factsOf(credential.kind === 'token' ? credential.slug : ('' as never), 'anyone'),
  )
  assert.is(await codeOf(() => requireRole(credential, access, 'owner')), 'FORBIDDEN')
})

test('an agent that creates a document gets an editor grant on it and on no other', async () => {
  const world = await openWorld()
  const { secret, agent } = await world.people.agents.register({ name: 'Robo' })
  const credential = await world.credential(secret)
  const { slug } = await world.create()
  const creation = world.people.links.prepareCreation({ slug, credential, displayName: undefined })
  const { puts, replay } = creation.founding(undefined)
  await world.store.commit({ puts })
  assert.equal(creation.writer, { actor: agent.actor, authMethod: 'agent' })
  assert.is(world.people.links.creatorAccess(replay).accessToken, undefined)
  const restricted = factsOf(slug, 'restricted')
  assert.is((await world.access(credential, restricted))?.role, 'editor')
  const other = await world.create()
  assert.is(await world.access(credential, factsOf(other.slug, 'restricted')), undefined)
  assert.is((await world.access(credential, other.facts))?.role, 'viewer')
})

test('a grant recorded for the actor counts beside the token', async () => {
  const world = await openWorld()
  const { access, facts } = await world.create()
  const credential = await world.credential(access)
  const nothing = { links: [], checks: [], ends: [] }
  const recorded = { role: 'owner', ...nothing } as const
  const best = accessOn({ credential, recorded }, facts)
  assert.is(best?.role, 'owner')
})

test('holders are stable names that hold no secret', async () => {
  const world = await openWorld()
  const { access, facts } = await world.create()
  const first = await world.access(await world.credential(access), facts)
  await world.people.links.identify(await world.credential(access), 'Ada')
  const then = await world.access(await world.credential(access), facts)
  assert.is(first?.holder, then?.holder)
  assert.not.ok(access.includes(first?.holder.split(':')[1] ?? access))
})

test.run()
