/** Updates that wait are those that Yjs would have told of, in their order, and none is lost. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { HeldUpdates } from '../../../web/live/held-updates.ts'

interface Copy {
  readonly ydoc: Y.Doc
  readonly updates: Uint8Array[]
}

function copyOf(client: number): Copy {
  const ydoc = new Y.Doc()
  ydoc.clientID = client
  const updates: Uint8Array[] = []
  ydoc.on('update', (update: Uint8Array) => updates.push(update))
  return { ydoc, updates }
}

function holding(mayWait = () => true) {
  const copy = copyOf(7)
  const waiting: (() => void)[] = []
  const held = new HeldUpdates(copy.ydoc, { mayWait, later: (run) => waiting.push(run) })
  return { ...copy, held, waiting }
}

const others = (): Uint8Array => {
  const { ydoc } = copyOf(9)
  ydoc.getText('text').insert(0, 'theirs')
  return Y.encodeStateAsUpdate(ydoc)
}

/** Much is written and taken away, over what others wrote. */
const much = (ydoc: Y.Doc) => {
  const text = ydoc.getText('text')
  ydoc.transact(() => {
    text.insert(2, 'a'.repeat(9_000), { bold: true })
    text.delete(4_000, 2_000)
    text.delete(0, 1)
    ydoc.getMap('map').set('key', 'value')
  })
}

test('what waits is what Yjs writes, byte for byte', () => {
  const [stock, late] = [copyOf(7), holding()]
  const theirs = others()
  for (const { ydoc } of [stock, late]) {
    Y.applyUpdate(ydoc, theirs)
    ydoc.getText('text').insert(0, 'ours ')
    much(ydoc)
  }
  assert.is(late.updates.length, 2)
  assert.is(late.waiting.length, 1)
  late.waiting[0]?.()
  assert.equal(late.updates, stock.updates)
  late.held.flush()
  assert.is(late.updates.length, 3)
})

test('it is told before anything else changes the document, and in order', () => {
  const late = holding()
  much(late.ydoc)
  much(late.ydoc)
  assert.is(late.updates.length, 1)
  Y.applyUpdate(late.ydoc, others())
  assert.is(late.updates.length, 3)
  const copy = new Y.Doc()
  for (const update of late.updates) {
    Y.applyUpdate(copy, update)
    assert.is(copy.store.pendingStructs, null)
  }
  assert.is(copy.getText('text').toString(), late.ydoc.getText('text').toString())
  for (const run of late.waiting) run()
  assert.is(late.updates.length, 3)
})

test('little, or what may not wait, is told at once; who listens meanwhile hears of it', () => {
  const [never, late] = [holding(() => false), holding()]
  much(never.ydoc)
  late.ydoc.getText('text').insert(0, 'little')
  assert.equal([never.updates.length, late.updates.length], [1, 1])
  much(late.ydoc)
  let heard = 0
  late.ydoc.on('update', () => heard++)
  late.held.flush()
  assert.equal([late.updates.length, heard], [2, 1])
  late.ydoc.getText('text').insert(0, 'little')
  assert.equal([late.updates.length, heard], [3, 2])
})

test('what is written late is a change of its own, before any other and before it is told', () => {
  const { ydoc, held, waiting, updates } = holding()
  const text = ydoc.getText('text')
  const origins: unknown[] = []
  ydoc.on('update', (_: Uint8Array, origin: unknown) => origins.push(origin))
  held.write(() => ydoc.transact(() => text.insert(0, 'own '), 'own'))
  assert.is(text.toString(), '')
  const their = new Y.Doc()
  their.clientID = 9
  their.getText('text').insert(0, 'theirs')
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(their), 'theirs')
  assert.equal(origins, ['own', 'theirs'])
  const copy = new Y.Doc()
  for (const update of updates) Y.applyUpdate(copy, update)
  assert.is(copy.getText('text').toString(), text.toString())
  assert.equal(text.toString().length, 10)
  for (const run of waiting) run()
  assert.is(updates.length, 2)

  held.write(() => text.insert(0, 'a'))
  held.write(() => text.insert(0, 'b'))
  assert.is(text.toString().startsWith('a'), true)
  assert.ok(held.flush(), 'something waited')
  assert.is(text.toString().startsWith('ba'), true)
  assert.not(held.flush())
  for (const run of waiting) run()
  assert.is(updates.length, 4)
})

test('a transaction that another came before knows only what it made itself', () => {
  const { ydoc, held } = holding()
  const text = ydoc.getText('text')
  const undo = new Y.UndoManager(text, { trackedOrigins: new Set(['late', 'now']) })
  held.write(() => ydoc.transact(() => text.insert(0, 'late '), 'late'))
  undo.captureTimeout = 0
  ydoc.transact(() => text.insert(text.length, 'now'), 'now')
  assert.is(text.toString(), 'late now')
  undo.undo()
  assert.is(text.toString(), 'late ')
  undo.undo()
  assert.is(text.toString(), '')
})

test('what may not wait is written at once', () => {
  const { ydoc, held, waiting } = holding(() => false)
  held.write(() => ydoc.getText('text').insert(0, 'own'))
  assert.is(ydoc.getText('text').toString(), 'own')
  assert.is(waiting.length, 0)
})

test.run()
