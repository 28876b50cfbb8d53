/** The title: the first line that says something, without a heading's marker. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { titleOf } from '../../../../schema/markdown/title.ts'

const cases: readonly (readonly [markdown: string, title: string])[] = [
  ['', ''],
  ['# Plan\n\ntext\n', 'Plan'],
  ['Title\n===\n', 'Title'],
  ['###### A **b** `c` #\n', 'A **b** `c`'],
  ['  #  Indented  ##  \n', 'Indented'],
  ['# C#\n', 'C#'],
  ['## #\n\nnext\n', ''],
  ['C #\n===\n', 'C #'],
  ['  plain\n', 'plain'],
  ['plain *text*\nmore\n', 'plain *text*'],
  ['\\# no heading\n', '\\# no heading'],
  ['#hashtag\n', '#hashtag'],
  ['- item\n', '- item'],
  ['> # quoted\n', '> # quoted'],
  ['<br />\n\n<br />\n\n## Late\n', 'Late'],
  ['<br />\n\n<br />\n', ''],
  ['\n\n<BR>\n\n  # Late\n', 'Late'],
  ['---\ntitle: x\n---\n\n# Behind\n', 'Behind'],
  ['---\ntitle: x\n---\n', ''],
  ['```js\nlet a\n```\n', '```js'],
  ['#\n\nnext\n', ''],
  [`# ${'😀'.repeat(300)}\n`, '😀'.repeat(200)],
  [`${'x'.repeat(300)}\n`, 'x'.repeat(200)],
]

for (const [markdown, title] of cases) {
  test(`the title of ${JSON.stringify(markdown.slice(0, 30))}`, () => {
    assert.is(titleOf(DocumentText.of(parseMarkdown(markdown).children)), title)
  })
}

test('front matter that is none prints as code, which is a line', () => {
  const broken = documentSchema.node('front_matter', null, documentSchema.text('no key'))
  assert.is(titleOf(DocumentText.of([broken, documentSchema.node('paragraph')])), '```yaml')
})

test.run()
