/** Extensions §5: what somebody may say of themselves, and what others are shown of it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { isCursor, printState, readState } from '../../../schema/presence-state.ts'

const somebody = { actor: 'human:ada', name: 'Ada' }

function shown(text: string): unknown {
  const state = readState(text)
  return typeof state === 'object' ? JSON.parse(printState(state, somebody)) : state
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

test('a plain object is shown with who it is of, whatever it says of that', () => {
  assert.equal(shown('{}'), { user: somebody })
  assert.equal(shown('{"at":[1,"two",null]}'), { user: somebody, at: [1, 'two', null] })
  const lie = { actor: 'human:alice', name: 'Alice Real', actor_id: 'x', isOwner: true }
  assert.equal(shown(JSON.stringify({ user: lie })), { user: somebody })
})

test('of `user` a plain colour is taken, nothing else', () => {
  const colored = (color: unknown) => shown(JSON.stringify({ user: { color } }))
  assert.equal(colored('#30bCed'), { user: { ...somebody, color: '#30bCed' } })
  for (const color of ['red', '#30bce', '#30bced;x', 'url(x)', 5, ['#30bced'], null]) {
    assert.equal(colored(color), { user: somebody })
  }
})

test('null: its client left; what is no plain object breaks a rule', () => {
  assert.is(shown(' null '), 'left')
  for (const text of ['1', '"a"', 'true', '[]', '[{}]']) assert.is(shown(text), undefined, text)
  assert.throws(() => readState('{"a":'))
})

test('eight deep and not nine, in objects, in arrays and in what is not taken', () => {
  assert.equal(shown(nested(8)), { user: somebody, ...JSON.parse(nested(8)) })
  assert.is(shown(nested(9)), undefined)
  assert.is(shown(`{"a":${'['.repeat(8)}${']'.repeat(8)}}`), undefined)
  assert.is(shown(`{"user":${nested(8)}}`), undefined)
  assert.is(shown(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`), undefined)
})

test('names that reach behind an object break a rule, wherever they stand', () => {
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    assert.is(shown(`{"${name}":1}`), undefined, name)
    assert.is(shown(`{"a":[{"${name}":{}}]}`), undefined, name)
    assert.is(shown(`{"user":{"${name}":{}}}`), undefined, name)
  }
  assert.is(shown('{"__pro\\u0074o__":1}'), undefined)
})

test('a cursor is two places in the text, or null, or left out', () => {
  const ydoc = new Y.Doc()
  const text = new Y.XmlText('words')
  ydoc.getXmlFragment('prosemirror').insert(0, [text])
  const place = (index: number) =>
    Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, index))
  const cursor = JSON.stringify({ anchor: place(0), head: place(5) })
  assert.equal(shown(`{"cursor":${cursor}}`), { user: somebody, cursor: JSON.parse(cursor) })
  assert.equal(shown('{"cursor":null}'), { user: somebody, cursor: null })
  const root = { tname: 'prosemirror' }
  assert.ok(isCursor({ anchor: root, head: root }))
  const bad: unknown[] = [
    {},
    5,
    [],
    { anchor: {}, head: {} },
    { anchor: null, head: root },
    { anchor: root, head: { tname: 'another root' } },
    { anchor: root, head: { item: { client: 1, clock: -1 } } },
    { anchor: root, head: { item: { client: 1, clock: 0.5 } } },
    { anchor: root, head: { type: { client: '1', clock: 0 } } },
    { anchor: root, head: { type: [] } },
    { anchor: root, head: { ...root, assoc: '1' } },
  ]
  for (const one of bad) {
    assert.equal(shown(JSON.stringify({ n: 1, cursor: one })), { user: somebody, n: 1 })
  }
})

test('every cursor that is let through can be looked up in any document', () => {
  const ydoc = new Y.Doc()
  const text = new Y.XmlText('words')
  ydoc.getXmlFragment('prosemirror').insert(0, [text])
  const ids = [undefined, null, { client: ydoc.clientID, clock: 0 }, { client: 7, clock: 99 }]
  const names = [undefined, null, 'prosemirror']
  const assocs = [undefined, null, -1, 0, 5]
  for (const item of ids) {
    for (const type of ids) {
      for (const tname of names) {
        for (const assoc of assocs) {
          const place = { item, type, tname, assoc }
          if (!isCursor({ anchor: place, head: place })) continue
          const read = Y.createRelativePositionFromJSON(JSON.parse(JSON.stringify(place)))
          Y.createAbsolutePositionFromRelativePosition(read, ydoc)
        }
      }
    }
  }
  assert.equal([...ydoc.share.keys()], ['prosemirror'])
})

test.run()
