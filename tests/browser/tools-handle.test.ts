/** The handle beside a block in a real browser: its menu, the block below, and the drag. */
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

const list = () => at.page.getByRole('listbox', { name: 'Blocks' })
const button = (name: string) => at.page.getByRole('button', { name, exact: true })
const menu = () => at.page.getByRole('menu', { name: 'Block', exact: true })
const menuItem = (name: RegExp) => menu().getByRole('menuitem', { name })

test('the handle stands beside the block under the mouse and has its menu', async () => {
  await at.write('alpha\n\n- beta\n- gamma')
  await at.text.getByText('gamma').hover()
  await button('Block menu').click()
  await menuItem(/Duplicate/).click()
  await at.reads('alpha\n\n- beta\n- gamma\n- gamma')
  await at.text.getByText('alpha').hover()
  await button('Add block below').click()
  await list().waitFor()
  await at.type('quote')
  await at.press('Enter')
  await at.type('between')
  await at.reads('alpha\n\n> between\n\n- beta\n- gamma\n- gamma')
})

test('the menu of the block is reached by keys', async () => {
  await at.write('alpha\n\nbeta')
  await at.press('Control+.')
  await menu().waitFor()
  await at.press('ArrowDown', 'ArrowRight')
  await at.page.getByRole('menuitemradio', { name: 'Heading 3' }).waitFor()
  await at.page.keyboard.type('Heading 3', { delay: 10 })
  await at.press('Enter')
  await at.reads('alpha\n\n### beta')
  await at.backInText()
  await at.press('Control+.')
  await menuItem(/Move up/).press('Enter')
  await at.reads('### beta\n\nalpha')
})

test('"Copy block id" copies what agents call the block', async () => {
  await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await at.write('alpha')
  await at.press('Control+.')
  await menuItem(/Copy block ID/).click()
  const id = await at.text.locator('p').getAttribute('data-id')
  assert.match(String(id), /^bid_/)
  await at.page.getByText('Block ID copied').waitFor()
  assert.is(await at.page.evaluate(() => navigator.clipboard.readText()), id)
})

/** The grip, once it stands beside the line at this height. */
async function gripBeside(y: number): Promise<{ x: number; y: number }> {
  for (;;) {
    const grip = await button('Block menu').boundingBox()
    if (grip && Math.abs(grip.y - y) < 12) return grip
    await at.page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

/** Drags the block of `what` by its grip to a height of the block of `where`. */
async function drag(what: string, where: string, height: number): Promise<void> {
  await at.text.getByText(what).hover()
  const block = await at.text.getByText(what).boundingBox()
  const target = await at.text.getByText(where).boundingBox()
  assert.ok(block && target)
  const grip = await gripBeside(block.y)
  await at.page.mouse.move(grip.x + 8, grip.y + 8)
  await at.page.mouse.down()
  await at.page.mouse.move(grip.x + 12, grip.y + 20, { steps: 3 })
  await at.page.mouse.move(target.x + 12, target.y + height, { steps: 6 })
  await at.page.locator('.drop-line').waitFor()
  await at.page.mouse.up()
}

test('a block is dragged by its grip, with its id', async () => {
  await at.write('alpha\n\nbeta\n\n- one\n- two')
  const id = await at.text.locator('p', { hasText: 'beta' }).getAttribute('data-id')
  await drag('beta', 'alpha', 3)
  await at.reads('beta\n\nalpha\n\n- one\n- two')
  assert.is(await at.text.locator('p', { hasText: 'beta' }).getAttribute('data-id'), id)
  await drag('two', 'one', 3)
  await at.reads('beta\n\nalpha\n\n- two\n- one')
  await drag('alpha', 'two', 22)
  await at.reads('beta\n\n- two\n- alpha\n- one')
  await at.press('Control+z')
  await at.reads('beta\n\nalpha\n\n- two\n- one')
})

test('after a drag what floats over the text is shown again', async () => {
  await at.write('alpha\n\nbeta')
  await drag('beta', 'alpha', 3)
  await at.reads('beta\n\nalpha')
  await at.text.getByText('alpha').dblclick()
  await at.page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
})

test('several selected blocks are dragged together, and it is said', async () => {
  await at.write('alpha\n\nbeta\n\ngamma')
  await at.text.getByText('alpha').click()
  await at.press('Home', 'Shift+ArrowDown', 'Shift+End')
  await drag('alpha', 'gamma', 24)
  await at.reads('gamma\n\nalpha\n\nbeta')
  await at.press('Alt+ArrowUp')
  await at.reads('alpha\n\nbeta\n\ngamma')
  await at.page.locator('[aria-live=polite]', { hasText: 'Moved up' }).waitFor()
})

test('blocks that are dragged, and those around them, keep how they were written', async () => {
  const [heading, bullets, strong, rule] = [
    'Title\n=====',
    '* rose\n* lily',
    'A __strong__ word',
    '* * *',
  ]
  const [table, last] = ['|a|b|\n|-|:-:|\n|cell|more|', 'Last  \nwords']
  await at.write([heading, bullets, strong, rule, table, last].join('\n\n'))
  await drag('strong', 'Title', 3)
  await at.reads([strong, heading, bullets, rule, table, last].join('\n\n'))
  await drag('Title', 'Last', 48)
  await at.reads([strong, bullets, rule, table, last, heading].join('\n\n'))
  await drag('lily', 'rose', 3)
  await at.reads([strong, '* lily\n* rose', rule, table, last, heading].join('\n\n'))
  await at.press('Control+z', 'Control+z', 'Control+z')
  await at.reads([heading, bullets, strong, rule, table, last].join('\n\n'))
})

test('a quote moves whole, by its grip and by keys', async () => {
  await at.write('alpha\n\n> quoted\n\nbeta')
  await drag('quoted', 'alpha', 3)
  await at.reads('> quoted\n\nalpha\n\nbeta')
  await at.text.getByText('quoted').click()
  await at.press('Alt+ArrowDown')
  await at.reads('alpha\n\n> quoted\n\nbeta')
  await at.press('Alt+ArrowUp')
  await at.reads('> quoted\n\nalpha\n\nbeta')
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
