/** Visits of documents: what was not read, and the places in the text that it is at. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { BlockChange } from '../../../web/visits/last-visits.ts'
import { placesOf, type Stood } from '../../../web/visits/places.ts'
import { actorsOf, joined, named, othersOf } from '../../../web/visits/unread.ts'
import { withIds } from './numbered.ts'

const change = (block_id: string, kind: BlockChange['kind'], ...actors: string[]): BlockChange => ({
  block_id,
  kind,
  actor_ids: actors.length === 0 ? ['ai:quill'] : actors,
})

const places = (
  markdown: string,
  changes: readonly BlockChange[],
  stood: Readonly<Record<string, Stood>> = {},
) =>
  placesOf(withIds(parseMarkdown(markdown)), changes, new Map(Object.entries(stood))).map(
    ({ kind, ids, edge }) => `${kind}${edge === undefined ? '' : ` ${edge}`}: ${ids.join()}`,
  )

test('one place for what is new, the innermost for what changed', () => {
  const list = '- one\n- two\n\nthree\n'
  // b0 the list, b1 and b3 its items, b2 and b4 their texts, b5 the last.
  const item = [change('b0', 'changed'), change('b3', 'changed')]
  assert.equal(places(list, item), ['changed: b0,b3'])
  const whole = [change('b0', 'added'), change('b1', 'added'), change('b3', 'added')]
  assert.equal(places(list, whole), ['added: b0,b1,b3'])
})

test('neighbours of the same people are one place, of others their own', () => {
  const four = 'a\n\nb\n\nc\n\nd\n'
  const by = (id: string, actor: string) => change(id, 'changed', actor)
  const changes = [by('b3', 'x'), by('b0', 'x'), by('b1', 'x'), by('b2', 'y')]
  assert.equal(places(four, changes), ['changed: b0,b1', 'changed: b2', 'changed: b3'])
  assert.equal(places(four, [by('b0', 'x'), by('b2', 'x')]), ['changed: b0', 'changed: b2'])
})

test('what is gone is a place where it stood; of which nothing is known, none', () => {
  const changes = [change('x', 'deleted'), change('y', 'deleted'), change('z', 'deleted')]
  const stood = { x: { near: 'b0', edge: 'after' }, y: { near: 'b0', edge: 'after' } } as const
  assert.equal(places('a\n\nb\n', changes, stood), ['deleted after: x,y'])
  const both = [...changes, change('b0', 'changed'), change('b1', 'added')]
  assert.equal(places('a\n\nb\n', both, stood), ['changed: b0', 'deleted after: x,y', 'added: b1'])
})

test('what comes later joins what was unread', () => {
  const unread = (since: number, ...changes: BlockChange[]) => ({ since, from: since, changes })
  const before = unread(1, change('a', 'added', 'x'), change('b', 'changed', 'x'))
  const next = unread(2, change('a', 'changed', 'y'), change('b', 'deleted'), change('c', 'added'))
  assert.equal(joined(undefined, next), next)
  const both = joined(before, next)
  assert.equal([both.since, both.from], [1, 1])
  assert.equal(
    both.changes.map(({ block_id, kind, actor_ids }) => `${block_id} ${kind} ${actor_ids}`),
    ['a added x,y', 'b deleted x,ai:quill', 'c added ai:quill'],
  )
  assert.equal(joined(before, unread(2, change('a', 'deleted'))).changes, [before.changes[1]])
})

test('one is not told of what one did alone', () => {
  const changes = [change('a', 'changed', 'me'), change('b', 'changed', 'me', 'you')]
  assert.equal(othersOf(changes, 'me'), [change('b', 'changed', 'you')])
})

test('who it was: the busiest first, the others counted', () => {
  const changes = [
    change('a', 'changed', 'x'),
    change('b', 'changed', 'y', 'z'),
    change('c', 'added', 'y'),
  ]
  assert.equal(actorsOf(changes), ['y', 'x', 'z'])
  assert.is(named(['Quill']), 'Quill')
  assert.is(named(['Quill', 'Ada']), 'Quill and Ada')
  assert.is(named(['Quill', 'Ada', 'Ben']), 'Quill and 2 others')
})

test.run()
