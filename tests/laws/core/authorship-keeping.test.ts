/** What authorship keeps: restarts, several actors in a commit, bounds, credits, clientIDs. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Authorship } from '../../../core/documents/authorship/authorship.ts'
import { ledgerMaxChars, ledgerMaxEntries } from '../../../core/documents/authorship/ledger.ts'
import { reservationsMax } from '../../../core/documents/authorship/owners.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { ownHue } from '../../../schema/hues.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { fillState } from '../../filled-state.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import {
  by,
  cut,
  mark,
  scene,
  type,
} from '../../unit/core/documents/authorship/authorship-scene.ts'
import { alice, bob, carol } from '../../unit/core/documents/authorship/authorship-world.ts'

test('a restart forgets nothing', () => {
  const { world, a, b, c, act, undo, check } = scene('one two')
  act(c, type(0, 3, '(c)'))
  act(b, cut(0, 2, 4))
  world.restart()
  undo(b)
  check('alice:one | carol:(c) | alice: two')
  world.restart()
  act(b, mark(0, 0, 10, by(bob)))
  act(a, type(0, 0, '*'))
  check('alice:*one | carol:(c) | alice: two')
})

test('updates of several actors in one commit are told apart', () => {
  const { world, a, b, c, check } = scene('one two')
  b.act(cut(0, 0, 4))
  c.act(type(0, 7, ' three'))
  a.act(type(0, 7, ' four'))
  world.commit([...b.outbox.splice(0), ...c.outbox.splice(0), ...a.outbox.splice(0)])
  world.settle()
  assert.equal(world.read()[0]?.split(' | ').sort(), ['alice:two four', 'carol: three'].sort())
  b.undo.undo()
  world.settle()
  assert.is(world.read()[0]?.startsWith('alice:one two four'), true)
  check(...world.read())
})

test('the ledger is bounded, the oldest go first', () => {
  const count = ledgerMaxEntries + 1
  const words = Array.from({ length: count }, (_, index) => `w${index}.`)
  const { world, b, act, undo } = scene(...words)
  act(b, cut(0, 0, 'w0.'.length))
  act(b, (peer) => {
    for (const text of peer.texts.slice(1)) text.delete(0, text.length)
  })
  assert.is(world.ledgerSize, ledgerMaxEntries)
  undo(b)
  undo(b)
  assert.equal(world.read(), ['bob:w0.', ...words.slice(1).map((word) => `alice:${word}`)])
  assert.is(world.ledgerSize, 0)
})

for (const direction of ['forwards', 'backwards']) {
  test(`what was taken away ${direction} in very many steps comes back in as many`, () => {
    const words = Array.from({ length: 300 }, (_, index) => `w${100 + index}.`)
    const text = words.join('')
    const { world, b, act, undo } = scene(text)
    let left = text.length
    for (const word of direction === 'forwards' ? words : words.toReversed()) {
      left -= word.length
      act(b, cut(0, direction === 'forwards' ? 0 : left, word.length))
    }
    for (const _ of words) undo(b)
    assert.equal(world.read(), [`alice:${text}`])
    assert.is(world.ledgerSize, 0)
  })
}

test('a run longer than the ledger may be is not kept', () => {
  const { world, b, act } = scene('x'.repeat(ledgerMaxChars + 1))
  act(b, cut(0, 0, ledgerMaxChars + 1))
  assert.is(world.ledgerSize, 0)
})

test("credited characters are their author's, in the mark and after a restart", () => {
  const { world, b, act, check } = scene('one two')
  act(b, type(0, 3, ' 🙂 suggested'))
  world.within(() =>
    world.authorship.credit({ client: b.doc.clientID, clock: 1, length: 3, actor: carol }),
  )
  world.settle()
  check('alice:one | bob:  | carol:🙂  | bob:suggested | alice: two')
  world.within(() =>
    world.authorship.credit({ client: b.doc.clientID, clock: 0, length: 8, actor: alice }),
  )
  world.restart()
  act(b, type(0, 0, '.'))
  check('bob:. | alice:one 🙂 sugg | bob:ested | alice: two')
})

test('one network that keeps many clientIDs pushes out its own oldest', () => {
  const authorship = new Authorship(new Y.Doc(), () => 0)
  const reserve = (client: number, holder: string, source: string) =>
    authorship.reserve(client, { holder, actor: alice, source })
  reserve(1, 'honest', 'home')
  authorship.releaseReservations('honest')
  for (let at = 0; at <= reservationsMax; at++) {
    reserve(10 + at, `holder ${at}`, 'elsewhere')
    authorship.releaseReservations(`holder ${at}`)
  }
  assert.is(authorship.holderOf(1), 'honest')
  assert.is(authorship.holderOf(10), undefined)
  assert.is(authorship.holderOf(10 + reservationsMax), `holder ${reservationsMax}`)
})

test('a clientID: reserved for a credential, claimed for ever', () => {
  let now = 0
  const authorship = new Authorship(new Y.Doc(), () => now)
  const reserve = (client: number, holder: string, actor: ActorId) =>
    authorship.reserve(client, { holder, actor, source: 'here' })
  assert.is(reserve(7, 'key-1', alice), true)
  assert.is(reserve(7, 'key-2', bob), false)
  assert.is(authorship.holderOf(7), 'key-1')
  assert.is(reserve(7, 'key-1', carol), true, 'the actor of a credential may change')
  assert.is(authorship.ownerOf(7), carol)
  authorship.releaseReservations('key-1')
  now += limits.reservationKeptMs - 1
  assert.is(reserve(7, 'key-2', bob), false, 'kept for who lost its line')
  assert.is(authorship.ownerOf(7), carol)
  now += 1
  assert.is(authorship.ownerOf(7), undefined)
  authorship.claim(7, bob)
  assert.is(reserve(7, 'key-1', carol), false)
  assert.is(reserve(7, 'key-3', bob), true)
  assert.throws(() => authorship.claim(7, alice), TypeError)
  const stored = () => {
    const puts: string[] = []
    const put = (path: readonly unknown[], value: Uint8Array) =>
      void puts.push(`${path} ${Buffer.from(value)}`)
    const write = { revision: 1, deleted: [], revived: [] }
    for (const one of authorship.participants)
      one.commit(write, { put, delete: () => assert.unreachable() })
    return puts
  }
  const owner = `7 ${JSON.stringify({ actor: bob })}`
  assert.equal(stored(), [owner, `${bob} ${JSON.stringify({ hue: ownHue(bob) })}`])
  assert.equal(stored(), [], 'once')
  assert.is(authorship.authorOf(8, 0), 'unknown:unattributed')
})

test('whoever verifies a store finds a mark that is not what the records say', async () => {
  const runtime = new SimulatedRuntime()
  const state = new DocumentState(runtime)
  const { children } = parseMarkdown('one\n\n> two **three**\n')
  await fillState(state, { nodes: children, author: alice, runtime })
  const found = (told: Authorship): string | undefined => told.falseMark(state.fragment)
  assert.is(found(state.authorship), undefined)
  assert.match(
    found(new Authorship(state.ydoc, () => 0)) ?? '',
    `unattributed's and marked as ${alice}'s`,
  )
  const [[client] = [0]] = state.ydoc.store.clients
  state.authorship.credit({
    client,
    clock: 0,
    length: Y.getState(state.ydoc.store, client),
    actor: bob,
  })
  assert.match(found(state.authorship) ?? '', `${bob}'s and marked as ${alice}'s`)
})

test.run()
