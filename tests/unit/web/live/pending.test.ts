/**
 * An answer that is too long for one message leaves in pieces, each of which the service can take
 * as it comes, and no message is longer than the service reads.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { limits } from '../../../../schema/limits.ts'
import { slicesOf } from '../../../../web/internals/update-slices.ts'
import type { EventSocketParts } from '../../../../web/live/event-socket.ts'
import {
  kindOf,
  syncMessage,
  updateIn,
  updateMaxBytes,
} from '../../../../web/live/sync-messages.ts'
import { UnacknowledgedUpdates } from '../../../../web/live/unacknowledged-updates.ts'

const changeChars = 1_500_000

const sliced = (change: Uint8Array) => slicesOf(change, updateMaxBytes)

/** A copy in which a text gave way to another, again and again; none of it was collected. */
function rewritten(times: number): { readonly ydoc: Y.Doc; readonly changes: Uint8Array[] } {
  const ydoc = new Y.Doc({ gc: false })
  const text = ydoc.getText('words')
  const changes: Uint8Array[] = []
  ydoc.on('update', (update: Uint8Array) => changes.push(update))
  for (let time = 0; time < times; time++) {
    ydoc.transact(() => {
      text.delete(0, text.length)
      text.insert(0, String(time).repeat(changeChars))
    })
  }
  return { ydoc, changes }
}

/** What is in the service after each piece; nothing of a piece waits for another. */
function taken(service: Y.Doc, pieces: readonly Uint8Array[]): string[] {
  return pieces.map((piece) => {
    assert.ok(piece.length < limits.socketMessageMaxBytes, `${piece.length} bytes`)
    Y.applyUpdate(service, piece)
    assert.is(service.store.pendingStructs, null)
    assert.is(service.store.pendingDs, null)
    return service.getText('words').toString()
  })
}

const wordsOf = (ydoc: Y.Doc): string => ydoc.getText('words').toString()

test('changes that are too long for one message leave one after another, as they were made', () => {
  const { ydoc, changes } = rewritten(7)
  const pending = new UnacknowledgedUpdates()
  for (const change of changes) pending.add(change)
  const answer = Y.encodeStateAsUpdate(ydoc)
  assert.ok(answer.length > limits.socketMessageMaxBytes)
  const service = new Y.Doc()
  const seen = taken(service, pending.piecesOf(answer))
  assert.ok(seen.every(({ length }) => length === changeChars))
  assert.is(wordsOf(service) === wordsOf(ydoc), true)
})

test('what the service has already is no part of them', () => {
  const { ydoc, changes } = rewritten(7)
  const pending = new UnacknowledgedUpdates()
  pending.load(changes.slice(0, 5), 4)
  for (const change of changes.slice(5)) pending.add(change)
  const service = new Y.Doc()
  for (const change of changes.slice(0, 4)) Y.applyUpdate(service, change)
  const answer = Y.encodeStateAsUpdate(ydoc, Y.encodeStateVector(service))
  const pieces = pending.piecesOf(answer)
  assert.ok(pieces.reduce((sum, { length }) => sum + length, 0) < answer.length + 10_000)
  assert.is(taken(service, pieces).at(-1) === wordsOf(ydoc), true)
})

const blockChars = 3_000

/** A document whose only block gave way to many in one change, some of which went again. */
function pastedOver(count: number): { readonly before: Uint8Array; readonly change: Uint8Array } {
  const ydoc = new Y.Doc()
  const blocks = ydoc.getXmlFragment('blocks')
  blocks.insert(0, [new Y.XmlElement('old')])
  const before = Y.encodeStateAsUpdate(ydoc)
  let change: Uint8Array = new Uint8Array()
  ydoc.on('update', (update: Uint8Array) => {
    change = update
  })
  ydoc.transact(() => {
    blocks.delete(0, 1)
    blocks.insert(
      0,
      Array.from({ length: count }, (_, at) => {
        const block = new Y.XmlElement('paragraph')
        block.setAttribute('id', `block ${at}`)
        const text = new Y.XmlText()
        text.insert(0, String(at % 10).repeat(blockChars), { authored: { by: 'Ada' } })
        block.insert(0, [text])
        return block
      }),
    )
    blocks.delete(count - 1, 1)
    blocks.delete(0, 1)
  })
  return { before, change }
}

const isWhole = (block: unknown): boolean =>
  block instanceof Y.XmlElement &&
  block.getAttribute('id') !== undefined &&
  (block.get(0) as Y.XmlText).length === blockChars

test('one change that is too long leaves in slices of whole blocks, and never beside what it replaces', () => {
  const count = 4_000
  const { before, change } = pastedOver(count)
  assert.ok(change.length > limits.socketMessageMaxBytes)
  const service = new Y.Doc()
  Y.applyUpdate(service, before)
  const blocks = service.getXmlFragment('blocks')
  const slices = sliced(change)
  assert.ok(slices.length > 2)
  for (const slice of slices) {
    assert.ok(slice.length < limits.socketMessageMaxBytes, `${slice.length} bytes`)
    Y.applyUpdate(service, slice)
    assert.is(service.store.pendingStructs, null)
    assert.is(service.store.pendingDs, null)
    const seen = blocks.toArray().filter((block) => !isWhole(block))
    assert.equal(seen, [])
  }
  assert.is(blocks.length, count - 2)
  const whole = new Y.Doc()
  for (const update of [before, change]) Y.applyUpdate(whole, update)
  assert.is(blocks.toString() === whole.getXmlFragment('blocks').toString(), true)
  assert.equal(Y.encodeStateVector(service), Y.encodeStateVector(whole))
  const pending = new UnacknowledgedUpdates()
  pending.add(change)
  assert.is(pending.piecesOf(change, sliced).length, slices.length + 1, 'and as an answer')
})

test('a change of two writers, and a short one, is itself', () => {
  const { ydoc } = rewritten(7)
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(ydoc))
  other.getText('words').insert(0, 'more')
  for (const update of [Y.encodeStateAsUpdate(other), pastedOver(2).change]) {
    assert.is(sliced(update)[0], update)
  }
})

test('what was acknowledged is forgotten; where an answer is short, or its changes are unknown, it is one', () => {
  const { ydoc, changes } = rewritten(3)
  const pending = new UnacknowledgedUpdates()
  pending.load(changes.slice(0, 1), 1)
  for (const change of changes.slice(1)) pending.add(change)
  const answer = Y.encodeStateAsUpdate(ydoc)
  assert.is(pending.piecesOf(answer).length, 4)
  pending.acknowledged(1)
  assert.equal(pending.piecesOf(answer), [answer], 'what the rest builds on is not here')
  pending.acknowledged(2)
  assert.equal(pending.piecesOf(answer), [answer])
  const short = Y.encodeStateAsUpdate(rewritten(1).ydoc)
  assert.equal(pending.piecesOf(short), [short])
})

test('a message says its kind and holds its update, whatever the length', () => {
  for (const length of [0, 1, 127, 128, 20_000, 3_000_000]) {
    const update = new Uint8Array(length).fill(7)
    const message = syncMessage('answer', update)
    assert.is(kindOf(message), 'answer')
    assert.equal(updateIn(message), update)
  }
  assert.is(kindOf(syncMessage('update', new Uint8Array(3))), 'update')
  assert.is(kindOf(new Uint8Array([0, 0, 1, 0])), 'other')
  assert.is(kindOf('text'), 'other')
})

/** A socket of a browser, without the browser and the wire. */
class Wire extends EventTarget {
  static readonly OPEN = 1
  readonly readyState = Wire.OPEN
  readonly sent: Uint8Array[] = []

  send(data: Uint8Array): void {
    this.sent.push(data)
  }
}

/** A socket that was greeted. */
async function greeted(parts: EventSocketParts): Promise<Wire> {
  Object.defineProperty(globalThis, 'WebSocket', { value: Wire, configurable: true })
  const { eventSocketClass } = await import('../../../../web/live/event-socket.ts')
  const socket = new (eventSocketClass(parts))('ws://service') as unknown as Wire
  const hello = JSON.stringify({ type: 'event', event: 'hello', data: {} })
  socket.dispatchEvent(new MessageEvent('message', { data: hello }))
  return socket
}

test('the socket sends the pieces as updates and the answer last', async () => {
  const steps: string[] = []
  const parts: EventSocketParts = {
    onOpen: () => {},
    onHello: () => true,
    onEvent: () => {},
    mayWrite: () => true,
    made: () => 0,
    onUpdateSent: () => void steps.push('answer'),
    onPieceSent: () => void steps.push('piece'),
    piecesOf: (answer) => [answer.subarray(0, 1), answer.subarray(1, 2), answer.subarray(2)],
  }
  const socket = await greeted(parts)
  socket.send(syncMessage('answer', new Uint8Array([1, 2, 3, 4])))
  assert.equal(
    socket.sent.map((message) => [kindOf(message), [...updateIn(message)]]),
    [
      ['update', [1]],
      ['update', [2]],
      ['answer', [3, 4]],
    ],
  )
  assert.equal(steps, ['piece', 'piece', 'answer'])
})

test('a change that is too long leaves in slices, and nothing made after it before it', async () => {
  const { before, change } = pastedOver(4_000)
  const slices = sliced(change)
  const steps: (number | 'piece')[] = []
  let made = 0
  let wire: Wire | undefined
  const last = new Promise<void>((resolve) => {
    const parts: EventSocketParts = {
      onOpen: () => {},
      onHello: () => true,
      onEvent: () => {},
      mayWrite: () => true,
      made: () => made,
      onUpdateSent(by) {
        steps.push(by)
        if (by === 3) resolve()
      },
      onPieceSent: () => void steps.push('piece'),
      piecesOf: (answer) => [answer],
    }
    void greeted(parts).then((socket) => {
      wire = socket
      for (const update of [before, change, new Uint8Array([0, 0])]) {
        made++
        socket.send(syncMessage(made === 1 ? 'answer' : 'update', update))
      }
    })
  })
  await last
  assert.equal(steps, [1, ...slices.slice(1).map(() => 'piece'), 2, 3])
  const seen = (wire?.sent ?? []).slice(1).map((message) => updateIn(message))
  assert.equal(seen, [...slices, new Uint8Array([0, 0])])
})

test.run()
