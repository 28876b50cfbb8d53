/**
 * An answer that is too long for one message leaves in pieces, each of which the service can take
 * as it comes, and no message is longer than the service reads.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import type { EventSocketParts } from '../../../web/live/event-socket.ts'
import { Pending } from '../../../web/live/pending.ts'
import { kindOf, syncMessage, updateIn } from '../../../web/live/sync-messages.ts'

const changeChars = 1_500_000

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
  const pending = new Pending()
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
  const pending = new Pending()
  pending.load(changes.slice(0, 5), 4)
  for (const change of changes.slice(5)) pending.add(change)
  const service = new Y.Doc()
  for (const change of changes.slice(0, 4)) Y.applyUpdate(service, change)
  const answer = Y.encodeStateAsUpdate(ydoc, Y.encodeStateVector(service))
  const pieces = pending.piecesOf(answer)
  assert.ok(pieces.reduce((sum, { length }) => sum + length, 0) < answer.length + 10_000)
  assert.is(taken(service, pieces).at(-1) === wordsOf(ydoc), true)
})

test('what was acknowledged is forgotten; where an answer is short, or its changes are unknown, it is one', () => {
  const { ydoc, changes } = rewritten(3)
  const pending = new Pending()
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

test('the socket sends the pieces as updates and the answer last', async () => {
  Object.defineProperty(globalThis, 'WebSocket', { value: Wire, configurable: true })
  const { eventSocketClass } = await import('../../../web/live/event-socket.ts')
  const steps: string[] = []
  const parts: EventSocketParts = {
    onOpen: () => {},
    onHello: () => true,
    onEvent: () => {},
    mayWrite: () => true,
    onUpdateSent: () => void steps.push('answer'),
    onPieceSent: () => void steps.push('piece'),
    piecesOf: (answer) => [answer.subarray(0, 1), answer.subarray(1, 2), answer.subarray(2)],
  }
  const socket = new (eventSocketClass(parts))('ws://service') as unknown as Wire
  const hello = JSON.stringify({ type: 'event', event: 'hello', data: {} })
  socket.dispatchEvent(new MessageEvent('message', { data: hello }))
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

test.run()
