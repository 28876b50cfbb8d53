/**
 * What is kept of a text from reading it to printing it is what printing it makes: a document of
 * parsed nodes prints the same text with the same segments as one of equal nodes that nobody read.
 * SEED=n and RUNS=n repeat another run.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileText, markdownFiles } from '../../../bench/markdown-files.ts'
import { creditNodes } from '../../../core/documents/model/first-content.ts'
import { documentSchema } from '../../../schema/document-schema.ts'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { definitionsOf } from '../../../schema/markdown/definitions.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { printsAs } from '../../../schema/markdown/inline.ts'
import { keptInline, passInline } from '../../../schema/markdown/kept-inline.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { Tally } from '../../tally.ts'
import { spelledMarkdown } from './spelled-markdown.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const numRuns = Number(process.env['RUNS'] ?? (process.env['LONG'] === undefined ? 300 : 5_000))

/** As a document is created. */
function credited(markdown: string): readonly Node[] {
  let count = 0
  return creditNodes(parseMarkdown(markdown).children, {
    author: 'ai:anna' as ActorId,
    newId: () => `bid_${count++}` as BlockId,
  })
}

function check(markdown: string, tally: Tally): void {
  const nodes = credited(markdown)
  const unread = nodes.map((node) => Node.fromJSON(documentSchema, node.toJSON()))
  tally.add(
    'kept',
    nodes.reduce((sum, node) => sum + keptIn(node), 0),
  )
  assert.is(
    unread.reduce((sum, node) => sum + keptIn(node), 0),
    0,
  )
  const [read, printed] = [DocumentText.of(nodes), DocumentText.of(unread)]
  assert.is(read.toString(), printed.toString(), JSON.stringify(markdown))
  for (let index = 0; index < read.blockCount; index++) {
    const [one, other] = [read.printed(index), printed.printed(index)]
    assert.equal(one.segments, other.segments, one.md)
    assert.equal(one.blocks, other.blocks, one.md)
  }
}

const shapes = [{}, { itemFirst: true }, { heading: true }, { cell: true }]

function keptIn(node: Node): number {
  if (node.isTextblock) return shapes.some((shape) => keptInline(node, shape)) ? 1 : 0
  return node.children.reduce((sum, child) => sum + keptIn(child), 0)
}

test('generated markdown prints from what was kept as it prints anew', () => {
  const tally = new Tally()
  const property = fc.property(spelledMarkdown, (markdown) => check(markdown, tally))
  fc.assert(property, { seed, numRuns, endOnFailure: true })
  tally.tell(`${seed} kept of generated markdown`, { kept: numRuns / 5 })
})

test('files print from what was kept as they print anew', () => {
  const root = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const tally = new Tally()
  for (const path of [...markdownFiles(join(root))].sort()) {
    const text = fileText(path)
    if (text === undefined || text.length > 30_000) continue
    check(text, tally)
    tally.add('files')
  }
  tally.tell('none kept of files', { files: 200, kept: 2_000 })
})

test('what is kept does not hold where its text may refer to a definition', () => {
  const markdown = 'See *this*, [one] and [two](https://example.org/two).'
  const paragraph = parseMarkdown(markdown).child(0)
  const passed = documentSchema.nodes.paragraph.create(null, paragraph.content)
  assert.is(keptInline(passed, {}), undefined)
  passInline(paragraph, passed)
  assert.is(keptInline(passed, {})?.md, markdown)
  assert.is(keptInline(passed, { heading: true }), undefined, 'in another place')
  const target = { href: 'https://example.org', title: '' }
  const others = definitionsOf([['OTHER', target]])
  assert.is(keptInline(passed, { definitions: others })?.md, markdown)
  for (const label of ['ONE', 'TWO']) {
    const definitions = definitionsOf([[label, target]])
    assert.is(keptInline(passed, { definitions }), undefined, label)
    const again = documentSchema.nodes.paragraph.create(null, paragraph.content)
    printsAs(again, markdown, { definitions })
    assert.is(keptInline(again, {}), undefined, `read with ${label}`)
  }
})

test.run()
