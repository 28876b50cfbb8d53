/**
 * Blocks written into Yjs (applyBlocks), whatever they were and become: read as planned, ids and
 * authors of the others kept, and nothing lost of what is typed meanwhile.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Tally } from '../../tally.ts'
import {
  alice,
  anyBlock,
  anyBlocks,
  change,
  p,
  shown,
  Workbench,
} from '../../unit/core/documents/edits/edits-fixture.ts'

const seed = 20_260_721
const runs = process.env['LONG'] ? 20_000 : 60

test('random changes read as planned, keep untouched blocks and are small', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(anyBlocks, anyBlocks, (old, next) => {
      const { bench, structs } = change(old, next)
      tally.add('changes')
      tally.add('structs', structs)
      bench.apply(0, next.length, old)
      assert.is(shown(bench.nodes), shown(old))
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} applyBlocks random changes`, { changes: runs, structs: 4 * runs })
})

const script = fc.array(
  fc.record({
    at: fc.nat(9),
    remove: fc.nat(2),
    insert: fc.array(anyBlock, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
)

test('random scripts keep the ids and authors of every block they do not name', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(anyBlocks, script, (old, steps) => {
      const bench = new Workbench(old)
      for (const { at, remove, insert } of steps) {
        const nodes = bench.nodes
        const from = Math.min(at, nodes.length)
        const to = Math.min(nodes.length, from + remove)
        const next = [...nodes.slice(0, from), ...insert, ...nodes.slice(to)]
        bench.apply(0, nodes.length, next)
        tally.add('operations')
        const now = bench.nodes
        assert.is(shown(now), shown(next))
        for (const node of [...nodes.slice(0, from), ...nodes.slice(to)]) {
          const kept = now.find((each) => each.attrs['id'] === node.attrs['id'])
          assert.is(kept?.toString(), node.toString())
          tally.add('blocks kept')
        }
      }
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} applyBlocks scripts`, { operations: runs, 'blocks kept': runs })
})

const typing = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 5 })

test('what is typed meanwhile into blocks that stay is never lost', () => {
  const tally = new Tally()
  const paragraphs = fc.array(
    fc.array(fc.constantFrom('alpha ', 'beta ', 'gamma ', '😀 '), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(paragraphs, paragraphs, typing, (old, next, keys) => {
      const nodes = (rows: string[][]): Node[] => rows.map((words) => p(words.join('')))
      const count = Math.min(old.length, next.length)
      const bench = new Workbench(nodes(old).slice(0, count))
      const peer = new Y.Doc()
      peer.clientID = 55
      Y.applyUpdate(peer, Y.encodeStateAsUpdate(bench.doc))
      keys.forEach(([block, at], index) => {
        const text = (peer.getXmlFragment('prosemirror').get(block % count) as Y.XmlElement).get(0)
        if (!(text instanceof Y.XmlText)) return
        text.insert(at % (text.length + 1), String(index), { authored: { by: alice } })
        tally.add('typed')
      })
      for (const [index, node] of nodes(next).slice(0, count).entries()) {
        bench.apply(index, 1, [node])
      }
      Y.applyUpdate(bench.doc, Y.encodeStateAsUpdate(peer))
      const all = bench.nodes.map((node) => node.textContent).join('')
      for (const index of keys.keys()) assert.ok(all.includes(String(index)), all)
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} applyBlocks concurrent typing`, { typed: runs / 2 })
})

test.run()
