/**
 * What is drawn from the text alone, callouts and bare addresses: after any change it is what a
 * fresh look at the document draws, each of it once, although only what was touched is drawn anew.
 */
import fc from 'fast-check'
import { joinBackward, joinForward, splitBlock } from 'prosemirror-commands'
import { type Command, EditorState, type Plugin, TextSelection } from 'prosemirror-state'
import type { DecorationSet } from 'prosemirror-view'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { callouts } from '../../../web/editor/callouts.ts'
import { blockKinds } from '../../../web/editor/commands/block-kinds.ts'
import { moveUnits } from '../../../web/editor/commands/moving.ts'
import { deleteUnits, duplicateUnits } from '../../../web/editor/commands/units.ts'
import { bareUrls } from '../../../web/tools/bare-urls.ts'
import { Tally } from '../../tally.ts'
import { identified } from '../../unit/web/editor/commands/tools-desk.ts'

const pieces = [
  'plain words',
  '> quoted',
  '> [!NOTE]\n> Words of it.\n>\n> More words.',
  '> [!tip]\n>\n> > [!CAUTION]\n> > twice',
  'see https://x.y/a and http://z.y',
  '- https://x.y\n- [!NOTE]',
  '# [!NOTE]',
  '| a | https://x.y/b |\n| --- | --- |\n| c | d |',
]
const documents = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join('\n\n'))

const typed = (text: string): Command => {
  return (state, dispatch) => {
    dispatch?.(state.tr.insertText(text))
    return true
  }
}
const remove: Command = (state, dispatch) => {
  dispatch?.(state.tr.deleteSelection())
  return true
}
const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(blockKinds.map(({ name, turnInto }) => [name, turnInto])),
  letter: typed('x'),
  blank: typed(' '),
  address: typed(' https://x.y '),
  bracket: typed('[!'),
  split: splitBlock,
  remove,
  joinBackward,
  joinForward,
  up: moveUnits(-1),
  down: moveUnits(1),
  deleteUnits,
  duplicateUnits,
}
const share = fc.noBias(fc.integer({ min: 0, max: 999 })).map((part) => part / 1000)
const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(commands)), share, share), {
  minLength: 1,
  maxLength: 6,
})

const drawnBy = (plugin: Plugin, state: EditorState): readonly string[] =>
  (plugin.getState(state) as { readonly set: DecorationSet }).set
    .find()
    .map(({ from, to }) => `${from}-${to} ${state.doc.textBetween(from, to, '|')}`)
    .sort()

const seed = 7

test('what is drawn after a change is what a fresh look draws', () => {
  const tally = new Tally()
  const plugins = [callouts(), bareUrls()]
  const law = fc.property(documents, steps, (markdown, changes) => {
    const doc = identified(parseMarkdown(markdown, { start: true }))
    let state = EditorState.create({ doc, schema: documentSchema, plugins })
    for (const [name, from, to] of changes) {
      const at = (part: number) => state.doc.resolve(Math.floor(part * state.doc.content.size))
      const selected = TextSelection.between(at(from), name === 'remove' ? at(to) : at(from))
      const before = state.apply(state.tr.setSelection(selected))
      const command = commands[name]
      assert.ok(command)
      command(before, (tr) => {
        state = before.apply(tr)
      })
      if (state.doc.eq(before.doc)) continue
      const fresh = EditorState.create({ doc: state.doc, schema: documentSchema, plugins })
      for (const plugin of plugins) {
        const wanted = drawnBy(plugin, fresh)
        assert.equal(drawnBy(plugin, state), wanted, name)
        tally.add('drawn', wanted.length)
      }
      tally.add('changes')
    }
  })
  fc.assert(law, { seed, numRuns: 600, includeErrorInReport: true })
  tally.tell(`${seed} drawn from text`, { changes: 1200, drawn: 5000 })
})

test.run()
