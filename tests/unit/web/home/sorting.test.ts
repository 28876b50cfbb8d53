/** The orders of documents on home. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ListEntry } from '../../../../web/home/list-entry.ts'
import { type Order, sorted } from '../../../../web/home/sorting.ts'

const row = (title: string, createdAt: number, at: number): ListEntry => {
  return { slug: title, title, at, createdAt, role: 'owner', place: 'mine' }
}
const rows = [row('apple 10', 1, 5), row('Ápple 9', 2, 4), row('banana', 3, 6), row('', 4, 3)]
const titles = (by: Order) => sorted(rows, by).map(({ title }) => title)

test('by name: without case and accents, numbers by their value, what has none as Untitled', () => {
  assert.equal(titles('name'), ['Ápple 9', 'apple 10', 'banana', ''])
})

test('by creation and by the last edit the newest is first', () => {
  assert.equal(titles('created'), ['', 'banana', 'Ápple 9', 'apple 10'])
  assert.equal(titles('edited'), ['banana', 'apple 10', 'Ápple 9', ''])
})

test.run()
