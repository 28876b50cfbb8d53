/** A document of more than 10,000 blocks: the page says so, offers the source view, and goes on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'
import { showAs } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** Each item is a block with one in it; the list is one as well. */
const items = Array.from({ length: 20 }, (_, at) => `- item ${at}`)
const paragraphs = Array.from({ length: 10_000 - 41 }, (_, at) => `Paragraph ${at}.`)

test('above 10,000 blocks the page says so and offers the source, and up to there it does not', async () => {
  const sheet = await stage.document(`${items.join('\n')}\n\n${paragraphs.join('\n\n')}\n`)
  const page = await person(stage, sheet, 'Ada')
  const said = 'This document is large, so the page may be slow.'
  const note = page.getByRole('status').getByText(said)
  await page.locator('.text').getByText('Paragraph 0.').click()
  await page.keyboard.press('End')
  assert.is(await note.count(), 0)
  await page.keyboard.press('Enter')
  await note.waitFor()
  await page.keyboard.type('Typed on.')
  await page.locator('.text').getByText('Typed on.').waitFor()
  await page.getByRole('button', { name: 'Open the source view' }).click()
  await page.locator('.cm-content').getByText('Typed on.').waitFor()
  assert.is(await note.count(), 0, 'the source is there')
  await showAs(page, 'Page')
  await note.waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()
  await note.waitFor({ state: 'detached' })
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test.run()
