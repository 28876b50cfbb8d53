/** The menus over the text in a real browser: slash menu, toolbar, links; and a reader’s page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ToolsPage } from './tools-page.ts'

let at: ToolsPage

test.before(async () => {
  at = await ToolsPage.open()
})
test.after(async () => {
  await at.close()
})

const option = (name: string) => at.page.getByRole('option', { name, exact: true })
const list = () => at.page.getByRole('listbox', { name: 'Blocks' })
/** Enter would take this one. */
const chosen = (index: number) =>
  at.page.waitForSelector(`.text[aria-activedescendant="slash-option-${index}"]`)

test('the slash menu filters by words and aliases, and leaves no trace', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('/')
  await list().waitFor()
  await chosen(0)
  await at.type('todo')
  await list().getByRole('option').nth(1).waitFor({ state: 'detached' })
  assert.equal(await list().getByRole('option').allTextContents(), ['Task list[]'])
  await at.press('Enter')
  await list().waitFor({ state: 'detached' })
  await at.type('buy milk')
  await at.reads('start\n\n- [ ] buy milk')
  assert.is(await at.text.getAttribute('aria-activedescendant'), null)
})

test('the slash menu goes by arrows, click and Escape; behind a word it stays shut', async () => {
  await at.write('start')
  await at.type(' /')
  await list().waitFor()
  await at.press('ArrowDown', 'ArrowDown')
  await chosen(2)
  await at.press('Escape')
  await list().waitFor({ state: 'detached' })
  await at.type('x a/b')
  assert.is(await list().count(), 0)
  await at.press('Enter')
  await at.type('/head')
  await option('Heading 2').click()
  await at.type('Two')
  await at.reads('start /x a/b\n\n## Two')
})

test('the slash menu closes on a space after no match, and is undone in one step', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('/nothing')
  await at.page.getByText('No matching blocks').waitFor()
  await at.type(' ')
  await list().waitFor({ state: 'detached' })
  await at.press('Enter')
  await at.type('/table')
  await at.page.waitForTimeout(600)
  await at.press('Enter')
  await at.page.locator('.text table').waitFor()
  await at.press('Control+z')
  await at.page.locator('.text table').waitFor({ state: 'detached' })
  await at.reads('start\n\n/nothing\n\n/table')
})

const toolbar = () => at.page.getByRole('toolbar', { name: 'Formatting' })
const button = (name: string) => at.page.getByRole('button', { name, exact: true })

/** Selects a word with the mouse. */
async function doubleClick(word: string): Promise<void> {
  await at.text.getByText(word).dblclick({ position: { x: 4, y: 8 } })
}

test('the toolbar comes when the mouse is let go, never while dragging', async () => {
  await at.write('alpha beta gamma')
  const box = await at.text.getByText('alpha beta gamma').boundingBox()
  assert.ok(box)
  await at.page.mouse.move(box.x + 2, box.y + 10)
  await at.page.mouse.down()
  await at.page.mouse.move(box.x + 60, box.y + 10, { steps: 5 })
  assert.is(await toolbar().count(), 0)
  await at.page.mouse.up()
  await toolbar().waitFor()
})

test('the toolbar comes for all of the text', async () => {
  await at.write('# alpha\n\nbeta')
  await at.press('Control+a')
  await toolbar().waitFor()
  await at.press('Control+b')
  await at.reads('# **alpha**\n\n**beta**')
})

test('Escape closes the toolbar and keeps the selection', async () => {
  await at.write('alpha')
  await doubleClick('alpha')
  await toolbar().waitFor()
  await at.press('Escape')
  await toolbar().waitFor({ state: 'detached' })
  await at.press('Control+b')
  await at.reads('**alpha**')
})

test('the toolbar formats, turns into, and is reached by keys', async () => {
  await at.write('alpha')
  await at.press('Shift+Home')
  await toolbar().waitFor()
  await button('Bold').click()
  await at.page.locator('[aria-pressed="true"][aria-label="Bold"]').waitFor()
  await at.press('Alt+F10')
  await at.press('Enter')
  await at.page.getByRole('menuitemradio', { name: 'Heading 2' }).click()
  await at.reads('## **alpha**')
  await at.backInText()
})

/** The caret to the start of the line; a change from the service may take a first try back. */
async function goHome(): Promise<void> {
  do await at.press('Home')
  while (await toolbar().isVisible())
}

test('Mod-k links what is selected; the card shows, copies, edits and removes', async () => {
  await at.write('see this page')
  await doubleClick('see this page')
  await toolbar().waitFor()
  await at.press('Control+k')
  const address = at.page.getByLabel('Address')
  await address.fill('javascript:alert(1)')
  await at.press('Enter')
  await at.page.getByText('This address cannot be used as a link.').waitFor()
  await address.fill('example.com/a')
  await at.press('Enter')
  await at.reads('[see](https://example.com/a) this page')
  await goHome()
  const card = at.page.getByRole('group', { name: 'Link' })
  await card.waitFor()
  assert.is(await card.getByRole('link').getAttribute('href'), 'https://example.com/a')
  await button('Edit link').click()
  await address.fill('https://example.com/b')
  await at.press('Enter')
  await at.reads('[see](https://example.com/b) this page')
  await goHome()
  await button('Remove link').click()
  await at.reads('see this page')
})

test('an address that was copied is proposed, and gives way to what is typed', async () => {
  const { origin } = new URL(at.page.url())
  await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  await at.write('alpha')
  await at.page.evaluate(() => navigator.clipboard.writeText('https://example.com/copied'))
  await at.press('Enter')
  await at.type('/image')
  await at.press('Enter')
  const address = at.page.getByRole('form', { name: 'Image' }).getByRole('textbox').first()
  await at.page.waitForFunction(() => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLInputElement)) return false
    const { value, selectionStart, selectionEnd } = activeElement
    return value.endsWith('/copied') && selectionStart === 0 && selectionEnd === value.length
  })
  await at.type('https://example.com/typed.png')
  assert.is(await address.inputValue(), 'https://example.com/typed.png')
  await at.press('Escape')
  await at.page.context().clearPermissions()
})

test('an address pasted over a selection links it', async () => {
  await at.write('see this')
  await at.press('Control+Shift+ArrowLeft')
  await toolbar().waitFor()
  await at.text.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://example.com/c')
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await at.reads('see [this](https://example.com/c)')
})

test('a bare address is drawn as a link and stays text', async () => {
  await at.write('see')
  await at.type(' https://example.com/a_b_c. Then')
  const link = at.page.locator('.text a.bare-url')
  assert.is(await link.getAttribute('href'), 'https://example.com/a_b_c')
  await at.reads('see https://example.com/a_b_c. Then')
})

test('in a long document bare addresses are drawn where they are in sight', async () => {
  const lines = Array.from({ length: 300 }, (_, line) => `see https://example.com/${line}`)
  await at.write(lines.join('\n\n'))
  const drawn = at.page.locator('.text a.bare-url')
  await drawn.filter({ hasText: /\/299$/ }).waitFor()
  assert.ok((await drawn.count()) < 120, 'not all of them')
  await at.press('Control+Home')
  await drawn.filter({ hasText: /\/0$/ }).waitFor()
})

test('who may only read has no tools, but the address of a link', async () => {
  await at.write('alpha [beta](https://example.com/b)\n\n| a |\n| --- |\n| b |')
  const address = await at.page.evaluate(async (slug) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ mode: 'anyone', role: 'viewer' })
    await fetch(`/docs/${slug}/link-access`, { method: 'PATCH', headers, body })
    const made = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return ((await made.json()) as { url: string }).url
  }, String(at.document?.slug))
  const page = await at.stage.person()
  await page.goto(address)
  await page.locator('.text').getByText('alpha').dblclick()
  await page.keyboard.type('/x')
  await page.keyboard.press('Control+b')
  await page.locator('.text td').hover()
  await page.locator('.text').getByText('beta').hover()
  await page.getByRole('group', { name: 'Link' }).waitFor()
  for (const name of ['Edit link', 'Bold', 'Block menu', 'Row menu']) {
    assert.is(await page.getByRole('button', { name }).count(), 0, name)
  }
  assert.is(await page.getByRole('listbox').count(), 0)
  await page.context().close()
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
