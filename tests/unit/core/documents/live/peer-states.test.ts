/** What peers lack is told as Yjs itself would write it, whatever they have. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { PeerStates } from '../../../../../core/documents/live/peer-states.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { randomOf } from '../guard/guard-world.ts'

test('the answer to every state vector is the one of Yjs', () => {
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
      assert.equal(Uint8Array.from(states.for(known, 1)), expected, `seed ${seed}`)
      assert.equal(
        Uint8Array.from(states.for(known, 1)),
        expected,
        `seed ${seed}, from what is kept`,
      )
    }
    text.insert(0, 'z')
    assert.equal(
      Uint8Array.from(states.for(new Map(), 2)),
      Y.encodeStateAsUpdate(ydoc),
      `seed ${seed}`,
    )
  }
})

test.run()
