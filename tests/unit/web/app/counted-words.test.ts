/** Words, characters and minutes of a document, as the page counts them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { countIn } from '../../../../web/app/counted-words.ts'
import { spentOn } from '../../../pace.ts'

test('words and characters are counted, front matter is not', () => {
  const doc = parseMarkdown('---\ntitle: not this\n---\n\n# Two words\n\n- and *three* more\n')
  assert.equal(countIn(doc), { words: 5, characters: 9 + 14 })
})

test('a long block is counted as its parts are, and in little time', () => {
  const line = 'forty two words stand here, or so they say.'
  const of = (lines: number) =>
    countIn(parseMarkdown(`\`\`\`\n${`${line}\n`.repeat(lines)}\`\`\`\n`))
  assert.equal(of(3_000).words, of(1).words * 3_000)
  assert.equal(of(3_000).characters, of(1).characters * 3_000)
  const doc = parseMarkdown(`${'word '.repeat(60_000)}\n`)
  const ms = spentOn(() => assert.is(countIn(doc).words, 60_000))
  assert.ok(ms < 600, `300 KB took ${ms} ms`)
})

test.run()
