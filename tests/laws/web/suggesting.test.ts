/**
 * The laws of what is suggested in the page: whatever hands do, nothing is written into the shared
 * document; what others write is shown through it; and the suggestions, accepted one by one in any
 * order by the service's rule, make the text that was shown.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { agrees, bothOn, mixed } from '../../unit/web/editor/binding/bound-pages.ts'
import {
  accepted,
  draftOf,
  isWhole,
  proposals,
  suggest,
  textOf,
} from '../../unit/web/suggesting/suggesting-page.ts'
import { act, acts } from './hands.ts'

const numRuns = process.env['LONG'] === undefined ? 20 : 5_000

test('whatever one does in it, the document stays as it is', () => {
  const seed = 71
  const did = new Tally()
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 20 }), (run) => {
      const [ann] = bothOn(mixed)
      suggest(ann)
      const before = Y.encodeStateAsUpdate(ann.ydoc)
      let updates = 0
      ann.ydoc.on('update', () => updates++)
      for (const one of run) {
        const { doc } = ann.state
        act(ann, one)
        did.add(ann.state.doc === doc ? 'nothing' : 'acts')
        isWhole(ann)
      }
      assert.is(updates, 0)
      assert.equal(Y.encodeStateAsUpdate(ann.ydoc), before)
      did.add('changes', draftOf(ann).changes.length)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} suggesting writes nothing`, { acts: 3 * numRuns, changes: numRuns })
})

test('what others write meanwhile is there, and of what is suggested nothing is lost unsaid', () => {
  const seed = 72
  const did = new Tally()
  const steps = fc.array(fc.record({ who: fc.nat(1), act: acts }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(steps, (run) => {
      const [ann, ben] = bothOn(mixed)
      suggest(ann)
      for (const { who, act: one } of run) {
        act(who === 0 ? ann : ben, one)
        if (who === 1) {
          ben.sendTo(ann)
          agrees(ben)
        }
        isWhole(ann)
        assert.ok(draftOf(ann).shared.eq(ben.state.doc))
        did.add(who === 0 ? 'own' : 'others')
      }
      did.add('changes', draftOf(ann).changes.length)
      did.add('lost', draftOf(ann).lost.length)
      ann.close()
      ben.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} suggesting beside others`, { own: numRuns, others: numRuns, changes: numRuns })
})

test('accepted one by one they make the text that was shown', () => {
  const seed = 73
  const did = new Tally()
  const run = fc.array(acts, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(run, fc.nat(), (some, order) => {
      const [ann] = bothOn(mixed)
      suggest(ann)
      for (const one of some) act(ann, one)
      const found = proposals(ann)
      let text: DocumentText = textOf(draftOf(ann).shared)
      const shown = textOf(ann.state.doc).toString()
      const chance = new Chance(order)
      const left = [...found]
      /** What those before have made longer, and where. */
      const grown: { from: number; by: number }[] = []
      while (left.length > 0) {
        const [next] = left.splice(chance.below(left.length), 1)
        if (next === undefined) continue
        const passed = grown.filter(({ from }) => from < next.from)
        const from = passed.reduce((at, { by }) => at + by, next.from)
        const after = accepted(text, next, from)
        if (typeof after === 'string') {
          // Told to the person, who has it still; it is the service's to refuse.
          did.add(after)
          return ann.close()
        }
        grown.push({ from: next.from, by: after.length - text.length })
        text = after
        did.add(next.place === undefined ? 'quoted' : 'placed')
        did.add('accepted')
      }
      assert.is(text.toString(), shown)
      did.add('texts')
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
  did.tell(`${seed} suggestions accepted`, {
    quoted: numRuns / 2,
    placed: numRuns / 4,
    texts: numRuns / 2,
  })
})

test.run()
