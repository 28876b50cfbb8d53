/**
 * What some editor stored as the spelling of a block is only a claim. Whatever it says, the
 * document can be printed, and the text reads back as it.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { readMarkdown } from '../../../schema/markdown/read-markdown.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { Tally } from '../../tally.ts'
import { spelledMarkdown } from './spelled-markdown.ts'

const seed = 20261129

const parts = [
  ...['', '-', '- ', '*', '+   ', '1.', '1) ', '0. ', '999999999. ', '9999999999. ', '-\t', '- - '],
  ...[
    '>',
    '> ',
    '>>',
    ' >',
    '   > ',
    '    ',
    '\t',
    '```',
    '```\n```',
    '~~~js\n~~~',
    '    \n    ',
    '> \n \n',
    '```\n```\n  ',
    '----',
    '***',
  ],
  ...['---', '| a |', '|---|', '|:-:|--|', 'a\n===', '# a', '# a #', 'a', '_a_', '[a]', '[a][b]'],
  ...[
    '\b',
    '\ba',
    '\b\b',
    '\n',
    '\n\n',
    ' \n',
    'x\n',
    '<div>',
    '<br>',
    '&amp;',
    '\\',
    '[x] ',
    '\0',
  ],
]
const part = fc.constantFrom(...parts)
const forged = fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))
const gap = fc.constantFrom(null, '', '\n', '\n\n\n', ' ', ' \n', '\t\n', 'x', '\n>', '- ')
const claim = fc.record({ spelling: forged, gap, which: fc.nat(3) })

type Claim = typeof claim extends fc.Arbitrary<infer T> ? T : never

function withClaims(node: Node, next: () => Claim): Node {
  if (node.isText || (node.isLeaf && !('spelling' in node.attrs))) return node
  const { spelling, gap, which } = next()
  const attrs: Record<string, unknown> = { ...node.attrs }
  if ('spelling' in attrs && which < 2) attrs['spelling'] = spelling
  if ('gap' in attrs && which % 2 === 0) attrs['gap'] = gap
  const children = node.inlineContent
    ? node.content
    : node.children.map((child) => withClaims(child, next))
  return node.type.create(attrs, children, node.marks)
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}]{3,}/gu) ?? []

test('a document with any spelling is printed, has all its words and reads back as it is', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(spelledMarkdown, fc.array(claim, { minLength: 4, maxLength: 30 }), (md, claims) => {
      let at = 0
      const next = (): Claim => claims[at++ % claims.length] as Claim
      const nodes = parseMarkdown(md).children.map((node) => repairBlock(withClaims(node, next)))
      const doc = documentSchema.node('doc', null, nodes)
      const text = DocumentText.of(nodes).toString()
      const said = new Set(wordsOf(text))
      const lost = wordsOf(doc.textBetween(0, doc.content.size, '\n')).filter(
        (one) => !said.has(one),
      )
      assert.equal(lost, [], JSON.stringify([md, text]))
      parseMarkdown(text).check()
      const told = JSON.stringify([md, text])
      assert.ok(normalize(readMarkdown(text)).eq(normalize(doc)), told)
      tally.add('printed')
    }),
    { seed, numRuns: 400, endOnFailure: true },
  )
  tally.tell(`${seed} forged spellings`, { printed: 400 })
})

/** How blocks of a text were allegedly written, by their types. */
function printed(markdown: string, claims: Readonly<Record<string, Record<string, string>>>) {
  const claimed = (node: Node): Node => {
    const children = node.inlineContent ? node.content : node.children.map(claimed)
    return node.type.create({ ...node.attrs, ...claims[node.type.name] }, children, node.marks)
  }
  return DocumentText.of(parseMarkdown(markdown).children.map(claimed)).toString()
}

test('a spelling that would make other blocks of what is there is not printed', () => {
  const item = '- one\n\n  two\n'
  for (const spelling of ['\n\none', 'one\n\n', '\bone', '\b\bone']) {
    assert.is(printed('- one\n', { paragraph: { spelling } }), '- one\n', JSON.stringify(spelling))
  }
  assert.is(printed(item, { paragraph: { spelling: '\b\btwo' } }), item)
  const rule = '- one\n\n  ---\n'
  assert.is(printed(rule, { horizontal_rule: { spelling: '\b\b---' } }), rule)
  const code = '- one\n\n  ```\n  code\n  ```\n'
  for (const spelling of ['\t', '\b\b```\n```']) {
    assert.is(printed(code, { code_block: { spelling } }), code, JSON.stringify(spelling))
  }
  assert.is(printed('1. one\n', { list_item: { spelling: '1.[x] ' } }), '1. one\n')
  const table = '> one\n\n| a |\n| --- |\n'
  assert.is(printed(table, { table: { gap: '' } }), table)
})

test('a spelling that the parser would refuse is not printed', () => {
  for (const spelling of ['>'.repeat(30_000), '['.repeat(60_000), '- '.repeat(10_000)]) {
    const paragraph = documentSchema.node('paragraph', { spelling }, documentSchema.text('x'))
    assert.is(DocumentText.of([paragraph]).toString(), 'x\n')
    assert.is(repairBlock(paragraph).attrs['spelling'], null)
  }
})

test.run()
