/** Code that is copied from editors, terminals and pages is code, byte for byte. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { type Clip, Writer } from './writer.ts'

const stage = await Stage.open()
const writer = await Writer.open(stage, await stage.document('start\n'))
// Parser and printer come with the first selection.
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

/** The same with the caret behind the first word of a paragraph of two. */
async function pastesAmongWords(clip: Clip, expected: string): Promise<void> {
  await pastes({ text: 'before after' }, 'before after\n')
  await writer.page.keyboard.press('Home')
  for (let step = 0; step < 'before '.length; step++) {
    await writer.page.keyboard.press('ArrowRight')
  }
  await writer.paste(clip)
  assert.is(await writer.saved(expected), expected)
}

const look =
  'color: #cccccc;background-color: #1f1f1f;' +
  "font-family: Menlo, Monaco, 'Courier New', monospace;font-weight: normal;font-size: 12px;" +
  'line-height: 18px;white-space: pre;'

/** As VS Code copies: a `div` a line, a break for an empty one, tabs as blanks. */
function ofEditor(text: string, mode?: string): Clip {
  const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lines = text
    .split('\n')
    .map((line) => {
      if (line === '') return '<br>'
      const blanks = line.replaceAll('\t', '    ')
      return `<div><span style="color: #569cd6;">${escaped(blanks)}</span></div>`
    })
    .join('')
  const data = { version: 1, isFromEmptySelection: false, multicursorText: null, mode }
  return {
    html: `<meta charset='utf-8'><div style="${look}">${lines}</div>`,
    text,
    ...(mode === undefined ? {} : { types: { 'vscode-editor-data': JSON.stringify(data) } }),
  }
}

const code = 'function add(a, b) {\n\tif (a < b) {\n\n    return `a`\n\t}\n  // # **no** heading\n}'
const block = (language: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

test('code of VS Code becomes a code block in its language', async () => {
  await pastes(ofEditor(code, 'typescript'), block('typescript'))
  await pastes(ofEditor(`${code}\n`, 'typescriptreact'), block('tsx'))
  await pastes(ofEditor(code.replaceAll('\n', '\r\n'), 'shellscript'), block('bash'))
})

test('of a language without a name, or without the editor’s own data, it is code still', async () => {
  await pastes(ofEditor(code, 'code-text-binary'), block(''))
  await pastes({ ...ofEditor(code), types: { 'vscode-editor-data': '{' } }, block(''))
  await pastes(ofEditor(code), block(''))
})

test('without the text its HTML is enough', () => {
  const { html = '' } = ofEditor(code.replaceAll('\t', '    '))
  const expected = block('').replaceAll('\t', '    ')
  return pastes({ html: html.replaceAll('    ', ' &nbsp; &nbsp;') }, expected)
})

test('markdown and plain text of VS Code are read as their text says', async () => {
  await pastes(ofEditor('# One\n\n- two\n- *three*', 'markdown'), '# One\n\n- two\n- *three*\n')
  await pastes(ofEditor('One, two.\n\nThree.', 'plaintext'), 'One, two.\n\nThree.\n')
})

test('a single line among words is inline code; several part the paragraph', async () => {
  await pastesAmongWords(ofEditor('  a < b*c*d', 'typescript'), 'before `a < b*c*d`after\n')
  await pastesAmongWords(ofEditor('x_y'), 'before `x_y`after\n')
  await pastesAmongWords(
    ofEditor('one\n  two', 'python'),
    'before\n\n```python\none\n  two\n```\n\nafter\n',
  )
})

test('it stands in its item, in its cell, and in code to the letter', async () => {
  await pastes({ text: '- one' }, '- one\n')
  await writer.page.keyboard.press('Control+End')
  await writer.paste(ofEditor('a\n  b', 'go'))
  assert.is(
    await writer.saved('- one\n  ```go\n  a\n    b\n  ```\n'),
    '- one\n  ```go\n  a\n    b\n  ```\n',
  )
  await pastes({ text: '| a |\n| --- |\n| x |' }, '| a |\n| --- |\n| x |\n')
  await writer.caretAfter('x')
  await writer.paste(ofEditor('\n  b', 'go'))
  const cell = '| a |\n| --- |\n| x<br />`  b` |\n'
  assert.is(await writer.saved(cell), cell)
  await pastes({ text: '```\nx\n```' }, '```\nx\n```\n')
  await writer.caretAfter('x')
  await writer.paste(ofEditor('\n\n  # b\n', 'python'))
  assert.is(await writer.saved('```\nx\n\n  # b\n\n```\n'), '```\nx\n\n  # b\n\n```\n')
})

test('what is pasted is one undo step, and the caret stands behind it', async () => {
  await pastesAmongWords(
    ofEditor('one\ntwo', 'python'),
    'before\n\n```python\none\ntwo\n```\n\nafter\n',
  )
  await writer.page.keyboard.type('!')
  const typed = 'before\n\n```python\none\ntwo!\n```\n\nafter\n'
  assert.is(await writer.saved(typed), typed)
  await writer.page.keyboard.press('Control+z')
  await writer.page.keyboard.press('Control+z')
  assert.is(await writer.saved('before after\n'), 'before after\n')
})

test('JetBrains: a pre in a monospaced face, breaks for line ends', async () => {
  const html =
    '<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body>' +
    '<pre style="background-color:#2b2b2b;color:#a9b7c6;' +
    "font-family:'JetBrains Mono',monospace;font-size:9,8pt;\">" +
    '<span style="color:#cc7832;">def </span>f():<br><br>' +
    '&#32;&#32;&#32;&#32;<span style="color:#808080;"># <i>none</i></span><br>' +
    '&#32;&#32;&#32;&#32;<span style="color:#cc7832;">pass<br></span></pre></body></html>'
  const text = 'def f():\n\n    # none\n    pass\n'
  await pastes({ html, text }, '```\ndef f():\n\n    # none\n    pass\n```\n')
  await pastes({ html }, '```\ndef f():\n\n    # none\n    pass\n```\n')
  const word =
    '<html><body><pre style="font-family:\'JetBrains Mono\',monospace">size</pre></body></html>'
  await pastesAmongWords({ html: word, text: 'size' }, 'before `size`after\n')
})

test('GitHub: the lines of a file are the cells of a table, or a div each', async () => {
  const line = (n: number, words: string) =>
    `<tr><td id="L${n}" class="blob-num js-line-number" data-line-number="${n}"></td>` +
    `<td id="LC${n}" class="blob-code blob-code-inner js-file-line">${words}</td></tr>`
  const rows = [line(1, '<span class="pl-k">if</span> a:'), line(2, ''), line(3, '    b')]
  const table = `<table class="highlight tab-size"><tbody>${rows.join('\n')}</tbody></table>`
  await pastes({ html: table, text: '\tif a:\n\t\n\t    b' }, '```\nif a:\n\n    b\n```\n')
  const div = (n: number, words: string) =>
    `<div id="LC${n}" class="react-code-text react-code-line-contents-no-virtualization react-file-line html-div">${words}</div>`
  const divs = [div(1, 'if a:'), div(2, '\n'), div(3, '    b')]
  await pastes({ html: divs.join(''), text: 'if a:\n\n    b' }, '```\nif a:\n\n    b\n```\n')
})

test('a terminal: what it printed is text in columns', async () => {
  const html =
    '<!DOCTYPE><HTML><HEAD></HEAD><BODY><DIV STYLE="display:inline-block;white-space:pre;' +
    "background-color:#0C0C0C;font-family:'Cascadia Mono';font-size:12pt;padding:4px\">" +
    '<SPAN STYLE="color:#CCCCCC">total 2<BR>- rw   1 a<BR><BR>- r     x</SPAN></DIV></BODY></HTML>'
  const expected = '```\ntotal 2\n- rw   1 a\n\n- r     x\n```\n'
  await pastes({ html, text: 'total 2\r\n- rw   1 a\r\n\r\n- r     x' }, expected)
})

test('of a bare text, as GitHub’s view of a file gives it, the lines tell', async () => {
  await pastes({ text: code }, block(''))
  const python = '# Adds.\ndef add(a, b):\n\n    total = a + b\n\treturn total\n'
  await pastes({ text: python }, `\`\`\`\n${python}\`\`\`\n`)
  const json = '{\n  "a": [\n    1\n  ],\n  "b": {\n  }\n}'
  await pastes({ text: json }, `\`\`\`\n${json}\n\`\`\`\n`)
})

test('verses, lists and addresses are no code', async () => {
  const verses =
    'For oft, when on my couch I lie;\n  In vacant mood,\n  if ever so (and then):\nI dance.'
  await pastes({ text: verses }, `${verses.replaceAll('\n  ', '\n')}\n`)
  await pastes({ text: '- a:\n  - b(c);\n  - d;' }, '- a:\n  - b(c);\n  - d;\n')
  await pastes({ text: 'Ann\n  Main Street 1\n  12345 Town' }, 'Ann\nMain Street 1\n12345 Town\n')
})

test('code among other things of a page stays a block there', () =>
  pastes(
    {
      html: `<p>So:</p><pre style="white-space: pre">a\n\n    b\n</pre><div style="${look}"><div>c</div><br><div>  d</div></div><p>End <code>x</code></p>`,
      text: 'x',
    },
    'So:\n\n```\na\n\n    b\n```\n\n```\nc\n\n  d\n```\n\nEnd `x`\n',
  ))

test('what is pasted before its reader has come waits for it', async () => {
  await writer.page.addInitScript('window.requestIdleCallback = () => 0')
  const clips: [Clip, string][] = [
    [ofEditor('a\n  b', 'go'), '```go\na\n  b\n```\n'],
    [{ html: '<p>a</p><p>&nbsp;</p><p><b>b</b></p>', text: 'no' }, 'a\n\n**b**\n'],
    [{ text: '# a\n\n- b' }, '# a\n\n- b\n'],
    [{ text: 'a,b\n1,2\n3,4' }, '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n'],
  ]
  for (const [clip, expected] of clips) {
    await writer.page.reload()
    await writer.page.locator('.text[contenteditable="true"] [data-id]').first().waitFor()
    await pastes(clip, expected)
  }
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
