/** Each rule of authorship by name: marks that lie, and words put back. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { by, cut, long, mark, scene, type } from './authorship-scene.ts'
import {
  addBlock,
  addBroken,
  alice,
  allTextsOf,
  bob,
  carol,
  describe,
  joinBlocks,
  type Peer,
  splitBlock,
} from './authorship-world.ts'

test('text without marks is stamped, also inside of others and at their ends', () => {
  const { a, b, act, check } = scene('one two')
  check('alice:one two')
  act(b, type(0, 3, ' and a half'))
  check('alice:one | bob: and a half | alice: two')
  act(b, type(0, 0, '>'))
  act(a, type(0, 19, '!'))
  check('bob:> | alice:one | bob: and a half | alice: two!')
})

test("typing on at the end of one's own run costs no correction", () => {
  const { world, a, b, act, check } = scene('one')
  act(b, type(0, 3, ' two'))
  const before = world.corrections
  for (const [index, char] of [...' three'].entries()) act(b, type(0, 7 + index, char))
  act(a, type(0, 1, 'N'))
  assert.is(world.corrections, before)
  check('alice:oNne | bob: two three')
})

test('a forged mark on own text says the truth again', () => {
  const { b, act, check } = scene('one')
  act(b, type(0, 3, ' two', by(alice)))
  act(b, type(0, 3, ' and', by(carol)))
  check('alice:one | bob: and two')
})

test("a forged mark over others' text, over all of it or a part, changes nothing", () => {
  const { b, c, act, check } = scene('one two three')
  act(c, type(0, 7, '(c)'))
  act(b, mark(0, 0, 16, by(bob)))
  check('alice:one two | carol:(c) | alice: three')
  act(b, mark(0, 2, 7, by(bob)))
  check('alice:one two | carol:(c) | alice: three')
})

test('stripped marks come back', () => {
  const { b, c, act, check } = scene('one two three')
  act(c, type(0, 7, '(c)'))
  act(b, mark(0, 0, 16, { authored: null }))
  check('alice:one two | carol:(c) | alice: three')
  act(b, mark(0, 8, 1, { authored: null }))
  check('alice:one two | carol:(c) | alice: three')
})

test('a mark of more than `by`, of another type or spelling is replaced', () => {
  const { b, act, check, world } = scene('one two')
  for (const value of ['human:bob', 1, { by: alice, more: 1 }, { by: 7 }, [], true]) {
    act(b, mark(0, 2, 3, { authored: value }))
    check('alice:one two')
  }
  act(b, mark(0, 2, 3, { 'authored--abcdefgh': { by: 'human:bob' } }))
  const [text] = [...world.ydoc.getXmlFragment('prosemirror').toArray()]
  assert.is(text?.toString().includes('authored--'), false)
})

test("a mark's end that is removed is put back", () => {
  const { world, b, c, act, check } = scene('one two')
  act(c, type(0, 3, '(c)'))
  const remove = (peer: Peer) =>
    peer.doc.transact((transaction) => {
      for (let item = peer.texts[0]?._start ?? null; item !== null; item = item.right) {
        if (item.content instanceof Y.ContentFormat) item.delete(transaction)
      }
    })
  act(b, remove)
  check('alice:one | carol:(c) | alice: two')
  assert.ok(world.corrections > 0)
})

test('bold by somebody else changes no author', () => {
  const { world, b, act, check } = scene('one two')
  const before = world.corrections
  act(b, mark(0, 2, 3, { strong: {} }))
  check('alice:one two')
  assert.is(world.corrections, before)
})

test("undo of the deletion of another's text keeps the author at any length", () => {
  const { b, act, undo, redo, check } = scene('yes and no')
  act(b, cut(0, 4, 4))
  check('alice:yes no')
  undo(b)
  check('alice:yes and no')
  redo(b)
  undo(b)
  check('alice:yes and no')
})

test('undo puts several runs, of several authors, back to their authors', () => {
  const { b, c, act, undo, check } = scene('yes and no')
  act(c, type(0, 4, '(c)'))
  act(b, (peer) => {
    cut(0, 2, 4)(peer)
    cut(0, 6, 2)(peer)
  })
  check('alice:ye | carol:) | alice:ando')
  undo(b)
  check('alice:yes  | carol:(c) | alice:and no')
})

test('characters deleted one by one come back under their author', () => {
  const { world, b, check } = scene('yes and no')
  b.undo.captureTimeout = 60_000
  for (let at = 7; at > 3; at--) b.act(cut(0, at - 1, 1))
  world.settle()
  b.undo.undo()
  world.settle()
  check('alice:yes and no')
})

test('undo of the deletion of a whole block, short as it may be', () => {
  const { b, act, undo, check } = scene('no', 'yes', 'maybe')
  act(b, (peer) => peer.fragment.delete(1, 1))
  check('alice:no', 'alice:maybe')
  undo(b)
  check('alice:no', 'alice:yes', 'alice:maybe')
})

test('undo of the deletion of a whole block with breaks in it', () => {
  const { world, a, b, c, act, undo, redo } = scene('no', 'maybe')
  const read = () => allTextsOf(world.ydoc).map(describe)
  act(a, (peer) => addBroken(peer, 1, 'yes', 'of', 'course'))
  act(c, (peer) => allTextsOf(peer.doc)[2]?.insert(1, 'X'))
  act(b, (peer) => allTextsOf(peer.doc)[3]?.insert(6, '!'))
  const whole = ['alice:no', 'alice:yes', 'alice:o | carol:X | alice:f', 'alice:course | bob:!']
  assert.equal(read(), [...whole, 'alice:maybe'])
  act(b, (peer) => peer.fragment.delete(1, 1))
  assert.equal(read(), ['alice:no', 'alice:maybe'])
  undo(b)
  assert.equal(read(), [...whole, 'alice:maybe'])
  redo(b)
  world.restart()
  undo(b)
  assert.equal(read(), [...whole, 'alice:maybe'])
  act(b, (peer) => addBroken(peer, 0, 'yes', 'oXf', 'course!'))
  assert.equal(read().slice(0, 3), ['bob:yes', 'bob:oXf', 'bob:course!'])
})

test("a block with breaks that is not put back whole is the paster's", () => {
  const { world, a, b, act } = scene('no')
  const read = () => allTextsOf(world.ydoc).map(describe)
  act(a, (peer) => addBroken(peer, 1, 'yes', 'of', 'course'))
  act(b, (peer) => peer.fragment.delete(1, 1))
  act(b, (peer) => addBroken(peer, 1, 'yes', 'of'))
  act(b, (peer) => addBroken(peer, 1, 'of', 'course', 'yes'))
  act(b, (peer) => addBlock(peer, 1, 'yes'))
  assert.is(
    read()
      .slice(1)
      .every((text) => text.startsWith('bob:')),
    true,
  )
})

test("undo of one's own deletion of one's own text is nobody else's", () => {
  const { a, act, undo, check } = scene('yes and no')
  act(a, cut(0, 4, 4))
  undo(a)
  check('alice:yes and no')
})

test("a short run pasted elsewhere is the paster's", () => {
  const { b, act, check } = scene('yes and no')
  act(b, cut(0, 4, 4))
  act(b, type(0, 0, 'and '))
  check('bob:and  | alice:yes no')
})

test("a long run cut and pasted elsewhere stays its author's, once", () => {
  const { b, act, check } = scene(`a ${long} b`, 'c')
  act(b, cut(0, 2, long.length))
  act(b, type(1, 1, long))
  check('alice:a  b', `alice:c${long}`)
  act(b, type(1, 0, long))
  check('alice:a  b', `bob:${long} | alice:c${long}`)
})

test("a part of a cut run is the paster's, at its place too", () => {
  const { b, act, check } = scene(`a ${long} b`, 'c')
  act(b, cut(0, 2, long.length))
  act(b, type(0, 2, long.slice(0, -1)))
  check(`alice:a  | bob:${long.slice(0, -1)} | alice: b`, 'alice:c')
  act(b, type(1, 1, long.slice(0, 36)))
  check(`alice:a  | bob:${long.slice(0, -1)} | alice: b`, `alice:c | bob:${long.slice(0, 36)}`)
})

test('by cutting parts nobody makes another say something else', () => {
  const { b, act, check } = scene('I do not like it', 'and')
  act(b, cut(0, 0, 2))
  act(b, cut(0, 3, 4))
  check('alice:do like it', 'alice:and')
  act(b, type(1, 3, 'not '))
  act(b, type(0, 3, 'I not '))
  check('alice:do  | bob:I not  | alice:like it', 'alice:and | bob:not ')
})

test("what one cut another cannot paste as the author's", () => {
  const { b, c, act, check } = scene(`a ${long} b`)
  act(b, cut(0, 2, long.length))
  act(c, type(0, 2, long))
  check(`alice:a  | carol:${long} | alice: b`)
})

test('copying credits the copier', () => {
  const { b, act, check } = scene(long, 'c')
  act(b, type(1, 1, long))
  check(`alice:${long}`, `alice:c | bob:${long}`)
})

test('split and join keep the authors at any length', () => {
  const { b, c, act, undo, check } = scene('one two', 'three')
  act(c, type(0, 5, '(c)'))
  act(b, (peer) => splitBlock(peer, 0, 4))
  check('alice:one ', 'alice:t | carol:(c) | alice:wo', 'alice:three')
  act(b, (peer) => joinBlocks(peer, 1))
  check('alice:one ', 'alice:t | carol:(c) | alice:wothree')
  undo(b)
  check('alice:one ', 'alice:t | carol:(c) | alice:wo', 'alice:three')
  undo(b)
  check('alice:one t | carol:(c) | alice:wo', 'alice:three')
})

test('what is left of a deletion over several blocks keeps its author, and undo brings all back', () => {
  const { b, c, act, undo, redo, check } = scene('one two', 'three', 'four five')
  act(c, type(2, 7, '(c)'))
  const whole = ['alice:one two', 'alice:three', 'alice:four fi | carol:(c) | alice:ve']
  check(...whole)
  act(b, (peer) => {
    cut(0, 4, 3)(peer)
    type(0, 4, 'fi(c)ve')(peer)
    peer.fragment.delete(1, 2)
  })
  check('alice:one fi | carol:(c) | alice:ve')
  undo(b)
  check(...whole)
  redo(b)
  check('alice:one fi | carol:(c) | alice:ve')
  undo(b)
  check(...whole)
})

test('undo of a split into which its author went on typing keeps her the author', () => {
  const { a, b, act, undo, check } = scene('one two')
  act(b, (peer) => splitBlock(peer, 0, 3))
  act(a, type(1, 2, 'XY'))
  check('alice:one', 'alice: tXYwo')
  undo(b)
  check('alice:one two')
})

test('a character of two code units is never parted', () => {
  const { b, c, act, check } = scene('one 😀')
  act(c, type(0, 6, '-😁'))
  act(b, (peer) => {
    cut(0, 4, 5)(peer)
    addBlock(peer, 1, '😁')
  })
  check('alice:one ', 'carol:😁')
})

test('a run that lives on in part serves nowhere else', () => {
  const { b, act, check } = scene('one two', 'four five')
  act(b, (peer) => {
    type(0, 7, 'five')(peer)
    peer.fragment.delete(1, 1)
  })
  check('alice:one twofive')
  act(b, (peer) => addBlock(peer, 1, 'four five'))
  check('alice:one twofive', 'bob:four five')
})

test('a tail moved over living words is not a split', () => {
  const { b, act, check } = scene('I did', 'not do it')
  act(b, (peer) => {
    cut(1, 0, 4)(peer)
    type(0, 2, 'not ')(peer)
  })
  check('alice:I  | bob:not  | alice:did', 'alice:do it')
})

test("words put back in another order are the mover's", () => {
  const { b, act, check } = scene('ab', 'cd', 'ef')
  act(b, (peer) => {
    peer.fragment.delete(0, 3)
    addBlock(peer, 0, 'efcd')
  })
  check('bob:efcd')
})

test('a block dragged elsewhere in one update, or cut and pasted in two, keeps its author', () => {
  const { b, act, check } = scene('no', 'yes', 'maybe')
  act(b, (peer) => {
    peer.fragment.delete(0, 1)
    addBlock(peer, 2, 'no')
  })
  check('alice:yes', 'alice:maybe', 'alice:no')
  act(b, (peer) => peer.fragment.delete(2, 1))
  act(b, (peer) => addBlock(peer, 0, 'no'))
  check('alice:no', 'alice:yes', 'alice:maybe')
  act(b, (peer) => addBlock(peer, 0, 'no'))
  check('bob:no', 'alice:no', 'alice:yes', 'alice:maybe')
})

test("a whole block pasted into a block is the paster's", () => {
  const { b, act, check } = scene('no', 'I say ')
  act(b, (peer) => peer.fragment.delete(0, 1))
  act(b, type(0, 6, 'no'))
  check('alice:I say  | bob:no')
})

test.run()
