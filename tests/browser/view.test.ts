/** What a reader sees of each part of the dialect, and what hands do to it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { Writer } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const open = async (markdown: string) => Writer.open(stage, await stage.document(markdown))

test('the bar shows the first line as the title', async () => {
  const { page } = await open('---\na: b\n---\n\n# The *plan*\n\nText.\n')
  await page.locator('.bar-title').getByText('The plan', { exact: true }).waitFor()
})

test('a task is ticked by mouse and by key, and unticked by undo', async () => {
  const writer = await open('- [ ] one\n- [x] two\n')
  const box = writer.page.getByRole('checkbox', { name: 'one' })
  await box.click()
  assert.is(await writer.saved('- [x] one\n- [x] two\n'), '- [x] one\n- [x] two\n')
  assert.ok(await box.isChecked())
  await writer.page.getByRole('checkbox', { name: 'two' }).focus()
  await writer.page.keyboard.press('Space')
  assert.is(await writer.saved('- [x] one\n- [ ] two\n'), '- [x] one\n- [ ] two\n')
})

test('a viewer’s boxes and text stay as they are', async () => {
  const made = await stage.document('- [ ] one\n')
  const owner = await Writer.open(stage, made)
  await owner.page.getByText('You now own this document').waitFor()
  const changed = await owner.page.request.patch(`/docs/${made.slug}/link-access`, {
    data: { mode: 'anyone', role: 'viewer' },
    headers: { Origin: stage.origin },
  })
  assert.is(changed.status(), 200)
  const headers = { Origin: stage.origin }
  const link = await owner.page.request.post(`/docs/${made.slug}/share-link`, { headers })
  const page = await stage.person()
  await page.goto(((await link.json()) as { url: string }).url)
  await page.locator('.text [data-checked]').waitFor()
  await page.locator('.state-line').getByText('View only').waitFor()
  await page.locator('.item-box input').click({ force: true })
  await page.locator('.text p').click()
  await page.keyboard.type('x')
  assert.is(await page.locator('.text').getAttribute('contenteditable'), 'false')
  assert.is(await page.locator('.text').innerText(), 'one')
  assert.is(await stage.markdown(made), '- [ ] one\n')
})

test('an empty document says how to begin, an empty heading its level', async () => {
  const { page } = await open('')
  await page.locator('[data-placeholder="Write, or type / for commands"]').waitFor()
  await page.locator('.text').click()
  await page.keyboard.type('## ')
  const said = await page
    .locator('.text h2')
    .evaluate((heading) => getComputedStyle(heading, '::before').content)
  assert.is(said, '"Heading 2"')
  assert.is(await page.locator('[data-placeholder]').count(), 0)
})

test('right-to-left is told per block, list markers too', async () => {
  const { page } = await open('Left.\n\nשלום עולם.\n\n- פריט ראשון\n\n> ציטוט\n')
  const direction = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction)
  assert.is(await direction('.text > p:nth-child(1)'), 'ltr')
  assert.is(await direction('.text > p:nth-child(2)'), 'rtl')
  assert.is(await direction('.text li'), 'rtl')
  assert.is(await direction('.text blockquote'), 'rtl')
})

test('images from elsewhere load after the reader said so, once for a document', async () => {
  const writer = await open('![Chart](https://elsewhere.test/a.png) ![own](/docs/x/images/own)\n')
  const { page } = writer
  const asked: (string | undefined)[] = []
  await page.context().route('https://elsewhere.test/**', async (route) => {
    asked.push((await route.request().allHeaders())['referer'])
    await route.fulfill({ path: 'web/public/icon.svg' })
  })
  await page
    .context()
    .route('**/docs/x/images/own', (route) => route.fulfill({ path: 'web/public/icon.svg' }))
  await page.reload()
  await page.locator('.card').getByText('elsewhere.test').waitFor()
  await page.locator('.text .image img').waitFor()
  assert.is(await page.locator('.text .image img').count(), 1)
  assert.equal(asked, [])
  await page.getByRole('button', { name: 'Load external images' }).click()
  await page.locator('.text img[alt="Chart"]').waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.image img')].every((img) => img.naturalWidth),
  )
  assert.equal(asked, [undefined])
  await page.reload()
  await page.locator('.text img[alt="Chart"]').waitFor()
})

test('an image that is none says so', async () => {
  const { page } = await open('![Lost](/docs/x/images/nothing-here)\n')
  await page.locator('.card').getByText('Could not load an image from').waitFor()
  stage.complaints.splice(0, stage.complaints.length)
})

test('code is coloured once its grammar is there, and again where it changes', async () => {
  const writer = await open('```js\nlet a = 1\n```\n\n```\nlet b\n```\n')
  const { page } = writer
  await page.locator('.hljs-keyword').getByText('let').waitFor()
  assert.is(await page.locator('.hljs-keyword').count(), 1)
  await writer.caretAfter('let a')
  await page.keyboard.type('; const b = "x"')
  await page.locator('.hljs-keyword').getByText('const').waitFor()
  assert.is(await page.locator('.hljs-string').innerText(), '"x"')
})

test('front matter is a quiet panel that opens', async () => {
  const writer = await open('---\ntitle: x\n---\n\nText.\n')
  const { page } = writer
  const toggle = page.getByRole('button', { name: 'Front matter: title' })
  assert.is(await page.locator('.front-matter pre').isVisible(), false)
  await toggle.click()
  await page.locator('.front-matter code').click()
  await page.keyboard.press('End')
  await page.keyboard.type('yz')
  const expected = '---\ntitle: xyz\n---\n\nText.\n'
  assert.is(await writer.saved(expected), expected)
})

test('HTML is shown as its source and an artifact as a card', async () => {
  const { page } = await open(
    '<div onclick="x">raw</div>\n\na <kbd>b</kbd>\n\n```artifact\n/docs/a/artifacts/b\n```\n',
  )
  await page.locator('pre.html-source').getByText('<div onclick="x">raw</div>').waitFor()
  assert.is(await page.locator('code.html-source').first().innerText(), '<kbd>')
  await page.locator('.artifact').getByText('This artifact was deleted.').waitFor()
  assert.is(await page.locator('.text iframe, .text kbd').count(), 0)
  const said = stage.complaints.splice(0, stage.complaints.length)
  assert.equal(
    said.filter((words) => !/status of 404/.test(words)),
    [],
  )
})

test('a click in a link places the caret, with Mod it opens a tab that knows nothing', async () => {
  const { page } = await open('A [link](/llms.txt) here.\n')
  const link = page.locator('.text a')
  await link.click()
  assert.is(page.context().pages().length, 1)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    link.click({ modifiers: ['ControlOrMeta'] }),
  ])
  assert.match(opened.url(), /\/llms\.txt$/)
  assert.is(await opened.evaluate(() => window.opener), null)
})

test('Tab goes through the cells and makes a row at the end', async () => {
  const writer = await open('| a | b |\n| --- | --: |\n| c | d |\n')
  await writer.clickInto(writer.page.locator('.text td').first())
  await writer.page.keyboard.press('Tab')
  await writer.page.keyboard.type('1')
  await writer.page.keyboard.press('Tab')
  await writer.page.keyboard.type('2')
  const expected = '| a | b |\n| --- | --: |\n| c | 1 |\n| 2 | |\n'
  assert.is(await writer.saved(expected), expected)
})

test('Enter goes to the cell below, and from an empty last row out of the table', async () => {
  const writer = await open('| a | b |\n| --- | --- |\n| c | d |\n')
  await writer.clickInto(writer.page.locator('.text th').first())
  await writer.page.keyboard.press('Enter')
  await writer.page.keyboard.press('End')
  await writer.page.keyboard.type('1')
  await writer.page.keyboard.press('Enter')
  await writer.page.keyboard.press('Enter')
  await writer.page.keyboard.type('After.')
  const expected = '| a | b |\n| --- | --- |\n| c1 | d |\n\nAfter.\n'
  assert.is(await writer.saved(expected), expected)
})

test('Shift with an arrow selects cells from the edge of one on, and goes on by cells', async () => {
  const writer = await open('| a | b |\n| --- | --- |\n| cc | d |\n| e | f |\n')
  const { keyboard } = writer.page
  const selected = () => writer.page.locator('.text .selectedCell').allTextContents()
  await writer.clickInto(writer.page.locator('.text td').first())
  for (const key of ['Home', 'Shift+ArrowRight']) {
    await keyboard.press(key)
    await writer.page.waitForTimeout(60)
  }
  assert.equal(await selected(), [], 'within a cell, characters')
  await keyboard.press('Shift+ArrowRight')
  await writer.page.waitForTimeout(60)
  await keyboard.press('Shift+ArrowRight')
  assert.equal(await selected(), ['cc', 'd'])
  await keyboard.press('Shift+ArrowDown')
  assert.equal(await selected(), ['cc', 'd', 'e', 'f'])
  await keyboard.press('Shift+ArrowDown')
  assert.equal(await selected(), ['cc', 'd', 'e', 'f'], 'there are no more')
  await keyboard.press('Shift+ArrowUp')
  await keyboard.press('Control+b')
  const bold = '| a | b |\n| --- | --- |\n| **cc** | **d** |\n| e | f |\n'
  assert.is(await writer.saved(bold), bold)
  await keyboard.press('Backspace')
  const empty = '| a | b |\n| --- | --- |\n| | |\n| e | f |\n'
  assert.is(await writer.saved(empty), empty)
  await keyboard.press('Control+z')
  assert.is(await writer.saved(bold), bold)
})

test('Shift with an arrow goes down by the lines of a cell before it goes on by cells', async () => {
  const writer = await open('| a | b |\n| --- | --- |\n| one<br />two | d |\n| e | f |\n')
  const selected = () => writer.page.locator('.text .selectedCell').allTextContents()
  const press = async (key: string) => {
    await writer.page.keyboard.press(key)
    await writer.page.waitForTimeout(60)
  }
  await writer.clickInto(writer.page.locator('.text th').first())
  await press('Enter')
  await press('Shift+ArrowDown')
  assert.equal(await selected(), [], 'to the line below')
  await press('Shift+ArrowDown')
  assert.equal(await selected(), ['onetwo', 'e'])
})

test('Shift-Enter breaks the line in a cell and in a heading', async () => {
  const writer = await open('# Title\n\n| a | b |\n| --- | --- |\n| c | d |\n')
  for (const [words, below] of [
    ['Title', 'below'],
    ['c', 'd2'],
  ] as const) {
    await writer.caretAfter(words)
    await writer.page.waitForTimeout(60)
    await writer.page.keyboard.press('Shift+Enter')
    await writer.page.keyboard.type(below)
  }
  const expected = '# Title<br />below\n\n| a | b |\n| --- | --- |\n| c<br />d2 | d |\n'
  assert.is(await writer.saved(expected), expected)
})

test('cells pasted into a table fill it and let it grow', async () => {
  const writer = await open('| a | b |\n| --- | --- |\n| c | d |\n')
  await writer.caretAfter('d')
  await writer.paste({ text: '1\t2\n3\t4' })
  const expected = '| a | b | |\n| --- | --- | --- |\n| c | 1 | 2 |\n| | 3 | 4 |\n'
  assert.is(await writer.saved(expected), expected)
})

test('paragraphs pasted into a cell become lines of it', async () => {
  const writer = await open('| a | b |\n| --- | --- |\n| c | d |\n')
  await writer.caretAfter('d')
  await writer.paste({ html: '<h1>1</h1><ul><li>2</li><li><b>3</b></li></ul>' })
  const expected = '| a | b |\n| --- | --- |\n| c | d1<br />2<br />**3** |\n'
  assert.is(await writer.saved(expected), expected)
})

test('two open pages on a lame table do not feed each other', async () => {
  const made = await stage.document('| a | b |\n| --- | --- |\n| c | d |\n')
  const ann = await Writer.open(stage, made)
  const ben = await Writer.open(stage, made, 'Ben')
  await ann.caretAfter('c')
  await ann.page.keyboard.type('1')
  await ben.page.locator('td').getByText('c1').waitFor()
  const revision = async () =>
    (await stage.call('GET', `/docs/${made.slug}`, { token: made.token }))['revision']
  const before = await revision()
  await new Promise((resolve) => setTimeout(resolve, 400))
  assert.is(await revision(), before)
})

test('no key that moves the caret is lost while others write', async () => {
  const made = await stage.document(`${'abcdefghij'.repeat(12)}\n\nFar.\n`)
  const ann = await Writer.open(stage, made)
  const ben = await Writer.open(stage, made, 'Ben')
  await ann.clickInto(ann.page.locator('.text p').first())
  await ann.page.keyboard.press('Control+Home')
  await ben.caretAfter('Far.')
  const typing = ben.page.keyboard.type('typed by somebody else '.repeat(4))
  for (let press = 0; press < 60; press++) await ann.page.keyboard.press('ArrowRight')
  await typing
  await ann.page.waitForTimeout(60)
  await ann.page.keyboard.type('X')
  const text = 'abcdefghij'.repeat(12)
  const expected = `${text.slice(0, 60)}X${text.slice(60)}\n\nFar.${'typed by somebody else '.repeat(4).trimEnd()}\n`
  assert.is(await ann.saved(expected), expected)
})

test('a key acts where the caret is, before the editor was told of it', async () => {
  const writer = await open('One two.\n')
  await writer.caretAfter('One two.')
  await writer.page.evaluate(() => {
    const words = document.querySelector('.text p [data-by]')?.firstChild
    if (!words) throw new Error('there are no words')
    document.getSelection()?.collapse(words, 4)
    const enter = { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }
    words.parentElement?.dispatchEvent(new KeyboardEvent('keydown', enter))
  })
  assert.is(await writer.saved('One\n\ntwo.\n'), 'One\n\ntwo.\n')
})

test('a remote edit above the viewport moves nothing', async () => {
  const made = await stage.document(
    Array.from({ length: 80 }, (_, index) => `Paragraph number ${index}.\n`).join('\n'),
  )
  const { page } = await Writer.open(stage, made)
  await page.locator('.text').getByText('number 60.').scrollIntoViewIfNeeded()
  const top = () =>
    page
      .locator('.text')
      .getByText('number 60.')
      .evaluate((p) => p.getBoundingClientRect().top)
  const before = await top()
  const read = await stage.call('GET', `/docs/${made.slug}`, { token: made.token })
  await stage.call('PATCH', `/docs/${made.slug}`, {
    token: made.token,
    body: {
      base_revision: read['revision'],
      edits: [{ old_string: 'number 3.', new_string: 'number 3.\n\nNew one.\n\nNew two.' }],
    },
  })
  await page.locator('.text').getByText('New two.').waitFor({ state: 'attached' })
  await page.evaluate(() => new Promise(requestAnimationFrame))
  assert.ok(Math.abs((await top()) - before) < 2, `moved by ${(await top()) - before}`)
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
