/** Attributes of nodes as records: to whoever reads them as ProseMirror's own. */
import { Schema } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { makeRecords } from '../../../core/documents/model/node-records.ts'

const attrs = { id: { default: null, validate: 'string|null' }, level: { default: 1 } }
const needed = { source: { validate: 'string' } }
const nodes = { doc: { content: 'p*' }, p: { attrs }, q: { attrs: needed }, text: {} }

test('they hold what was given and the defaults, inherit nothing, and are checked as before', () => {
  const schema = new Schema({ nodes })
  const before = schema.nodes.p.create({ id: 'a' }).attrs
  makeRecords(schema)
  const { p, q } = schema.nodes
  const [one, two] = [p.create({ id: 'a', other: 1 }), p.create({ id: 'b', level: 2 })]
  assert.equal(one.attrs, before)
  assert.is(JSON.stringify(two), '{"type":"p","attrs":{"id":"b","level":2}}')
  assert.is(one.attrs['toString'], undefined)
  assert.is(one.attrs['constructor'], undefined)
  // Of one shape, which is what they are made for.
  assert.is(Object.getPrototypeOf(one.attrs), Object.getPrototypeOf(two.attrs))
  assert.not(Object.getPrototypeOf(one.attrs) === Object.getPrototypeOf(before))
  assert.throws(() => q.create(), RangeError)
  assert.throws(() => p.create({ id: 1 }), RangeError)
  assert.ok(one.eq(schema.nodeFromJSON(one.toJSON())))
})

test.run()
