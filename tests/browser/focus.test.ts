/** Who comes back to the text is where they were, before the next key. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const markdown = 'First words.\n\nSecond words.\n\nThird words.\n'

async function inSecond(): Promise<{ page: Page; sheet: Awaited<ReturnType<Stage['document']>> }> {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  await page.getByText('Second words.').click()
  await page.keyboard.press('Home')
  for (const _ of 'Second ') await page.keyboard.press('ArrowRight')
  // With the next key the editor has read it.
  await page.keyboard.press('Shift')
  return { page, sheet }
}

/** In the page: the caret is taken away, as by a click elsewhere, and the text is focused again. */
const comeBack = `(() => {
  document.querySelector('.text').blur()
  getSelection().removeAllRanges()
  document.querySelector('.text').focus()
  const { anchorNode, anchorOffset } = getSelection()
  return [anchorNode.textContent, anchorOffset]
})()`

test('the caret is there with the focus itself', async () => {
  const { page, sheet } = await inSecond()
  assert.equal(await page.evaluate(comeBack), ['Second words.', 'Second '.length])
  await page.keyboard.type('good ')
  const wanted = markdown.replace('Second ', 'Second good ')
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test('a selection that keys make right after stays, however late its wait ends', async () => {
  const { page, sheet } = await inSecond()
  await page.evaluate(comeBack)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Shift+Home')
  await page.waitForTimeout(60)
  await page.keyboard.type('Last.')
  const wanted = markdown.replace('Third words.', 'Last.')
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test('a click is where it went, not where the caret was', async () => {
  const { page, sheet } = await inSecond()
  await page.getByRole('banner').getByRole('button', { name: 'View' }).focus()
  await page.getByText('Third words.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' More.')
  const wanted = markdown.replace('Third words.', 'Third words. More.')
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test('by Tab too', async () => {
  const { page, sheet } = await inSecond()
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.text')?.blur()
    getSelection()?.removeAllRanges()
    document.querySelector<HTMLElement>('.skip')?.focus()
  })
  for (let tabs = 0; tabs < 20; tabs++) {
    if (await page.evaluate(() => document.activeElement?.matches('.text') === true)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('good ')
  const wanted = markdown.replace('Second ', 'Second good ')
  assert.is(await stage.reads(sheet, wanted), wanted)
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('Escape on a button of a comment leads back to the text', async () => {
  const { page, sheet } = await inSecond()
  const { slug, token } = sheet
  const body = { quote: 'Third', text: 'Which one?' }
  await stage.call('POST', `/docs/${slug}/comments`, { token, body })
  const card = page.locator('.talk-card')
  await card.click()
  await card.getByRole('button', { name: 'Resolve' }).focus()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.classList.contains('text'))
  assert.is(await page.locator('.talk-card[data-open]').count(), 0)
  await page.context().close()
})

test.run()
