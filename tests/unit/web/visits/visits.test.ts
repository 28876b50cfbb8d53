/** Visits of documents: what was not read, and the places in the text that it is at. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { changePlacesOf, type FormerPlace } from '../../../../web/visits/change-places.ts'
import {
  type BlockChange,
  hasNews,
  lastVisit,
  rememberVisit,
} from '../../../../web/visits/last-visits.ts'
import { actorsOf, joined, named, othersOf } from '../../../../web/visits/unread.ts'
import { withIds } from '../numbered.ts'

const change = (block_id: string, kind: BlockChange['kind'], ...actors: string[]): BlockChange => ({
  block_id,
  kind,
  actor_ids: actors.length === 0 ? ['ai:quill'] : actors,
})

const places = (
  markdown: string,
  changes: readonly BlockChange[],
  stood: Readonly<Record<string, FormerPlace>> = {},
) =>
  changePlacesOf(withIds(parseMarkdown(markdown)), changes, new Map(Object.entries(stood))).map(
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

/** What a browser keeps, while `use` runs. */
function inBrowser(use: (kept: Map<string, string>) => void): void {
  const kept = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
  Object.defineProperty(globalThis, 'window', { value: { localStorage }, configurable: true })
  try {
    use(kept)
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'window')
    else Object.defineProperty(globalThis, 'window', before)
  }
}

test('visits are kept by account, the newest only, and what is unread of few', () => {
  inBrowser((kept) => {
    const visit = { actor: 'human:ann', slug: 'one', revision: 7, at: 1 }
    rememberVisit({ ...visit, actor: 'nobody', revision: 3 })
    assert.is(lastVisit('human:ann', 'one')?.revision, 3, 'where nobody was')
    rememberVisit(visit)
    assert.is(lastVisit('human:ann', 'one')?.revision, 7)
    assert.is(lastVisit('human:ben', 'one')?.revision, 3)
    const changes = Array.from({ length: 500 }, (_, at) => change(`b${at}`, 'changed'))
    for (let at = 0; at < 300; at++) {
      const unread = { since: 1, from: 1, changes }
      rememberVisit({ ...visit, slug: `slug${at}`, unread })
    }
    assert.is(lastVisit('human:ann', 'one'), undefined)
    assert.is(lastVisit('human:ann', 'slug299')?.unread?.changes.length, 60)
    assert.is(lastVisit('human:ann', 'slug200')?.unread, undefined)
    assert.ok((kept.get('visits') ?? '').length < 150_000)
    kept.set('visits', '[{"actor":1},null,7')
    assert.is(lastVisit('human:ann', 'slug299'), undefined)
  })
})

test('a document has news where others changed it since one was there, or what is unread', () => {
  inBrowser((kept) => {
    kept.set('actor', 'human:ann')
    const quill = { slug: 'one', at: 6, by: 'ai:quill' }
    assert.is(hasNews(quill), false, 'never opened here')
    rememberVisit({ actor: 'human:ann', slug: 'one', revision: 5, at: 5 })
    assert.equal([hasNews(quill), hasNews({ ...quill, at: 4 })], [true, false])
    assert.is(hasNews({ ...quill, by: 'human:ann' }), false, 'one’s own')
    const unread = { since: 1, from: 1, changes: [change('a', 'added')] }
    rememberVisit({ actor: 'human:ann', slug: 'one', revision: 6, at: 7, unread })
    assert.is(hasNews(quill), true)
  })
})

test.run()
