/** Extensions §5, law 5: nobody can take the clientID of an editor who has just lost the line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { limits } from '../../../../schema/limits.ts'
import { settled } from '../../../simulated-runtime.ts'
import { awarenessOf, Copy, type WireOptions } from '../wire.ts'
import { type Made, simulatedWorld } from '../world.ts'

const world = await simulatedWorld()
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(async () => {
  for (const one of open.splice(0)) one.stop()
  await settled()
})

const aliceClient = 4_242

async function join({ slug }: Made, options: WireOptions, clientID: number): Promise<Copy> {
  const ydoc = new Y.Doc()
  ydoc.clientID = clientID
  const copy = new Copy(world.address, `/docs/${slug}/live`, { ...options, ydoc })
  open.push(copy)
  return copy.synced()
}

const announce = async (copy: Copy, clock: number) => {
  copy.send(awarenessOf([[aliceClient, clock, '{}']]))
  await copy.handled()
}

/** Alice announces her clientID and loses her line before her first key. */
async function aliceGone(): Promise<{ made: Made; token: string; eve: Copy }> {
  const made = await world.create('words here\n')
  const token = await world.token(made.slug, 'editor', 'Alice')
  const alice = await join(made, { token }, aliceClient)
  await announce(alice, 1)
  alice.stop()
  await alice.code()
  const eves = await world.token(made.slug, 'editor', 'Eve')
  return { made, token, eve: await join(made, { token: eves }, aliceClient) }
}

test('who comes back types on under the clientID that another announced meanwhile', async () => {
  const { made, token, eve } = await aliceGone()
  await announce(eve, 9)
  const alice = await join(made, { token }, aliceClient)
  await announce(alice, 2)
  alice.type('words', ' of Alice')
  await eve.untilText('words of Alice')
  assert.is(alice.closeCode, undefined)
})

test('the clientID is kept also while the document is not in memory', async () => {
  const { made, token, eve } = await aliceGone()
  eve.stop()
  await eve.code()
  await world.runtime.pass(2 * limits.openDocumentIdleMs)
  assert.is(world.documents.openCount, 0)
  const late = await join(made, { token: await world.token(made.slug, 'editor', 'Mallory') }, 79)
  await announce(late, 9)
  const alice = await join(made, { token }, aliceClient)
  await announce(alice, 2)
  alice.type('words', ' of Alice')
  await late.untilText('words of Alice')
  assert.is(alice.closeCode, undefined)
})

test('a write under a clientID that is kept for another is refused for now, not for good', async () => {
  const { made, eve } = await aliceGone()
  await announce(eve, 9)
  eve.type('words', ' of Eve')
  assert.is(await eve.code(), 1013)
  await world.runtime.pass(limits.reservationKeptMs)
  const again = await join(made, { token: await world.token(made.slug, 'editor', 'Eve') }, 77)
  again.type('words', ' later')
  const third = await join(made, made, 78)
  await third.untilText('words later')
})

test.run()
