/** New text takes the spelling of the place it goes to (interface §4.5): list markers, escapes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bid, type Item, refused, result } from './edits-planning.ts'

const markers = ['-', '*', '+']

test('an item that is replaced stays in its list, whatever its marker is quoted as', () => {
  const list = '- one\n- two\n- three\n'
  for (const mark of markers) {
    const edit = { old_string: `${mark} two`, new_string: `${mark} TWO` }
    assert.is(result(list, edit), '- one\n- TWO\n- three\n')
    const more = { old_string: `${mark} two`, new_string: `${mark} TWO\n${mark} 2` }
    assert.is(result(list, more), '- one\n- TWO\n- 2\n- three\n')
  }
  const numbered = '1. one\n2. two\n3. three\n'
  const edit = { old_string: '2) two', new_string: '2) TWO' }
  assert.is(result(numbered, edit), '1. one\n2. TWO\n3. three\n')
})

test('an item that is inserted joins the list, whatever its marker is', () => {
  const list = '- one\n- two\n- three\n'
  for (const mark of markers) {
    for (const lines of ['\n', '\n\n']) {
      const edit = { after: `${mark} two`, new_string: `${lines}${mark} new` }
      assert.is(result(list, edit), `- one\n- two${lines}- new\n- three\n`)
    }
    const first = { before: `${mark} one`, new_string: `${mark} zero\n` }
    assert.is(result(list, first), `- zero\n${list}`)
    const last = { before: null, new_string: `\n${mark} four` }
    assert.is(result(list, last), `${list}- four\n`)
  }
  const numbered = { after: '1) one', new_string: '\n2) new' }
  assert.is(result('1. one\n2. two\n', numbered), '1. one\n2. new\n3. two\n')
})

test('items of nested lists and of lists in quotes join theirs', () => {
  const nested = '- a\n  - b\n  - c\n- d\n'
  const insert = { after: 'b', new_string: '\n  * new\n    + deep\n    + deeper' }
  assert.is(result(nested, insert), '- a\n  - b\n  - new\n    + deep\n    + deeper\n  - c\n- d\n')
  const outer = { after: 'c', new_string: '\n* new' }
  assert.is(result(nested, outer), '- a\n  - b\n  - c\n- new\n- d\n')
  const quoted = { after: '> * b', new_string: '\n> * new' }
  assert.is(result('> - a\n> - b\n> - c\n', quoted), '> - a\n> - b\n> - new\n> - c\n')
})

test('a quoted table that another quote was put around meanwhile is changed as a table', () => {
  const table = (lead: string) => `${lead}| a | b |\n${lead}| --- | --- |\n${lead}| c | d |`
  for (const lead of ['> ', '> > ', '  > ']) {
    const placed = lead === '  > ' ? `- x\n\n${table(lead)}\n` : `${table(`${lead}> `)}\n`
    const edit = { old_string: table('> '), new_string: table('> > ') }
    assert.is(result(placed, edit), placed.replace(/> \|/g, '> > |'))
  }
  const lines = { old_string: '> a\n> > b', new_string: '> a\n> > c' }
  assert.is(result('> > a\n> > b\n', lines), '> > a\n> > c\n')
})

test('numbered items stay two blanks further in than the first of their list', () => {
  for (const list of ['1. a\n  2. b\n3. c\n', '1) a\n  2) b\n  3) c\n\nend\n']) {
    assert.is(result(list, { old_string: 'a', new_string: 'x' }), list.replace('a', 'x'))
  }
  // What was an item's list is a list of its own then, and the one behind it goes on in it.
  const below = '1. a\n2. b\n   - c\n  - d\n'
  const further = { old_string: '2. b', new_string: '  2. b' }
  assert.is(result(below, further), '1. a\n  2. b\n   - c\n   - d\n')
})

test('block inserts beside a list join it', () => {
  const list = '- one\n- two\n\nend\n'
  const after: Item = { after_block: bid(0), new_string: '* three' }
  assert.is(result(list, after), '- one\n- two\n- three\n\nend\n')
  const before: Item = { before_block: bid(0), new_string: '+ zero' }
  assert.is(result(list, before), '- zero\n- one\n- two\n\nend\n')
})

test('a paragraph that becomes an item joins the list beside it', () => {
  const edit = { old_string: 'end', new_string: '* three' }
  assert.is(result('- one\n- two\n\nend\n', edit), '- one\n- two\n\n- three\n')
  assert.is(result('end\n\n- one\n', { ...edit, new_string: '+ zero' }), '- zero\n\n- one\n')
})

test('two lists stay two: an edit in either, or over both, keeps their markers apart', () => {
  const two = '- a\n- b\n\n* c\n* d\n'
  assert.is(
    result(two, { old_string: '* c', new_string: '* C\n* D' }),
    '- a\n- b\n\n* C\n* D\n* d\n',
  )
  const both = { old_string: '+ b\n\n- c', new_string: '+ B\n\n- C' }
  assert.is(result(two, both), '- a\n- B\n\n* C\n* d\n')
  const apart = { old_string: '- b', new_string: '- b\n\n* x' }
  assert.is(result('- a\n- b\n', apart), '- a\n- b\n\n* x\n')
})

test('what looks like a marker in code, and a rule of stars, is written as given', () => {
  const code = '```\n- a\n- b\n```\n'
  const insert = { after: '- a', new_string: '\n* x' }
  assert.is(result(code, insert), '```\n- a\n* x\n- b\n```\n')
  const fenced = { after: '- b', new_string: '\n\n  ```\n  * x\n  ```' }
  assert.is(result('- a\n- b\n', fenced), '- a\n- b\n\n  ```\n  * x\n  ```\n')
  const rule = { old_string: 'x', new_string: 'x\n\n* * *' }
  assert.ok(/\n\* \* \*\n/.test(result('- a\n\nx\n\n- b\n', rule)))
})

const replaced = (markdown: string, oldString: string, newString: string) =>
  result(markdown, { old_string: oldString, new_string: newString })

test('in code the new text loses the escapes that the old one had too many', () => {
  const fence = (line: string) => `\`\`\`\n${line}\n\`\`\`\n`
  assert.is(
    replaced(fence('if (a < b)'), 'if (a &lt; b)', 'if (a &lt;= b &amp;&amp; c &gt; 1)'),
    fence('if (a <= b && c > 1)'),
  )
  assert.is(replaced(fence('x(/\\d+/)'), 'x(/\\\\d+/)', 'x(/\\\\w+/)'), fence('x(/\\w+/)'))
  const code = (line: string) => `use \`${line}\` here\n`
  assert.is(replaced(code('a < b'), '`a &lt; b`', '`a &lt;= c`'), code('a <= c'))
  assert.is(replaced(code('\\d+'), '`\\\\d+`', '`\\\\w+`'), code('\\w+'))
  const cell = '| `a < b` | x |\n| --- | --- |\n'
  assert.is(replaced(cell, 'a &lt; b', 'a &gt; b'), cell.replace('<', '>'))
  const insert = { after: 'a &lt; b', new_string: ' &amp;&amp; c' }
  assert.is(result(fence('a < b'), insert), fence('a < b && c'))
})

test('outside code escapes keep their meaning', () => {
  assert.is(replaced('x > y\n', 'x \\> y', 'x \\> z'), 'x > z\n')
  assert.is(replaced('a\\*b\\*c\n', 'a*b*c', 'a*b*d'), 'a\\*b\\*d\n')
  assert.is(replaced('a\\*b\\*c\n', 'a*b*c', 'x*b*y'), 'x\\*b\\*y\n')
  assert.is(replaced('a\\*b\n', 'a*b', 'a*b *new*'), 'a\\*b *new*\n')
  assert.is(replaced('vector\\<int\\> a\n', 'vector<int>', 'list<int>'), 'list\\<int\\> a\n')
  assert.is(replaced('a \\[x\\](y) b\n', '[x](y) b', '[x](y) c'), 'a \\[x\\](y) c\n')
})

test('text and code in one edit keep theirs; what may be either is refused', () => {
  const both = 'x \\*y\\* and `p < q` end\n'
  assert.is(
    replaced(both, 'x \\*y\\* and `p &lt; q`', 'x \\*z\\* and `p &lt;= q`'),
    'x \\*z\\* and `p <= q` end\n',
  )
  const edit = { old_string: 'and `p &lt; q` end', new_string: 'and `p &lt; q &gt; r` &gt; end' }
  assert.is(result(both, edit), 'x \\*y\\* and `p < q > r` &gt; end\n')
  const unclear = { old_string: '`p &lt; q` end', new_string: '`p &lt; &gt; end' }
  const { edits } = refused('EDIT_NOT_FOUND', both, unclear) as { edits: { reason?: string }[] }
  assert.is(edits[0]?.reason, 'escape')
})

test.run()
