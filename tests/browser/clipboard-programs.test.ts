/** What word processors and spreadsheets copy beside the words: gaps and alignment. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { Writer } from './writer.ts'

const stage = await Stage.open()
const writer = await Writer.open(stage, await stage.document('start\n'))
test.after(() => stage.close())

/** What stands in the document after a paste over everything. */
async function pastes(html: string, expected: string): Promise<void> {
  await writer.selectAll()
  await writer.page.keyboard.press('Backspace')
  await writer.page.keyboard.press('Control+Alt+0')
  await writer.saved('')
  await writer.paste({ html, text: 'not this' })
  assert.is(await writer.saved(expected), expected)
}

const office = '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body>'

test('Word and Outlook: an empty paragraph is a gap, and gaps are the page’s', async () => {
  const gap = '<p class=MsoNormal><o:p>&nbsp;</o:p></p>'
  await pastes(
    `${office}<!--StartFragment-->${gap}<p class=MsoNormal>One<o:p></o:p></p>${gap}${gap}
<p class=MsoNormal><span lang=DE>Two<o:p></o:p></span></p>${gap}<!--EndFragment--></body></html>`,
    'One\n\nTwo\n',
  )
  await pastes(
    '<div class="elementToProof">One</div><div class="elementToProof"><br></div><div>Two</div>',
    'One\n\nTwo\n',
  )
  await pastes(
    '<h2>&nbsp;</h2><p>One</p><blockquote><p>&nbsp;</p></blockquote><p>Two</p>',
    'One\n\nTwo\n',
  )
})

test('Google Docs: breaks between paragraphs are gaps', () =>
  pastes(
    `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span>One</span></p><br /><p dir="ltr"><span>Two</span><br><span>three</span></p><br></b><br class="Apple-interchange-newline">`,
    'One\n\nTwo\\\nthree\n',
  ))

test('Pages and LibreOffice: empty paragraphs, breaks at the end, converted blanks', async () => {
  await pastes(
    `<style type="text/css">p.p1 {margin: 0.0px}</style><p class="p1">One<span class="Apple-converted-space">&nbsp;</span></p>
<p class="p2"><br></p>
<p class="p1">Two <b>three</b><span class="Apple-converted-space">&nbsp;</span>four</p>`,
    'One\n\nTwo **three** four\n',
  )
  await pastes(
    '<p style="line-height: 100%">One<br/>\n</p>\n<p><br/>\n<br/>\n</p>\n<p>Two</p>',
    'One\n\nTwo\n',
  )
})

test('no-break spaces that are layout are blanks; between words they are meant', async () => {
  await pastes(
    '<p>&nbsp;&nbsp;One.&nbsp; Two&nbsp;&nbsp;three <b>four&nbsp;</b>five&nbsp;<i>six</i>&nbsp; </p>',
    'One. Two three **four** five *six*\n',
  )
  await pastes(
    '<p>10&nbsp;km, <b>Note</b>&nbsp;: «&nbsp;oui&nbsp;»&nbsp;!</p>',
    '10\u00a0km, **Note**\u00a0: «\u00a0oui\u00a0»\u00a0!\n',
  )
  await pastes('<pre>a\n  b</pre><p><code>x  y</code></p>', '```\na\n  b\n```\n\n`x y`\n')
  await pastes(
    '<table><tr><td>a</td><td>&nbsp;</td></tr><tr><td>&nbsp;b&nbsp;</td><td><p>&nbsp;</p></td></tr></table>',
    '| a | |\n| --- | --- |\n| b | |\n',
  )
  await pastes('<ul><li>&nbsp;one&nbsp;</li><li><p>&nbsp;</p></li></ul>', '- one\n-\n')
})

const excel = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>
<!--table {mso-displayed-decimal-separator:"\\.";}
td {padding:0px; text-align:general; vertical-align:bottom;}
.xl65 {mso-number-format:Standard; text-align:right;}
.xl66, td.xl67
	{mso-style-parent:style0;
	text-align:center;}
--></style></head><body><table border=0 style='border-collapse:collapse'><!--StartFragment-->`

test('Excel: columns keep the alignment of their cells, whatever the header has', async () => {
  await pastes(
    `${excel}<col width=64><tr><td>Item</td><td>Count</td><td class=xl66>Kind</td><td align=right>Sum</td></tr>
<tr><td>a</td><td class=xl65 x:num>1</td><td class=xl67>x</td><td>one</td></tr>
<tr><td>b</td><td align=right>2</td><td class=xl66>y</td><td align=right>2</td></tr>
<tr><td>c</td><td></td><td class=xl66>z</td><td align=right>3</td></tr><!--EndFragment--></table></body></html>`,
    '| Item | Count | Kind | Sum |\n| --- | --: | :-: | --- |\n| a | 1 | x | one |\n| b | 2 | y | 2 |\n| c | | z | 3 |\n',
  )
  await pastes(
    `${excel}<tr><td>a</td><td>b</td></tr><tr><td x:num>1</td><td x:num>2</td></tr></table></body></html>`,
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  )
})

test('Google Sheets and LibreOffice Calc: alignment by style, by attribute, by row', async () => {
  await pastes(
    `<google-sheets-html-origin><table><tbody><tr><td style="text-align:center">a</td><td>b</td></tr><tr><td style="overflow:hidden;">x</td><td style="padding:2px;text-align:right;">1</td></tr><tr><td>y</td><td style="text-align:right;">2</td></tr></tbody></table>`,
    '| a | b |\n| :-: | --: |\n| x | 1 |\n| y | 2 |\n',
  )
  await pastes(
    `<table cellspacing="0"><tr><td height="17" align="left">a</td><td align="left">b</td></tr><tr><td align="left">x</td><td align="right" sdval="1" sdnum="1031;">1</td></tr></table>`,
    '| a | b |\n| :-- | --: |\n| x | 1 |\n',
  )
  await pastes(
    '<table><tr><td>a</td><td>b</td></tr><tr><td><p align=right>1</p></td><td><div style="text-align:end">2</div></td></tr></table>',
    '| a | b |\n| --: | --: |\n| 1 | 2 |\n',
  )
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
