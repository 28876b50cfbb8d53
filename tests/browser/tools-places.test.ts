/**
 * What stands beside tables and code, the sheet of shortcuts, the way round the page by keys, the
 * bar above a phone's keyboard, and what axe-core finds in all of it.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ToolsPage } from './tools-page.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let at: ToolsPage

test.before(async () => {
  at = await ToolsPage.open({ reducedMotion: 'reduce' })
})
test.after(async () => {
  await at.close()
})

const button = (name: string | RegExp) => at.page.getByRole('button', { name, exact: true })
const item = (name: string) => at.page.getByRole('menuitem', { name, exact: true })

/** What axe-core calls serious or critical on the page as it stands. */
async function serious(): Promise<string[]> {
  await at.page.evaluate(await readFile(axePath, 'utf8'))
  const found = await at.page.evaluate('axe.run()')
  const { violations } = found as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

const table = '| a | b |\n| --- | --- |\n| c | d |'

test('rows and columns come and go by the menus on the edges of the table', async () => {
  await at.write(table)
  await at.text.getByText('d', { exact: true }).click()
  await button('Row menu').click()
  await item('Insert below').click()
  await at.reads('| a | b |\n| --- | --- |\n| c | d |\n| | |')
  await at.text.getByText('b', { exact: true }).click()
  await button('Row menu').click()
  assert.is(await item('Insert above').getAttribute('aria-disabled'), 'true')
  assert.equal(await serious(), [])
  await at.press('Escape')
  await button('Column menu').click()
  await at.page.getByRole('menuitemradio', { name: 'Align right' }).click()
  await at.reads('| a | b |\n| --- | --: |\n| c | d |\n| | |')
  await button('Column menu').click()
  await item('Delete column').click()
  await at.reads('| a |\n| --- |\n| c |\n| |')
})

test('rows and columns move by their menus, and a row by its handle; words keep their authors', async () => {
  await at.write('| a | b |\n| --- | --: |\n| c | d |\n| e | f |\n| g | h |')
  await at.text.getByText('d', { exact: true }).click()
  await button('Row menu').click()
  assert.is(await item('Move up').getAttribute('aria-disabled'), 'true', 'a header stays the first')
  await item('Move down').click()
  await at.reads('| a | b |\n| --- | --: |\n| e | f |\n| c | d |\n| g | h |')
  await at.type('!')
  await at.reads('| a | b |\n| --- | --: |\n| e | f |\n| c | d! |\n| g | h |')
  await button('Column menu').click()
  await item('Move left').click()
  await at.reads('| b | a |\n| --: | --- |\n| f | e |\n| d! | c |\n| h | g |')
  await at.text.getByText('g', { exact: true }).click()
  const grip = await button('Row menu').boundingBox()
  const first = await at.text.getByText('f', { exact: true }).boundingBox()
  if (grip === null || first === null) throw new Error('there is no handle')
  const x = grip.x + grip.width / 2
  await at.page.mouse.move(x, grip.y + grip.height / 2)
  await at.page.mouse.down()
  await at.page.mouse.move(x, grip.y - 20, { steps: 3 })
  await at.page.mouse.move(x, first.y + 2, { steps: 3 })
  await at.page.locator('.row-line').waitFor()
  await at.page.mouse.up()
  await at.reads('| b | a |\n| --: | --- |\n| h | g |\n| f | e |\n| d! | c |')
  assert.is(await at.page.getByRole('menu').count(), 0)
  await at.page.waitForTimeout(300)
  const own = at.text.locator('[data-by^="human:"]')
  assert.equal(await own.allInnerTexts(), ['!'])
  await at.press('Control+z')
  await at.reads('| b | a |\n| --: | --- |\n| f | e |\n| d! | c |\n| h | g |')
})

test('the menus of a table are reached by keys', async () => {
  await at.write(table)
  await at.text.getByText('d', { exact: true }).click()
  await button('Column menu').waitFor()
  await at.press('Alt+F10', 'Enter')
  await item('Insert after').press('Enter')
  await at.type('x')
  await at.reads('| a | b | |\n| --- | --- | --- |\n| c | d | x |')
})

test('the language of code is picked or typed', async () => {
  await at.write('```js\nlet a\n```')
  await button('Language: JavaScript').click()
  const box = at.page.getByRole('combobox', { name: 'Language' })
  await box.fill('pyth')
  assert.equal(await serious(), [])
  await at.press('Enter')
  await at.reads('```python\nlet a\n```')
  await box.waitFor({ state: 'detached' })
  await button('Language: Python').waitFor()
  await at.press('Alt+F10', 'Enter')
  await box.fill('brainfuck')
  await at.press('Enter')
  await at.reads('```brainfuck\nlet a\n```')
})

const combobox = (page: Page) => page.getByRole('combobox', { name: 'Language' })

/** One press on the label of the only code block, by whatever hand, without going there before. */
async function label(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('.text .code-language').boundingBox()
  assert.ok(box)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const firstOptions = async (page: Page) =>
  (await page.getByRole('listbox', { name: 'Languages' }).getByRole('option').allTextContents())
    .map((text) => text.replace('✓', ''))
    .slice(0, 4)

test('one click on the label opens the languages, those that were used last first', async () => {
  await at.page.evaluate('localStorage.removeItem("languages")')
  for (const language of ['rust', 'zig', 'yaml', 'rust']) {
    await at.write('alpha\n\n```js\nlet a\n```')
    await at.page.mouse.move(2, 400)
    const { x, y } = await label(at.page)
    await at.page.mouse.click(x, y)
    await combobox(at.page).waitFor()
    await at.type(language)
    await at.press('Enter')
    await at.reads(`alpha\n\n\`\`\`${language}\nlet a\n\`\`\``)
    await at.backInText()
  }
  await at.write('alpha\n\n```js\nlet a\n```')
  const { x, y } = await label(at.page)
  await at.page.mouse.click(x, y)
  await combobox(at.page).waitFor()
  assert.equal(await firstOptions(at.page), ['Rust', 'YAML', 'zig', 'Plain text'])
  assert.equal(await serious(), [])
  await at.text.getByText('alpha').hover()
  await at.press('Enter')
  await at.reads('alpha\n\n```rust\nlet a\n```')
  await button('Language: Rust').waitFor()
})

test('one tap on the label does too', async () => {
  const phone = await ToolsPage.beside(at.stage, {
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.write('alpha\n\n```js\nlet a\n```')
  const { x, y } = await label(phone.page)
  await phone.page.touchscreen.tap(x, y)
  await combobox(phone.page).waitFor()
  await phone.page.waitForFunction(() => document.activeElement?.matches('[role="combobox"]'))
  await phone.page.getByRole('option', { name: 'Rust' }).tap()
  await phone.reads('alpha\n\n```rust\nlet a\n```')
  await phone.page.context().close()
})

test('the sheet shows every shortcut, by Mod-/ and outside of the text by ?', async () => {
  await at.write('alpha')
  await at.press('Control+/')
  const sheet = at.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Duplicate').waitFor()
  assert.equal(await serious(), [])
  await at.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await at.text.focus()
  await at.type('?')
  await at.reads('alpha?')
  await at.page.getByRole('link', { name: 'Home' }).focus()
  await at.press('?')
  await sheet.waitFor()
  await at.press('Escape')
})

test('F6 goes round the landmarks', async () => {
  await at.write('alpha')
  const where = () =>
    at.page.evaluate(() => document.activeElement?.closest('main, header')?.tagName)
  assert.is(await where(), 'MAIN')
  await at.press('F6')
  assert.is(await where(), 'HEADER')
  await at.press('F6')
  assert.is(await where(), 'MAIN')
  await at.press('Shift+F6')
  assert.is(await where(), 'HEADER')
})

test('axe-core finds nothing serious in the menus', async () => {
  await at.write('alpha [beta](https://example.com)')
  const toolbar = at.page.getByRole('toolbar', { name: 'Formatting' })
  for (let tries = 0; tries < 20 && !(await toolbar.isVisible()); tries++) {
    // The first words of the service may take back a selection made at once.
    await at.press('End', 'Shift+Home')
    await at.page.waitForTimeout(100)
  }
  assert.equal(await serious(), [], 'toolbar')
  await at.press('End', 'ArrowLeft')
  await at.page.getByRole('group', { name: 'Link' }).waitFor()
  assert.equal(await serious(), [], 'link')
  await at.press('Control+k')
  await at.page.getByRole('form', { name: 'Link' }).waitFor()
  assert.equal(await serious(), [], 'link form')
  await at.press('Escape', 'End', 'Enter')
  await at.type('/')
  await at.page.getByRole('listbox').waitFor()
  assert.equal(await serious(), [], 'slash menu')
  await at.press('Escape', 'Control+.')
  await at.page.getByRole('menu').waitFor()
  assert.equal(await serious(), [], 'block menu')
})

test('a phone has its bar above the keyboard, with targets for fingers', async () => {
  const phone = await ToolsPage.beside(at.stage, {
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.write('alpha')
  const bar = phone.page.getByRole('toolbar', { name: 'Editing' })
  await bar.waitFor()
  const sizes = await bar
    .getByRole('button')
    .evaluateAll((keys) => keys.map((key) => Math.min(key.clientWidth, key.clientHeight)))
  assert.ok(sizes.length > 10 && sizes.every((size) => size >= 40), String(sizes))
  await bar.getByRole('button', { name: 'Task list' }).tap()
  await phone.type('!')
  await phone.reads('- [ ] alpha!')
  await bar.getByRole('button', { name: 'Undo' }).tap()
  await phone.page.context().close()
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
