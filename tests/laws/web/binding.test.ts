/**
 * The laws of the binding between the page's document and the shared one, on random edits of two
 * people: both ways agree with y-prosemirror's own reading, untouched blocks stay the same objects,
 * opening writes nothing, undo takes back one's own words alone.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { undo } from 'y-prosemirror'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { isBlockId } from '../../../schema/ids.ts'
import { Rewriting, rewrite } from '../../../web/editor/binding/rewrite.ts'
import { Tally } from '../../tally.ts'
import { agrees, bothOn, mixed } from '../../unit/web/editor/binding/bound-pages.ts'
import { act, acts } from './hands.ts'

const numRuns = process.env['LONG'] === undefined ? 20 : 5_000

function idsOf(doc: Node): string[] {
  const ids: string[] = []
  doc.descendants((node) => {
    if (typeof node.attrs['id'] === 'string') ids.push(node.attrs['id'])
  })
  return ids
}

test('random edits of one person leave every block an id of its own', () => {
  const seed = 43
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 20 }), (run) => {
      const [ann] = bothOn(mixed)
      for (const one of run) {
        act(ann, one)
        did.add('acts')
        agrees(ann)
        const ids = idsOf(ann.state.doc)
        assert.is(ids.length, new Set(ids).size, 'an id stands twice')
        ann.state.doc.descendants((node) => {
          if (!identifiedTypes.has(node.type.name)) return
          assert.ok(isBlockId(node.attrs['id']))
          did.add('ids')
        })
      }
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} block ids`, { acts: numRuns, ids: 5 * numRuns })
})

test('random edits of two people agree on every page', () => {
  const seed = 42
  const did = new Tally()
  const steps = fc.array(fc.record({ who: fc.nat(1), sync: fc.nat(3), act: acts }), {
    minLength: 1,
    maxLength: 25,
  })
  fc.assert(
    fc.property(steps, (run) => {
      const [ann, ben] = bothOn(mixed)
      const pages = [ann, ben]
      for (const step of run) {
        const page = pages[step.who] ?? ann
        act(page, step.act)
        agrees(page)
        did.add('acts')
        if (step.sync === 0) {
          did.add('exchanges')
          ann.sendTo(ben)
          ben.sendTo(ann)
        }
      }
      ann.sendTo(ben)
      ben.sendTo(ann)
      assert.ok(ann.state.doc.eq(ben.state.doc), `${ann.state.doc}\n${ben.state.doc}`)
      ann.close()
      ben.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} binding`, { acts: numRuns, exchanges: numRuns / 2 })
})

test('a document given at once moves positions as the steps to it do', () => {
  const seed = 45
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 8 }), (run) => {
      const [ann] = bothOn(mixed)
      const before = ann.state.doc
      for (const one of run) act(ann, one)
      const after = ann.state.doc
      const [steps, atOnce] = [new Transform(before), new Transform(before)]
      rewrite(steps, after)
      atOnce.step(new Rewriting(before, after))
      assert.is(atOnce.doc, after)
      assert.ok(steps.doc.eq(after))
      before.descendants((node, pos) => {
        if (!node.isTextblock) return
        for (let at = pos + 1; at < pos + node.nodeSize; at++) {
          for (const side of [-1, 1]) {
            const [wanted, found] = [steps.mapping.map(at, side), atOnce.mapping.map(at, side)]
            assert.is(found, wanted, `${at} by ${side}: ${before}\nbecomes ${after}`)
            did.add(found === at ? 'stayed' : 'moved')
          }
        }
      })
      atOnce.step(new Rewriting(before, after).invert())
      assert.is(atOnce.doc, before)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} positions`, { stayed: numRuns, moved: numRuns })
})

test('undoing everything brings the document back, ids and authors too', () => {
  const seed = 44
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), (run) => {
      const [ann] = bothOn(mixed)
      const before = ann.state.doc
      for (const one of run) if (one.kind !== 16) act(ann, one)
      while (undo(ann.state)) {
        did.add('undone')
        agrees(ann)
      }
      assert.ok(ann.state.doc.eq(before), `${ann.state.doc}\nbut was\n${before}`)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} undo`, { undone: numRuns / 2 })
})

test.run()
