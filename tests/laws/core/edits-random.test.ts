/**
 * Random edits of random documents, planned and applied: the text is what splicing and
 * canonicalising the whole gives, Yjs reads as planned, and nothing is touched that the edit does
 * not name.
 */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Operation } from '../../../core/documents/edits/plan/operation.ts'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { spliceOperation } from '../../../core/documents/edits/plan/splice-operation.ts'
import type { Edit } from '../../../core/documents/edits/request/edit.ts'
import { Refusal } from '../../../schema/errors.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { BlockSplice } from '../../../schema/markdown/textblock-splice.ts'
import { Tally } from '../../tally.ts'
import {
  alice,
  authorsOf,
  bare,
  bot,
  h,
  li,
  p,
  ul,
  Workbench,
} from '../../unit/core/documents/edits/edits-fixture.ts'

const seed = 20_261_121
const runs = process.env['LONG'] ? 40_000 : 60

const blocks = [
  'alpha beta gamma delta',
  'one **bold words** and `code` end',
  '# Title of it',
  '- first item\n- second item\n  - nested item\n- third item',
  '1. uno\n2. dos',
  '> quoted text\n>\n> more of it',
  '| a | b |\n| --- | --- |\n| cell | other cell |\n| more | x \\| y |',
  '```js\nconst x = 1\n```',
  '---',
  'see [a link](https://x.y) and ![image](z) now',
  'soft\nbreak and hard\\\nbreak',
  'emoji 😀 and vector\\<int\\> &amp;amp; more',
  '<br />',
  '- [ ] task\n- [x] done',
]
const document = fc
  .array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 7 })
  .map((parts) => DocumentText.of(parseMarkdown(`${parts.join('\n\n')}\n`).children))

const inserted = fc.constantFrom(
  'word',
  'two words',
  '',
  '',
  ' ',
  '😀',
  '**b**',
  '\n\nnew paragraph\n\n',
  '\n\n- item\n\n',
  '\n',
  '# ',
  '- ',
  '> ',
  '`c`',
  '*',
  '|',
  '[x](y)',
  '\\',
  '```',
  '    ',
  '<br />',
  '~~s~~',
  '1. ',
  '&',
)
const place = fc.tuple(fc.nat(10_000), fc.nat(40), inserted)

/** A splice of the text changes one stretch of blocks. */
function onlyPart({ parts }: Operation): BlockSplice {
  const [part, more] = parts
  if (part === undefined || more !== undefined) throw new TypeError(`${parts.length} parts`)
  return part
}

const nodesOf = (text: DocumentText) =>
  Array.from({ length: text.blockCount }, (_, index) => text.node(index))
const shown = (nodes: readonly { toString(): string }[]): string => nodes.join('\n')

/** A row that an edit makes too short is filled up and written anew; a reading leaves it short. */
const mayBeFilledUp = (markdown: string): boolean => / \| \|$/m.test(markdown)

/**
 * What is another thing in an edit than in a reading: a new item takes the number of its place, and
 * a block that goes takes the empty lines with it that parted it from the next.
 */
const asRead = (markdown: string): string =>
  markdown
    .replace(/^([> ]*)\d+([.)])/gm, '$1N$2')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')

test('a splice makes what canonicalising the whole makes, and Yjs reads as planned', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(document, place, (text, [at, length, insert]) => {
      const from = at % (text.length + 1)
      const to = Math.min(text.length, from + length)
      const made = spliceOperation(text, { from, to, insert })
      if (made.kind === 'refused') {
        tally.add('refusals')
        assert.is.not(made.code, 'EDIT_VERIFICATION_FAILED', text.toString())
        return
      }
      const whole = text.slice(0, from) + insert + text.slice(to, text.length)
      const naive = DocumentText.of(parseMarkdown(whole).children).toString()
      const after = made.kind === 'operation' ? made.operation.text : text
      if (!mayBeFilledUp(after.toString())) {
        assert.is(asRead(after.toString()), asRead(naive))
      }
      if (made.kind === 'unchanged') return
      tally.add('operations')
      const bench = new Workbench(nodesOf(text))
      const before = bench.ids()
      const { operation } = made
      const part = onlyPart(operation)
      bench.apply(part.from, part.to - part.from, part.nodes)
      assert.is(shown(bench.nodes.map(bare)), shown(nodesOf(operation.text).map(bare)))
      assert.equal(bench.ids().slice(0, part.from), before.slice(0, part.from))
      const tail = before.slice(part.to)
      assert.equal(tail.length === 0 ? [] : bench.ids().slice(-tail.length), tail)
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} spliceOperation and applyBlocks`, { operations: runs / 3, refusals: 1 })
})

const request = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 30 }), inserted), {
  minLength: 1,
  maxLength: 5,
})

test('a batch, on a current or a stale base, applies in one transaction as it was planned', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(document, request, fc.boolean(), (text, wanted, stale) => {
      const edits = wanted.map(([at, length, newString]): Edit => {
        const from = at % text.length
        return { form: 'replace', oldString: text.slice(from, from + length), newString }
      })
      try {
        const base = stale ? { baseRevision: 1 } : {}
        const plan = planEdits({ text, revision: 2, edits, actor: bot, ...base })
        const bench = new Workbench(nodesOf(text))
        let now = text
        bench.doc.transact(() => {
          for (const operation of plan.operations) {
            const { from, to, nodes } = onlyPart(operation)
            const then = operation.text
            const old = nodesOf(now).slice(from, to)
            bench.apply(from, to - from, nodes, bot, old)
            now = then
          }
        })
        tally.add('operations', plan.operations.length)
        tally.add(stale ? 'stale batches' : 'batches')
        const read = DocumentText.of(bench.nodes).toString()
        assert.is(bench.nodes.length === 0 ? '' : read, plan.text.toString())
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        assert.is.not(error.code, 'EDIT_VERIFICATION_FAILED')
      }
    }),
    { seed, numRuns: runs },
  )
  const some = runs / 10
  tally.tell(`${seed} planEdits batches`, {
    operations: runs / 3,
    batches: some,
    'stale batches': some,
  })
})

test('a one-word edit keeps every author but that of the word', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(document, fc.nat(10_000), (text, pick) => {
      const words = [...text.toString().matchAll(/(?<!\[a |&)\b(?!https)[a-z]{3,}/g)]
      const word = words[pick % Math.max(1, words.length)]
      if (word === undefined) return
      const splice = { from: word.index, to: word.index + word[0].length, insert: 'QQQ' }
      const made = spliceOperation(text, splice)
      if (made.kind !== 'operation') return
      const bench = new Workbench(nodesOf(text))
      const operation = onlyPart(made.operation)
      const structs = bench.apply(operation.from, operation.to - operation.from, operation.nodes)
      assert.ok(structs <= 6, `${structs} structs`)
      const authors = bench.nodes.map(authorsOf).join('')
      const byBot = [...authors.matchAll(/bot\[(.*?)\]/gs)].map(([, own]) => own).join('')
      assert.ok(byBot === 'QQQ' || byBot === '', authors)
      tally.add(byBot === '' ? 'words in leaves' : 'words')
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} authorship of one-word edits`, { words: runs / 2 })
})

test('a blank that was just typed outlives an edit beside it', () => {
  const cases = [
    [p('hello wor '), 'hello', 'goodbye', 'goodbye wor '],
    [h(2, 'title of '), 'title', 'name', 'name of '],
    [p('one \ntwo three '), 'three', '3', 'one \ntwo 3 '],
    [ul(li(p('item of ')), li(p('x'))), 'item', 'entry', 'entry of x'],
  ] as const
  for (const [node, oldString, newString, expected] of cases) {
    const bench = new Workbench([node, p('end')])
    const text = DocumentText.of(bench.nodes)
    const edits: Edit[] = [{ form: 'replace', oldString, newString }]
    const plan = planEdits({ text, revision: 1, edits, actor: bot })
    for (const operation of plan.operations) {
      const { from, to, nodes } = onlyPart(operation)
      bench.apply(from, to - from, nodes)
    }
    assert.is(bench.nodes[0]?.textContent, expected)
    assert.is(DocumentText.of(bench.nodes).toString(), plan.text.toString())
  }
})

test('what is typed meanwhile beside a planned edit is never lost', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(document, fc.nat(10_000), fc.nat(10_000), (text, pick, where) => {
      const words = [...text.toString().matchAll(/(?<!\[a |&)\b(?!https)[a-z]{3,}/g)]
      const word = words[pick % Math.max(1, words.length)]
      if (word === undefined) return
      const splice = { from: word.index, to: word.index + word[0].length, insert: 'QQQ' }
      const made = spliceOperation(text, splice)
      if (made.kind !== 'operation') return
      const bench = new Workbench(nodesOf(text))
      const peer = new Y.Doc()
      peer.clientID = 55
      Y.applyUpdate(peer, Y.encodeStateAsUpdate(bench.doc))
      const texts = textsIn(peer.getXmlFragment('prosemirror'))
      const target = texts[where % Math.max(1, texts.length)]
      if (target === undefined) return
      for (let index = 0; index < 3; index++) {
        target.insert((where + index) % (target.length + 1), 'Ω', { authored: { by: alice } })
      }
      tally.add('edits')
      const step = onlyPart(made.operation)
      bench.apply(step.from, step.to - step.from, step.nodes)
      Y.applyUpdate(bench.doc, Y.encodeStateAsUpdate(peer))
      const all = bench.nodes.map((node) => node.textContent).join('')
      assert.is(all.split('Ω').length - 1, 3)
    }),
    { seed, numRuns: runs },
  )
  tally.tell(`${seed} typing beside planned edits`, { edits: runs / 2 })
})

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child]
    return child instanceof Y.XmlElement ? textsIn(child) : []
  })
}

test.run()
