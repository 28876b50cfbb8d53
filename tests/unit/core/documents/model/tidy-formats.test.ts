/**
 * Formats that mean nothing any more go as Yjs itself takes them away, in time that grows with what
 * was deleted and not with its square. SEED=… repeats a scene.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { tidyAfter } from '../../../../../schema/yjs/tidy-formats.ts'
import { pace, spentOn } from '../../../../pace.ts'
import { type Random, randomOf } from '../guard/guard-world.ts'

const seeds = process.env['LONG'] ? 20_000 : 40
const only = process.env['SEED']

function copy(client: number, isTidied = false) {
  const ydoc = new Y.Doc({ gc: true })
  ydoc.clientID = client
  const fragment = ydoc.getXmlFragment('prosemirror')
  if (isTidied) ydoc.on('afterTransaction', tidyAfter)
  const text = new Y.XmlText()
  if (client === 1) fragment.insert(0, [text])
  return ydoc
}

const textOf = (ydoc: Y.Doc): Y.XmlText => ydoc.getXmlFragment('prosemirror').get(0) as Y.XmlText

function edit(text: Y.XmlText, random: Random): void {
  const at = random(text.length + 1)
  const length = Math.min(text.length - at, 1 + random(6))
  const marks = [{}, { strong: true }, { em: true }, { authored: { by: 'human:ada' } }]
  const mark = marks[random(marks.length)] ?? {}
  const choice = random(4)
  if (choice === 0) text.insert(at, 'abc'.slice(random(3)), mark)
  else if (choice === 1) text.insert(at, 'k')
  else if (choice === 2 && length > 0) text.delete(at, length)
  else if (length > 0) text.format(at, length, random(2) ? mark : { strong: null, em: null })
}

test('what is left is what Yjs would leave', () => {
  console.log(`\nseed ${only ?? `1..${seeds}`} tidy formats`)
  let deletions = 0
  for (let seed = only ? Number(only) : 1; seed <= (only ? Number(only) : seeds); seed++) {
    const random = randomOf(seed)
    const writer = copy(1)
    const [stock, ours] = [copy(2), copy(3, true)]
    const keep = (update: Uint8Array) => {
      Y.applyUpdate(stock, update)
      Y.applyUpdate(ours, update)
    }
    keep(Y.encodeStateAsUpdate(writer))
    for (let rounds = 0; rounds < 12; rounds++) {
      const before = Y.encodeStateVector(writer)
      writer.transact(() => {
        for (let edits = 1 + random(6); edits > 0; edits--) edit(textOf(writer), random)
      })
      keep(Y.encodeStateAsUpdate(writer, before))
      assert.equal(textOf(ours).toDelta(), textOf(stock).toDelta(), `seed ${seed}`)
      assert.equal(Y.encodeStateAsUpdate(ours), Y.encodeStateAsUpdate(stock), `seed ${seed}`)
    }
    deletions += Y.createDeleteSetFromStructStore(ours.store).clients.size
  }
  assert.ok(deletions > 0)
})

test('a text of many pieces is deleted in time that grows with them', () => {
  const writer = copy(1)
  const text = textOf(writer)
  const ydoc = copy(2, true)
  writer.transact(() => {
    for (let at = 0; at < 20_000; at++) text.insert(0, 'k', { strong: true })
  })
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(writer))
  const before = Y.encodeStateVector(writer)
  text.delete(0, text.length)
  const update = Y.encodeStateAsUpdate(writer, before)
  const spent = spentOn(() => Y.applyUpdate(ydoc, update))
  assert.is(textOf(ydoc).length, 0)
  assert.ok(spent < 300 * pace(), `${spent} ms`)
})

test.run()
