/** Whole blocks selected by drawing along the margin: moved, converted and deleted together. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const text = 'One.\n\nTwo.\n\n- three\n- four\n\nFive.\n'

/** Draws in the margin beside the text, from one block to another. */
async function draw(page: Page, from: string, to: string, side: 'left' | 'right'): Promise<void> {
  const column = await page.locator('.text').boundingBox()
  const middle = async (words: string) => {
    const box = await page.locator('.text').getByText(words, { exact: true }).boundingBox()
    if (box === null) throw new Error(`${words} is not to be seen`)
    return box.y + box.height / 2
  }
  if (column === null) throw new Error('there is no text')
  const x = side === 'left' ? column.x - 90 : column.x + column.width + 60
  await page.mouse.move(x, await middle(from))
  await page.mouse.down()
  await page.mouse.move(x + 3, (await middle(from)) + 6)
  await page.mouse.move(x + 3, await middle(to), { steps: 4 })
  await page.mouse.up()
}

const lit = (page: Page) => page.locator('.is-whole').allInnerTexts()

test('drawn down and up: whole blocks are selected, moved, converted, deleted', async () => {
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada', { viewport: { width: 1440, height: 800 } })
  await draw(page, 'Two.', 'three', 'right')
  await page.waitForFunction(() => document.querySelectorAll('.is-whole').length === 2)
  assert.match((await lit(page)).join('|'), /^Two\.\|three\s+four$/, 'a list goes whole')
  await draw(page, 'Two.', 'One.', 'left')
  await page.waitForFunction(() => document.querySelector('.is-whole')?.textContent === 'One.')
  assert.equal(await lit(page), ['One.', 'Two.'])
  await page.keyboard.press('Alt+ArrowDown')
  const moved = '- three\n- four\n\nOne.\n\nTwo.\n\nFive.\n'
  assert.is(await stage.reads(sheet, moved), moved)
  await page.keyboard.press('Control+Alt+2')
  const converted = '- three\n- four\n\n## One.\n\n## Two.\n\nFive.\n'
  assert.is(await stage.reads(sheet, converted), converted)
  await draw(page, 'One.', 'Two.', 'right')
  await page.keyboard.press('Delete')
  const deleted = '- three\n- four\n\nFive.\n'
  assert.is(await stage.reads(sheet, deleted), deleted)
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, converted), converted)
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('a click in the margin takes nothing; what is typed after it goes on', async () => {
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada', { viewport: { width: 1440, height: 800 } })
  await page.locator('.text').getByText('Two.').click()
  await page.keyboard.press('End')
  const column = await page.locator('.text').boundingBox()
  await page.mouse.click((column?.x ?? 0) - 90, (column?.y ?? 0) + 20)
  await page.keyboard.type(' Still.')
  assert.is(await stage.reads(sheet, /Still\./), text.replace('Two.', 'Two. Still.'))
  assert.is(await page.locator('.is-whole').count(), 0)
  await page.context().close()
})

test.run()
