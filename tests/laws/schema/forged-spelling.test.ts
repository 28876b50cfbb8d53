/**
 * What some editor stored as the spelling of a block is only a claim. Whatever it says, the
 * document can be printed, and the text has all words of the document.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { Tally } from '../../tally.ts'
import { spelledMarkdown } from './spelled-markdown.ts'

const seed = 20261129

const parts = [
  ...['', '-', '- ', '*', '+   ', '1.', '1) ', '0. ', '999999999. ', '9999999999. ', '-\t', '- - '],
  ...['>', '> ', '>>', ' >', '   > ', '    ', '\t', '```', '```\n```', '~~~js\n~~~', '----', '***'],
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

test('a document with any spelling is printed, and has all its words', () => {
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
      tally.add('printed')
    }),
    { seed, numRuns: 400, endOnFailure: true },
  )
  tally.tell(`${seed} forged spellings`, { printed: 400 })
})

test('a spelling that the parser would refuse is not printed', () => {
  for (const spelling of ['>'.repeat(30_000), '['.repeat(60_000), '- '.repeat(10_000)]) {
    const paragraph = documentSchema.node('paragraph', { spelling }, documentSchema.text('x'))
    assert.is(DocumentText.of([paragraph]).toString(), 'x\n')
    assert.is(repairBlock(paragraph).attrs['spelling'], null)
  }
})

test.run()
