/**
 * Planned edits on a whole document state, by several actors, in a row: after repair, block ids and
 * authorship have run, the text is what was planned, ids are unique, every character has an author.
 */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { fillState } from '../../filled-state.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'

const seed = 20_261_122
const runs = process.env['LONG'] ? 5000 : 40

const actors = ['ai:one', 'ai:two', 'human:three'] as ActorId[]

const blocks = [
  'alpha beta gamma delta',
  'one **bold words** and `code` end',
  '# Title of ![it](x) all',
  '- first item\n- second item\n  - nested item\n- third item',
  '1. uno\n2. dos',
  '> quoted text\n>\n> more of it',
  '| a | b |\n| --- | --- |\n| cell | other cell |\n| more | x \\| y |',
  '```js\nconst x = 1\n```',
  '---',
  '---\ntitle: x\n---',
  'see [a link](https://x.y) and ![image](z)![two](z) now',
  'soft\nbreak and hard\\\nbreak',
  'emoji 😀 and vector\\<int\\> &amp;amp; more',
  '<br />',
]
const inserts = ['word', 'two words', '', ' ', '😀', '**b**', '\n\nnew\n\n', '\n\n- item\n\n', '\n']
const markup = ['# ', '- ', '> ', '`c`', '*', '|', '[x](y)', '\\', '```', '    ', '<br />', '1. ']

const edit = fc.record({
  at: fc.nat(10_000),
  length: fc.integer({ min: 1, max: 30 }),
  insert: fc
    .array(fc.constantFrom(...inserts, ...markup), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join('')),
})
const request = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  actor: fc.constantFrom(...actors),
  isStale: fc.boolean(),
})

function checkTree(state: DocumentState): void {
  const ids = new Set<unknown>()
  for (const top of state.mirror.nodes) {
    for (const node of [top, ...descendantsOf(top)]) {
      node.check()
      const id: unknown = node.attrs['id']
      if (id) assert.is(ids.has(id), false, `${id} twice`)
      ids.add(id)
      if (node.isText) assert.ok(node.marks.some((mark) => mark.type.name === 'authored'))
    }
  }
}

function descendantsOf(node: DocumentState['mirror']['nodes'][number]) {
  const found: (typeof node)[] = []
  node.descendants((child) => void found.push(child))
  return found
}

test('edits in a row on a document state leave it as planned', async () => {
  const tally = new Tally()
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 7 }),
    fc.array(request, { minLength: 1, maxLength: 10 }),
    async (parts, requests) => {
      const runtime = new SimulatedRuntime({ seed })
      const state = new DocumentState(runtime)
      const nodes = parseMarkdown(`${parts.join('\n\n')}\n`).children
      await fillState(state, { nodes, author: actors[0] as ActorId, runtime })
      for (const { edits: wanted, actor, isStale } of requests) {
        const { text } = state
        const edits = readEdits(
          wanted.map(({ at, length, insert }) => {
            const from = at % Math.max(1, text.length)
            return { old_string: text.slice(from, from + length) || 'none', new_string: insert }
          }),
        )
        const base = isStale ? { baseRevision: 1 } : {}
        try {
          const plan = planEdits({ text, revision: 2, edits, actor, ...base })
          assert.is(JSON.stringify(plan.outcomes).includes('VERIFICATION'), false)
          state.applyOperations(plan.operations, actor)
          assert.is(state.text.toString(), plan.text.toString())
          tally.add('operations', plan.operations.length)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          tally.add('refusals')
          assert.is(JSON.stringify([error.code, error.details]).includes('VERIFICATION'), false)
        }
        checkTree(state)
      }
      state.destroy()
    },
  )
  await fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} edits on a document state`, { operations: runs, refusals: 1 })
})

test.run()
