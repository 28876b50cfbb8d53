/** The menus of the editor in a real browser: slash menu, selection toolbar, link, block handle. */
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

test('the slash menu filters by words and aliases, and leaves no trace', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('/')
  await list().waitFor()
  assert.is(await at.text.getAttribute('aria-activedescendant'), 'slash-option-0')
  await at.type('todo')
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
  assert.is(await at.text.getAttribute('aria-activedescendant'), 'slash-option-2')
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
  await at.page.getByText('No block is called that').waitFor()
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

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
