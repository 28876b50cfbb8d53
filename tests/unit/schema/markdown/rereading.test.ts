/** What was read last is not read again; anything else is. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown, rereadMarkdown } from '../../../../schema/markdown/parser.ts'

const reread = (text: string, start = true) => rereadMarkdown(text, { start })

test('a text is read once while it is the last one', () => {
  const first = parseMarkdown('Some **words**\n')
  assert.is(reread('Some **words**\n'), first)
  assert.is.not(parseMarkdown('Some **words**\n'), first, 'who keeps the nodes has his own')
})

test('another text, and a text at another place, are read', () => {
  const text = '---\ntitle: x\n---\n'
  const first = parseMarkdown(text)
  assert.is(first.firstChild?.type.name, 'front_matter')
  assert.is.not(reread(text, false).firstChild?.type.name, 'front_matter')
  assert.is(reread('other\n').textContent, 'other')
  assert.is(reread(text).firstChild?.type.name, 'front_matter')
})

test('a long text is not kept', () => {
  const text = `${'word '.repeat(1_000)}end\n`
  assert.is.not(reread(text), reread(text))
  assert.ok(reread(text).eq(parseMarkdown(text)))
})

test.run()
