/**
 * Edits quoted in the canonical form of a document that is written otherwise (interface §4.5): the
 * word is changed where it stands, in the spelling of its place, or the edit is refused. No edit is
 * wrong without saying so.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { Refusal } from '../../../schema/errors.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { unspelled } from '../../../schema/markdown/unspelled.ts'
import { Tally } from '../../tally.ts'
import { bot } from '../../unit/core/documents/edits/edits-fixture.ts'
import { spelledMarkdown } from '../schema/spelled-markdown.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const current = { revision: 1, baseRevision: 1 }

test('an edit quoted in the canonical form changes its word alone, or is refused', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(spelledMarkdown, fc.nat(), (markdown, choice) => {
      const nodes = parseMarkdown(markdown).children
      const text = DocumentText.of(nodes)
      const bare = DocumentText.of(nodes.map(unspelled))
      const blocks = [...bare.blocks()]
      const block = blocks[choice % blocks.length]
      if (block === undefined) return
      const quote = bare.slice(block.from, block.to)
      const last = quote.lastIndexOf('z')
      if (last < 0) return
      const { index, pos } = bare.positionAt(block.from + last, 'start')
      const at = text.offsetAt(index, pos, 'start')
      if (text.slice(at, at + 1) !== 'z') return
      const expected = `${text.slice(0, at)}zQ${text.slice(at + 1, text.length)}`
      const next = `${quote.slice(0, last)}zQ${quote.slice(last + 1)}`
      const edits = readEdits([{ old_string: quote, new_string: next }])
      try {
        const made = planEdits({ text, edits, actor: bot, ...current })
        assert.is(made.text.toString(), expected, JSON.stringify([markdown, quote]))
        tally.add('right')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        tally.add('refused')
      }
    }),
    { seed, numRuns: Number(process.env['RUNS'] ?? 400), endOnFailure: true },
  )
  assert.ok(tally.of('right') > 20 * tally.of('refused'), 'few are refused')
  tally.tell(`${seed} edits quoted in the canonical form`, { right: 200 })
})

test.run()
