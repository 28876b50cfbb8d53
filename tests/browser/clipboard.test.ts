/** Copy and paste: markdown and HTML out, and in from what other programs put on a clipboard. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { type Clip, Writer } from './writer.ts'

const stage = await Stage.open()
const made = await stage.document('start\n')
const writer = await Writer.open(stage, made)
await writer.selectAll()
await writer.printerIsThere()
test.after(() => stage.close())

/** What stands in the document after a paste over everything. */
async function pastes(clip: Clip, expected: string): Promise<void> {
  await writer.selectAll()
  await writer.page.keyboard.press('Backspace')
  await writer.page.keyboard.press('Control+Alt+0')
  await writer.saved('')
  await writer.paste(clip)
  assert.is(await writer.saved(expected), expected)
}

const everything = `# Head *with* marks

One **two** [three](https://example.com/a "t").

- a
- [x] b
  1. c

> quote

\`\`\`js
let a = 1
\`\`\`

| a | b |
| :-- | --: |
| c | d |

---

End.
`

test('markdown is pasted as what it says', () => pastes({ text: everything }, everything))

test('a copy of everything is its canonical markdown, and its HTML pastes the same', async () => {
  await pastes({ text: everything }, everything)
  await writer.selectAll()
  const clip = await writer.take('copy')
  assert.is(`${clip.text}\n`, everything)
  await pastes({ html: clip.html, text: 'not this' }, everything)
})

test('a part of a line is copied without its block', async () => {
  await pastes({ text: '# One two' }, '# One two\n')
  await writer.page.keyboard.press('Home')
  await writer.page.keyboard.press('Control+Shift+ArrowRight')
  assert.is((await writer.take('copy')).text, 'One')
})

test('Google Docs: normal weight is no bold, inner lists stand in items', () =>
  pastes(
    {
      html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1">
<h1 dir="ltr"><span style="font-weight:400">Title</span></h1>
<p dir="ltr"><span style="font-weight:400">Plain </span><span style="font-weight:700">bold</span><span style="font-style:italic"> it</span><span style="text-decoration:line-through"> gone</span></p>
<ul><li dir="ltr" aria-level="1"><p role="presentation"><span>one</span></p></li><ul><li dir="ltr" aria-level="2"><p role="presentation"><span>inner</span></p></li></ul><li><p>two</p></li></ul>
<ul><li role="checkbox" aria-checked="true"><img src="data:image/png;base64,x"><p>done</p></li></ul></b>`,
      text: 'x',
    },
    '# Title\n\nPlain **bold** *it* ~~gone~~\n\n- one\n  - inner\n- two\n\n* [x] done\n',
  ))

test('Word: paragraphs that say they are list items', () =>
  pastes(
    {
      html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body>
<p class=MsoTitle>Report<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>a)<span>&nbsp;</span></span>Inner<o:p></o:p></p>
<p class=MsoNormal>After <b>bold</b>
wrapped<o:p></o:p></p></body></html>`,
    },
    '# Report\n\n1. First\n   1. Inner\n\nAfter **bold** wrapped\n',
  ))

test('GitHub: tasks, highlighted code, tables', () =>
  pastes(
    {
      html: `<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked class="task-list-item-checkbox"> done</li><li class="task-list-item"><input type="checkbox"> open</li></ul>
<div class="highlight highlight-source-js"><pre><span class="pl-k">let</span> a
let b</pre></div>
<table><thead><tr><th align="center">h</th><th>i</th></tr></thead><tbody><tr><td align="center"><p>x</p></td><td>y</td></tr></tbody></table>`,
    },
    '- [x] done\n- [ ] open\n\n```js\nlet a\nlet b\n```\n\n| h | i |\n| :-: | --- |\n| x | y |\n',
  ))

test('Notion: tasks in brackets', () =>
  pastes({ html: '<ul><li>[ ] open</li><li>[x] done</li></ul>' }, '- [ ] open\n- [x] done\n'))

test('a spreadsheet becomes a table, its spanning cells too', () =>
  pastes(
    {
      html: `<google-sheets-html-origin><style>td{}</style><table><colgroup><col></colgroup><tbody>
<tr><td colspan="2" style="text-align:right">a</td></tr><tr><td rowspan="2">b</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>`,
      text: 'a\t\nb\t1\n\t2',
    },
    '| a | |\n| --: | --- |\n| b | 1 |\n| | 2 |\n',
  ))

test('tab- and comma-separated text becomes a table', async () => {
  await pastes({ text: 'a\tb\n1\t2\n' }, '| a | b |\n| --- | --- |\n| 1 | 2 |\n')
  await pastes(
    { text: 'name,count,note\nx,1,"a, b"\n' },
    '| name | count | note |\n| --- | --- | --- |\n| x | 1 | a, b |\n',
  )
})

test('prose with commas stays prose', () =>
  pastes({ text: 'First, this.\nThen, that.' }, 'First, this.\nThen, that.\n'))

test('arithmetic in a line of text is text, also beside markdown', async () => {
  await pastes({ text: '2*3*4 = 24' }, '2\\*3\\*4 = 24\n')
  await pastes({ text: '2**3**4 and 1~~2~~3' }, '2\\*\\*3\\*\\*4 and 1\\~\\~2\\~\\~3\n')
  await pastes(
    { text: 'So **2*3*4**: `a*b*c`, **bo**ld and (*x*)' },
    'So **2\\*3\\*4**: `a*b*c`, **bo**ld and (*x*)\n',
  )
})

test('code takes what is pasted to the letter', async () => {
  await pastes({ text: '```\nx\n```' }, '```\nx\n```\n')
  await writer.caretAfter('x')
  await writer.paste({ text: '\n# not a heading\n<b>**', html: '<h1>no</h1>' })
  const expected = '```\nx\n# not a heading\n<b>**\n```\n'
  assert.is(await writer.saved(expected), expected)
})

test('addresses of unsafe schemes leave their words', () =>
  pastes(
    {
      html: '<p><a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href="/c">c</a></p>',
    },
    'a b [c](/c)\n',
  ))

test('a linked image keeps its link as its own', () =>
  pastes(
    { html: '<p>x <a href="https://example.com/"><img src="/icon.svg" alt="A"></a></p>' },
    'x [![A](/icon.svg)](https://example.com/)\n',
  ))

test('what is copied is credited to who pastes, and undo takes it back in one step', async () => {
  const words = 'Words that an agent wrote, quite many of them.'
  const doc = await stage.document(`${words}\n\nEnd.\n`)
  const ann = await Writer.open(stage, doc)
  await ann.caretAfter('Words that')
  await ann.page.keyboard.press('Home')
  await ann.page.keyboard.press('Shift+End')
  const copied = await ann.take('copy')
  assert.is(copied.text, words)
  await ann.page.keyboard.press('Control+End')
  await ann.paste(copied)
  const expected = `${words}\n\nEnd.${words}\n`
  assert.is(await ann.saved(expected), expected)
  const pasted = ann.page.locator('.text p').nth(1).locator('[data-by^="human"]')
  await pasted.getByText(words).waitFor()
  await ann.page.keyboard.press('Control+z')
  assert.is(await ann.saved(`${words}\n\nEnd.\n`), `${words}\n\nEnd.\n`)
  await ann.page.keyboard.press('Control+Shift+z')
  assert.is(await ann.saved(expected), expected)
  await pasted.getByText(words).waitFor()
})

test('a line that is cut and pasted keeps its author', async () => {
  const words = 'Words that an agent wrote, quite many of them.'
  const doc = await stage.document(`${words}\n\nEnd.\n`)
  const ann = await Writer.open(stage, doc)
  await ann.clickInto(ann.page.locator('.text p').first())
  await ann.page.keyboard.press('Home')
  await ann.page.keyboard.press('Shift+ArrowDown')
  await ann.page.keyboard.press('Shift+Home')
  const clip = await ann.take('cut')
  assert.is(await ann.saved('End.\n'), 'End.\n')
  await ann.page.keyboard.press('Control+End')
  await ann.page.keyboard.press('Enter')
  await ann.paste(clip)
  await ann.page.locator('.text p').nth(1).getByText(words).waitFor()
  await ann.page.locator('.text p [data-by^="ai"]').getByText(words).waitFor()
})

test('Mod-Shift-v pastes the words alone', async () => {
  const made = await stage.document('Here:\n')
  const writer = await Writer.open(stage, made)
  await writer.caretAfter('Here:')
  await writer.page.keyboard.down('Shift')
  await writer.paste({
    html: '<p> <b>bold</b> <a href="https://a.example">go</a></p>',
    text: ' bold go',
  })
  await writer.page.keyboard.up('Shift')
  assert.is(await writer.saved('Here: bold go\n'), 'Here: bold go\n')
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
