/** Keys that belong to an input method, and what a device asks for without a key of its own. */
import type { Locator } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'
import { selects } from './thread-page.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** As Safari says it, where the composition that it ends is over already. */
const entersAsSafari = (field: Locator) =>
  field.evaluate((element) => {
    const key = { key: 'Enter', code: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
    return element.dispatchEvent(new KeyboardEvent('keydown', key))
  })

test('the Enter that ends a composition opens nothing, picks nothing, goes nowhere', async () => {
  const sheet = await stage.document('Cake and cake.\n')
  const other = await person(stage, sheet, 'Ben')
  await other.locator('.text').getByText('Cake').click()
  await other.keyboard.press('End')
  await other.keyboard.type('!')
  await other.getByRole('status').getByText('Saved').waitFor()
  await other.context().close()
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.state-line').getByText('Saved').waitFor()
  await page.keyboard.press('Control+f')
  const find = page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Find' }))
    .first()
  await find.fill('cake')
  await page.locator('.find-count', { hasText: '2' }).waitFor()
  const count = await page.locator('.find-count').textContent()
  await entersAsSafari(find)
  assert.is(await page.locator('.find-count').textContent(), count)
  await page.keyboard.press('Escape')

  await selects(page, 'Cake')
  await page.keyboard.press('Control+Alt+m')
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.pressSequentially('Ask @be')
  await page.getByRole('option', { name: /^Ben/ }).waitFor()
  await entersAsSafari(comment)
  assert.is(await comment.inputValue(), 'Ask @be')
  await comment.fill('')
  await page.keyboard.press('Escape')

  await page.locator('.text').getByText('Cake').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/tab')
  await page.getByRole('option', { name: 'Table' }).waitFor()
  await entersAsSafari(page.locator('.text'))
  assert.is(await page.locator('.text table').count(), 0)

  await page.goto('/')
  await page.getByRole('searchbox', { name: 'Search by title' }).fill('Cake')
  await page.locator('a.row-link').waitFor()
  await entersAsSafari(page.getByRole('searchbox', { name: 'Search by title' }))
  assert.is(new URL(page.url()).pathname, '/')
  await page.context().close()
})

test('Enter in a table cell on Android goes to the cell below', async () => {
  const sheet = await stage.document('| one | two |\n| --- | --- |\n| three | four |\n')
  const page = await person(stage, sheet, 'Ada', {
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/147.0 Mobile',
    hasTouch: true,
    isMobile: true,
  })
  await page.locator('.text th').first().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  const wanted = /^\| one +\| two +\|\n.*\n\| three! +\| four +\|\n$/
  assert.match(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test('undo and redo that the device asks for are those of the page', async () => {
  const sheet = await stage.document('One.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text p').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Two.')
  await page.locator('.text').getByText('One. Two.').waitFor()
  const asks = (inputType: string) =>
    page.locator('.text').evaluate((text, type) => {
      const event = new InputEvent('beforeinput', {
        inputType: type,
        bubbles: true,
        cancelable: true,
      })
      return !text.dispatchEvent(event)
    }, inputType)
  assert.ok(await asks('historyUndo'))
  assert.is(await stage.reads(sheet, 'One.\n'), 'One.\n')
  assert.ok(await asks('historyRedo'))
  assert.is(await stage.reads(sheet, 'One. Two.\n'), 'One. Two.\n')
  await page.context().close()
})

test.run()
