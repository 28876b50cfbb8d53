/** What peers lack is told as Yjs itself would write it, whatever they have. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { PeerStates } from '../../../core/documents/live/peer-states.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { randomOf } from './guard-world.ts'

test('the answer to every state vector is the one of Yjs', async () => {
  const seeds = 200
  console.log(`\nseed 1..${seeds} peer states`)
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomOf(seed)
    const ydoc = new Y.Doc()
    const text = ydoc.getText('t')
    const vectors: Uint8Array[] = [Y.encodeStateVector(ydoc)]
    for (let step = 0; step < 40; step++) {
      ydoc.clientID = 1 + random(4)
      if (random(3) > 0 || text.length === 0) text.insert(random(text.length + 1), 'abc')
      else text.delete(random(text.length), 1)
      if (random(4) === 0) vectors.push(Y.encodeStateVector(ydoc))
    }
    const states = new PeerStates(ydoc, new SimulatedRuntime())
    for (const vector of vectors) {
      const known = Y.decodeStateVector(vector)
      for (const client of [...known.keys()]) if (random(3) === 0) known.delete(client)
      const asked = Y.encodeStateVector(known)
      const expected = Y.encodeStateAsUpdate(ydoc, asked)
      assert.equal(Uint8Array.from(await states.for(known, 1)), expected, `seed ${seed}`)
      assert.equal(
        Uint8Array.from(await states.for(known, 1)),
        expected,
        `seed ${seed}, from what is kept`,
      )
    }
    text.insert(0, 'z')
    assert.equal(
      Uint8Array.from(await states.for(new Map(), 2)),
      Y.encodeStateAsUpdate(ydoc),
      `seed ${seed}`,
    )
  }
})

/** A turn is over at once, and in between somebody writes. */
class BusyRuntime extends SimulatedRuntime {
  readonly #between: () => void
  #spent = 0

  constructor(between: () => void) {
    super()
    this.#between = between
  }

  override elapsed(): number {
    this.#spent += limits.turnMs
    return this.#spent
  }

  override inTurn(callback: () => void): void {
    this.#between()
    super.inTurn(callback)
  }
}

test('what is written while an answer is put together neither spoils it nor leaves a gap', async () => {
  const seeds = 200
  console.log(`\nseed 1..${seeds} writes between steps`)
  let between = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomOf(seed)
    const ydoc = new Y.Doc()
    const text = ydoc.getText('t')
    const write = () => {
      ydoc.clientID = 1 + random(6)
      if (random(3) > 0 || text.length === 0) text.insert(random(text.length + 1), 'abc')
      else text.delete(random(text.length), 1)
    }
    for (let step = 0; step < 40; step++) write()
    const meanwhile: Uint8Array[] = []
    const runtime = new BusyRuntime(() => {
      for (let step = random(4); step > 0; step--) write()
    })
    const states = new PeerStates(ydoc, runtime)
    const asked = Y.encodeStateVector(ydoc)
    ydoc.on('update', (update: Uint8Array) => meanwhile.push(update))
    const answered = states.for(new Map(), 1)
    await runtime.pass(1)
    const peer = new Y.Doc()
    Y.applyUpdate(peer, await answered)
    assert.is(peer.store.pendingStructs, null, `seed ${seed}: a gap`)
    assert.is(peer.store.pendingDs, null, `seed ${seed}: deletes what is not there`)
    for (const [client, clock] of Y.decodeStateVector(asked)) {
      assert.ok(Y.getState(peer.store, client) >= clock, `seed ${seed}: all that was asked for`)
    }
    for (const update of meanwhile) Y.applyUpdate(peer, update)
    assert.is(peer.getText('t').toString(), text.toString(), `seed ${seed}`)
    between += meanwhile.length
  }
  assert.ok(between > seeds, `${between} writes came between`)
})

test.run()
