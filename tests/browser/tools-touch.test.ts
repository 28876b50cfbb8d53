/** Adding blocks by the plus, on a phone and by mouse: a menu that is dismissed leaves nothing. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ToolsPage } from './tools-page.ts'

let at: ToolsPage

test.before(async () => {
  at = await ToolsPage.open({
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  // What Android's Back does cannot be played; the watcher that hears of it can be asked.
  await at.page.addInitScript(`
    window.watchers = []
    window.CloseWatcher = class extends window.CloseWatcher {
      constructor() {
        super()
        window.watchers.push(this)
      }
    }
  `)
})
test.after(async () => {
  await at.close()
})

const plus = () =>
  at.page.getByRole('toolbar', { name: 'Editing' }).getByRole('button', { name: 'Add block' })
const list = () => at.page.getByRole('listbox', { name: 'Blocks' })
const closed = () => list().waitFor({ state: 'detached' })

async function open(): Promise<void> {
  await plus().tap()
  await list().waitFor()
}

test('the plus opens the menu and writes nothing', async () => {
  await at.write('alpha')
  await open()
  await at.press('Escape')
  await closed()
  await at.type('!')
  await at.reads('alpha!')
  await open()
  await at.text.getByText('alpha').tap({ position: { x: 4, y: 8 } })
  await closed()
  await at.press('End')
  await at.type('?')
  await at.reads('alpha!?')
  await open()
  await at.page.evaluate('watchers.at(-1).requestClose()')
  await closed()
  await open()
  await at.press('Backspace')
  await closed()
  await at.type('.')
  await at.reads('alpha!?.')
})

test('letters that filter go with it; words that name no block stay', async () => {
  await at.write('alpha')
  for (const dismiss of [
    () => at.press('Escape'),
    () => at.text.getByText('alpha').tap({ position: { x: 4, y: 8 } }),
    () => at.page.evaluate('watchers.at(-1).requestClose()'),
    () => at.text.evaluate((text) => (text as HTMLElement).blur()),
  ]) {
    await at.text.focus()
    await at.press('Control+End')
    await open()
    await at.type('head')
    await at.reads('alphahead')
    await dismiss()
    await closed()
    await at.reads('alpha')
  }
  await at.text.focus()
  await at.press('Control+End')
  await open()
  await at.type(' and so on')
  await closed()
  await open()
  await at.type('zzz')
  await at.press('Escape')
  await closed()
  await at.reads('alpha and so onzzz')
})

test('what is chosen takes the letters, and one undo takes back what was chosen', async () => {
  await at.write('alpha')
  await at.press('Enter')
  await open()
  await at.type('head')
  await at.page.getByRole('option', { name: 'Heading 2', exact: true }).tap()
  await at.type('Two')
  await at.reads('alpha\n\n## Two')
  await at.press('Control+z', 'Control+z')
  await at.page.locator('.text h2').waitFor({ state: 'detached' })
})

test('a slash that somebody typed stays, and selected words stay under the plus', async () => {
  await at.write('alpha')
  await at.type(' /')
  await list().waitFor()
  await at.press('Escape')
  await closed()
  await at.reads('alpha /')
  await at.press('Shift+Home')
  await open()
  await at.press('Escape')
  await closed()
  await at.type('!')
  await at.reads('alpha /!')
})

test('a button acts where keys have just put the caret', async () => {
  await at.write('alpha')
  await plus().evaluate((button) => {
    document.getSelection()?.modify('move', 'backward', 'lineboundary')
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    ;(button as HTMLElement).click()
  })
  await list().waitFor()
  await at.press('Escape')
  await closed()
  await at.type('!')
  await at.reads('!alpha')
})

test('words that stand behind the caret are no filter', async () => {
  for (const leave of [
    () => at.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'),
    () => at.text.getByText('alpha').tap({ position: { x: 70, y: 8 } }),
  ]) {
    await at.write('a head of alpha')
    // For 200 ms after the focus the view takes a caret at the very start for the browser's own.
    await at.page.waitForTimeout(250)
    await at.press('Home', 'ArrowRight', 'ArrowRight')
    await open()
    await leave()
    await closed()
    await at.press('Escape', 'End')
    await at.type('!')
    await at.reads('a head of alpha!')
  }
})

test('letters that another writes among the filter are theirs, and stay', async () => {
  await at.write('alpha')
  await open()
  await at.type('he')
  await at.reads('alphahe')
  const made = at.document
  assert.ok(made)
  const body = { edits: [{ old_string: 'alphahe', new_string: 'alphahQe' }] }
  await at.stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body })
  await at.text.getByText('alphahQe').waitFor()
  await closed()
  await at.press('Escape')
  await at.type('!')
  await at.reads('alphahQe!')
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
