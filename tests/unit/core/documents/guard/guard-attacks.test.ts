/**
 * Attacks on the bytes, the clocks and the clientIDs of an update, and what only looks like one.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { limits } from '../../../../../schema/limits.ts'
import { leastOf, pace } from '../../../../pace.ts'
import {
  ada,
  adas,
  admitted,
  any,
  bytesOf,
  del,
  eve,
  eves,
  gc,
  id,
  info,
  judge,
  ofEve,
  origin,
  refused,
  right,
  service,
  setting,
  skip,
  str,
  sub,
} from './guard-bytes.ts'

test('the builder makes what Yjs reads: a plain insertion is admitted', () => {
  const { guard, textId, ydoc } = setting()
  const update = ofEve(1, info(str), 0, ...id(textId), 'mine ')
  const { facts } = admitted(judge(guard, update))
  assert.equal(facts, {
    claims: [eves],
    inserts: true,
    deletes: false,
    changesNothing: false,
    effort: 4,
    insertedBytes: 5,
    blocks: 0,
    clients: [{ client: eves, from: 0, to: 5 }],
  })
  Y.applyUpdate(ydoc, update)
  assert.ok(ydoc.getXmlFragment('prosemirror').toString().includes('mine '))
})

test('seven bytes that claim 2^30 structs cost nothing', () => {
  const { guard } = setting()
  const update = bytesOf(1, 2 ** 30, eves)
  assert.is(update.length, 7)
  const before = process.memoryUsage().heapUsed
  const least = leastOf(5, () => refused(judge(guard, update), 4403))
  const bytes = process.memoryUsage().heapUsed - before
  assert.ok(least < 20 * pace(), `${least} ms`)
  assert.ok(bytes < 4e6, `${bytes} bytes`)
})

test('lengths that no bytes stand for are bounded', () => {
  const { guard, textId } = setting()
  const huge = 2 ** 31 - 10
  refused(judge(guard, ofEve(1, info(gc), huge)), 4413)
  refused(judge(guard, ofEve(1, info(del), 0, ...id(textId), huge)), 4413)
  refused(judge(guard, ofEve(2, info(gc), huge, info(gc), huge)), 4403, /out of range/)
  refused(judge(guard, ofEve(2, info(skip), huge, info(gc), 1)), 4409)
  refused(judge(guard, ofEve(1, info(gc), 2 ** 53)), 4403)
  refused(judge(guard, ofEve(1, info(gc), 0)), 4403, /empty/)
  refused(judge(guard, ofEve(1, info(str), 0, ...id(textId), '')), 4403, /empty/)
  refused(judge(guard, ofEve(1, info(any, sub), 0, ...id(textId), 'id', 2 ** 30)), 4403)
})

test("structs under another's clientID, and of the service's", () => {
  for (const client of [adas, service]) {
    const { guard, textId, ydoc } = setting()
    const next = Y.getState(ydoc.store, client)
    const update = bytesOf(1, 1, client, next, info(str), 0, ...id(textId), 'not hers', 0)
    refused(judge(guard, update), 4409, /another/)
    refused(guard.judge(update, eve, { mayPark: true }), 4409)
  }
})

test('a free clientID belongs to the first, also before its update is applied', () => {
  const { guard, textId, owners, ydoc } = setting()
  admitted(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a')))
  const more = bytesOf(1, 1, eves, 1, info(str, origin), eves, 0, 'b', 0)
  refused(judge(guard, more, ada), 4409)
  admitted(judge(guard, more))
  guard.settled()
  owners.set(eves, eve)
  refused(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a'), ada), 1013, /kept/)
  Y.applyUpdate(ydoc, ofEve(1, info(str), 0, ...id(textId), 'a'))
  refused(judge(guard, more, ada), 4409)
})

test('too many clientIDs at once', () => {
  const { guard } = setting()
  const sections = Array.from({ length: 300 }, (_, index) => [1, 100 + index, 0, info(gc), 1])
  refused(judge(guard, bytesOf(300, ...sections.flat(), 0)), 4413)
})

test('structs that are known are cut away, whatever they say', () => {
  const { guard, ydoc, textId } = setting()
  const lie = bytesOf(1, 1, adas, 0, info(str, origin), service, 0, ' lies!', 0)
  const verdict = admitted(judge(guard, lie))
  assert.ok(verdict.facts.changesNothing)
  assert.equal([...verdict.update], [0, 0])
  const longer = bytesOf(
    1,
    1,
    adas,
    0,
    info(str, origin, right),
    service,
    0,
    service,
    0,
    ' lies! more',
    0,
  )
  refused(judge(guard, longer, eve), 4409)
  refused(judge(guard, longer, ada), 4403, /siblings/)
  const honest = bytesOf(
    1,
    1,
    adas,
    0,
    info(str, origin),
    ...id({ client: service, clock: 7 }),
    ' world!',
    0,
  )
  const trimmed = admitted(judge(guard, honest, ada))
  assert.equal(trimmed.facts.clients, [{ client: adas, from: 6, to: 7 }])
  Y.applyUpdate(ydoc, trimmed.update)
  const text = Y.getItem(ydoc.store, textId).content
  assert.ok(text instanceof Y.ContentType && String(text.type) === 'hello world!')
})

test('missing dependencies are parked only when they may be', () => {
  const { guard } = setting()
  const cases = [
    ofEve(1, info(str, origin), 77, 5, 'x'),
    ofEve(1, info(str, right), service, 99, 'x'),
    ofEve(1, info(str), 0, 77, 5, 'x'),
    bytesOf(1, 1, eves, 4, info(gc), 1, 0),
    ofEve(2, info(skip), 4, info(gc), 1),
    bytesOf(0, 1, 77, 1, 0, 1),
    bytesOf(0, 1, adas, 1, 0, 100),
  ]
  for (const update of cases) {
    assert.is(guard.judge(update, eve, { mayPark: true }).kind, 'park')
    refused(judge(guard, update), 4409)
  }
})

test('references to oneself, to later structs and in circles', () => {
  const { guard } = setting()
  refused(judge(guard, ofEve(1, info(str, origin), eves, 0, 'x')), 4403)
  refused(judge(guard, ofEve(1, info(str, origin), eves, 9, 'x')), 4403)
  const circle = bytesOf(
    ...[2, 1, eves, 0, info(str, origin), 4, 0, 'x'],
    ...[1, 4, 0, info(str, origin), eves, 0, 'y', 0],
  )
  refused(judge(guard, circle), 4403, /each other/)
  refused(guard.judge(circle, eve, { mayPark: true }), 4403)
})

test('references across sections in either order are followed', () => {
  const { guard, ydoc, textId } = setting()
  const update = bytesOf(
    ...[2, 2, 9, 0, info(str), 0, ...id(textId), 'a', info(str, origin), 8, 1, 'd'],
    ...[2, 8, 0, info(str, origin), 9, 0, 'b', info(str, origin), 8, 0, 'c', 0],
  )
  const verdict = admitted(judge(guard, update))
  assert.equal(verdict.facts.claims, [9, 8])
  Y.applyUpdate(ydoc, verdict.update)
  assert.is(ydoc.store.pendingStructs, null)
  assert.ok(ydoc.getXmlFragment('prosemirror').toString().includes('abcd'))
})

test('bytes of the second format, trailing bytes, cut bytes', () => {
  const { guard, ydoc } = setting()
  refused(judge(guard, Y.encodeStateAsUpdateV2(ydoc)), 4403)
  refused(judge(guard, Y.encodeStateAsUpdateV2(new Y.Doc())), 4403)
  refused(judge(guard, bytesOf(0, 0, 0)), 4403, /follow/)
  const whole = Y.encodeStateAsUpdate(ydoc)
  for (let length = 0; length < whole.length; length++) {
    refused(judge(guard, whole.subarray(0, length)), 4403)
  }
  admitted(judge(guard, whole))
  admitted(judge(guard, bytesOf(0, 0)))
})

test('an oversize message', () => {
  const { guard } = setting()
  refused(judge(guard, new Uint8Array(limits.socketMessageMaxBytes + 1)), 4413)
})

test('one client twice in an update', () => {
  const { guard } = setting()
  const twice = bytesOf(2, 1, eves, 0, info(gc), 1, 1, eves, 1, info(gc), 1, 0)
  refused(judge(guard, twice), 4403, /twice/)
})

test('what is put into a deleted and collected block is dropped by Yjs, and admitted', () => {
  const { guard, ydoc, textId } = setting()
  ydoc.getXmlFragment('prosemirror').delete(0, 1)
  const update = ofEve(2, info(str, origin), adas, 3, 'late', info(str), 0, ...id(textId), 'x')
  const verdict = admitted(judge(guard, update))
  Y.applyUpdate(ydoc, verdict.update)
  assert.is(ydoc.store.pendingStructs, null)
  assert.is(ydoc.getXmlFragment('prosemirror').length, 0)
})

test('a block deleted by a write while updates into it wait does not close a socket', () => {
  const { guard, ydoc, textId } = setting()
  const first = admitted(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a')))
  ydoc.getXmlFragment('prosemirror').delete(0, 1)
  const beside = [info(str, origin, right), eves, 0, service, 3, 'b']
  const second = admitted(judge(guard, bytesOf(1, 1, eves, 1, ...beside, 0)))
  for (const { update } of [first, second]) Y.applyUpdate(ydoc, update)
  assert.is(ydoc.store.pendingStructs, null)
})

test('deletions: of anyone, once, of known clocks only', () => {
  const { guard, ydoc } = setting()
  const first = admitted(judge(guard, bytesOf(0, 1, adas, 1, 0, 3)))
  assert.ok(first.facts.deletes && !first.facts.inserts && !first.facts.changesNothing)
  Y.applyUpdate(ydoc, first.update)
  guard.settled()
  const again = admitted(judge(guard, bytesOf(0, 1, adas, 1, 0, 3)))
  assert.ok(again.facts.changesNothing)
  refused(judge(guard, bytesOf(0, 1, adas, 1, 0, 0)), 4403, /empty/)
  refused(judge(guard, bytesOf(0, 1, adas, 2 ** 30, 0, 1)), 4403, /count/)
  refused(judge(guard, bytesOf(0, 2 ** 30)), 4403, /count/)
})

test('a reader: facts tell clean-up from writing, and nothing is remembered', () => {
  const { guard, textId } = setting()
  const options = { mayPark: false, discard: true }
  const writes = admitted(guard.judge(ofEve(1, info(str), 0, ...id(textId), 'x'), eve, options))
  assert.ok(writes.facts.inserts)
  const cleans = admitted(guard.judge(bytesOf(0, 1, adas, 1, 0, 1), eve, options))
  assert.not(cleans.facts.inserts)
  refused(judge(guard, bytesOf(1, 1, eves, 1, info(str, origin), eves, 0, 'y', 0)), 4409)
})

test('state vectors ahead of the service', () => {
  const { guard, ydoc, owners } = setting()
  const close = (vector: Uint8Array, actor = ada): number | undefined => {
    const verdict = guard.judgeStateVector(vector, actor)
    return verdict.kind === 'refuse' ? verdict.close : undefined
  }
  assert.is(close(Y.encodeStateVector(ydoc)), undefined)
  assert.is(close(bytesOf(1, service, 99)), 4409)
  assert.is(close(bytesOf(1, adas, 99), eve), 4409)
  assert.is(close(bytesOf(2, adas, 99, 55, 12)), undefined)
  owners.set(55, eve)
  assert.is(close(bytesOf(2, adas, 99, 55, 12)), 1013)
  assert.is(close(bytesOf(2 ** 30)), 4403)
  assert.is(close(bytesOf(1, adas)), 4403)
  assert.is(close(bytesOf(0, 0)), 4403)
})

test.run()
