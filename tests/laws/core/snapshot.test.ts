/** A snapshot in slices: each refers only to those before it, together they are the document. */
import * as encoding from 'lib0/encoding'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { deletionOf } from '../../../core/yjs/deletions.ts'
import { snapshotWrites } from '../../../core/yjs/loading.ts'
import { SharedDoc } from '../../../core/yjs/shared-doc.ts'
import { decodeSnapshot, encodeSnapshot } from '../../../core/yjs/snapshot.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import { splitAhead } from '../../../schema/yjs/split-ahead.ts'
import { Chance } from '../../chance.ts'
import { pace, spentOn } from '../../pace.ts'
import { Tally } from '../../tally.ts'

const seed = 7_031
const share = process.env['LONG'] ? 1 : 1 / 4

/** Peers that write paragraphs and letters, erase some, and now and then hear of each other. */
function crowd(
  peers: number,
  writes: number,
  onWrite: (first: Y.Doc, write: number) => void = () => {},
): Y.Doc {
  const chance = new Chance(seed + peers)
  const docs = Array.from({ length: peers }, (_, index) => {
    const ydoc = new Y.Doc()
    ydoc.clientID = 1_000 + ((index * 7_919) % 977)
    return ydoc
  })
  for (let write = 0; write < writes; write++) {
    const ydoc = docs[chance.below(peers)] as Y.Doc
    const fragment = ydoc.getXmlFragment(fragmentName)
    const at = chance.below(fragment.length + 1)
    const text = at < fragment.length ? (fragment.get(at) as Y.XmlElement).get(0) : undefined
    if (text instanceof Y.XmlText && chance.below(4) > 0) {
      if (text.length > 6 && chance.below(3) === 0) text.delete(chance.below(text.length - 3), 3)
      else if (chance.below(4) === 0 && text.length > 2) text.format(0, 2, { strong: {} })
      else text.insert(chance.below(text.length + 1), 'word '.repeat(1 + chance.below(3)))
    } else if (fragment.length > 8 && chance.below(5) === 0)
      fragment.delete(at - 1 < 0 ? 0 : at - 1, 1)
    else {
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.setAttribute('id', `bid_${write}`)
      paragraph.insert(0, [new Y.XmlText('begun ')])
      fragment.insert(at, [paragraph])
    }
    if (chance.below(6) === 0) tell(ydoc, docs[chance.below(peers)] as Y.Doc)
    onWrite(docs[0] as Y.Doc, write)
  }
  const [first] = docs as [Y.Doc]
  for (const ydoc of docs) tell(ydoc, first)
  return first
}

function tell(from: Y.Doc, to: Y.Doc): void {
  Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)))
}

/** Applies the slices in separate transactions as a load does. */
function loaded(slices: readonly Uint8Array[]): Y.Doc {
  const ydoc = new Y.Doc()
  ydoc.getXmlFragment(fragmentName)
  for (const slice of slices) {
    Y.transact(ydoc, (transaction) => {
      Y.applyUpdateV2(ydoc, slice)
      transaction.local = true
    })
    assert.is(ydoc.store.pendingStructs, null, 'nothing waits for a later slice')
    assert.is(ydoc.store.pendingDs, null)
  }
  return ydoc
}

test('slices of what many wrote make the same document, and none waits for a later one', () => {
  const tally = new Tally()
  for (const [peers, writes] of [
    [1, 4_000],
    [5, 6_000],
    [40, 6_000],
  ] as const) {
    const ydoc = crowd(peers, writes * share)
    const parts = decodeSnapshot(encodeSnapshot(ydoc))
    tally.add('snapshots')
    tally.add('slices', parts.length)
    const copy = loaded(parts)
    assertSame(copy, ydoc)
    assert.equal(Y.encodeStateAsUpdate(copy), Y.encodeStateAsUpdate(ydoc))
  }
  tally.tell(`${seed} snapshots`, { snapshots: 3, slices: 6 })
})

function assertSame(copy: Y.Doc, ydoc: Y.Doc): void {
  const [one, other] = [copy, ydoc].map((doc) => doc.getXmlFragment(fragmentName).toString())
  assert.is(one, other)
  assert.equal(Y.encodeStateVector(copy), Y.encodeStateVector(ydoc))
  const erased = (doc: Y.Doc) => Y.createDeleteSetFromStructStore(doc.store)
  assert.ok(Y.equalDeleteSets(erased(copy), erased(ydoc)))
}

test('a snapshot that grew again and again makes the same document', () => {
  const tally = new Tally()
  for (const [peers, writes] of [
    [1, 1_500],
    [7, 3_000],
  ] as const) {
    let snapshot: Uint8Array | undefined
    const chance = new Chance(seed * peers)
    crowd(peers, writes, (first, write) => {
      if (chance.below(60) !== 0) return
      const before = snapshot === undefined ? [] : decodeSnapshot(snapshot).slice(0, -1)
      snapshot = encodeSnapshot(first, snapshot)
      const slices = decodeSnapshot(snapshot)
      const isGrown = before.every(
        (slice, index) => Buffer.compare(slice, slices[index] ?? slice) === 0,
      )
      tally.add(isGrown && before.length > 0 ? 'grown' : 'written afresh')
      if (write % 4 === 0) assertSame(loaded(slices), first)
    })
  }
  const afresh = tally.of('written afresh')
  tally.tell(`${seed} growing snapshots`, { grown: afresh + 1, 'written afresh': 5 })
})

test('a snapshot that only grew is bounded by what is in the document', () => {
  const ydoc = new Y.Doc()
  const text = new Y.XmlText('A document of some length. '.repeat(40))
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [text])
  ydoc.getXmlFragment(fragmentName).insert(0, [paragraph])
  let snapshot = encodeSnapshot(ydoc)
  const begun = snapshot.length
  for (let round = 0; round < 50; round++) {
    text.insert(0, 'something that does not stay '.repeat(20))
    snapshot = encodeSnapshot(ydoc, snapshot)
    text.delete(0, 29 * 20)
  }
  assert.ok(snapshot.length < begun * 2.5, `${begun} bytes at first, ${snapshot.length} at last`)
})

test('an empty document has a snapshot', () => {
  const copy = loaded(decodeSnapshot(encodeSnapshot(new Y.Doc())))
  assert.is(copy.getXmlFragment(fragmentName).length, 0)
})

test('a snapshot of the format before is read, and the next one is written afresh', () => {
  const ydoc = crowd(2, 300)
  const slices = decodeSnapshot(encodeSnapshot(ydoc))
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 2)
  encoding.writeVarUint(encoder, slices.length)
  for (const slice of slices) encoding.writeVarUint8Array(encoder, slice)
  const old = encoding.toUint8Array(encoder)
  assertSame(loaded(decodeSnapshot(old)), ydoc)
  assert.equal(encodeSnapshot(ydoc, old), encodeSnapshot(ydoc))
})

test('bytes of another format are not read', () => {
  assert.throws(() => decodeSnapshot(Uint8Array.of(1, 0)), /unknown snapshot format/)
})

test('very many deleted ranges within few items are loaded in time that grows with them', () => {
  const ranges = 40_000
  const writer = new SharedDoc()
  writer.clientID = 7
  writer.getText('t').insert(0, 'ab'.repeat(ranges))
  const before = encodeSnapshot(writer)
  const each = Array.from({ length: 2 * ranges }, (_, clock) => ({ client: 7, clock }))
  writer.transact(() => {
    splitAhead(writer, each)
    Y.applyUpdate(writer, deletionOf(each.filter(({ clock }) => clock % 2 === 0)))
  })
  const snapshot = encodeSnapshot(writer, before)
  const copy = new SharedDoc()
  const spent = spentOn(() => {
    copy.transact(() => {
      for (const write of snapshotWrites(snapshot)) write(copy)
    })
  })
  assert.is(copy.getText('t').toString(), 'b'.repeat(ranges))
  assert.equal(Y.encodeStateVector(copy), Y.encodeStateVector(writer))
  assert.ok(spent < 700 * pace(), `${spent} ms`)
})

test.run()
