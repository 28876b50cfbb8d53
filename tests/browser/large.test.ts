/** A document of more than 10,000 blocks: the page says so, offers the source view, and goes on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person } from './company.ts'
import { Stage } from './stage.ts'

let stage: Stage
test.before(async () => {
  stage = await Stage.open()
})
test.after(() => stage.close())

const most = 10_000
const said = 'This document is large, so the page may be slow.'
const markdownOf = (blocks: number) =>
  `${Array.from({ length: blocks }, (_, at) => `Paragraph ${at}.`).join('\n\n')}\n`

test('above 10,000 blocks the page says so and offers the source, and up to there it does not', async () => {
  const sheet = await stage.document(markdownOf(most))
  const page = await person(stage, sheet, 'Ada')
  const note = page.getByRole('status').filter({ hasText: said })
  await page.locator('.text > p').nth(1).click()
  await page.keyboard.press('End')
  assert.is(await note.count(), 0)
  await page.keyboard.press('Enter')
  await note.waitFor()
  await page.keyboard.type('Typed on.')
  await page.locator('.text').getByText('Typed on.').waitFor()
  assert.equal(await seriousFindings(page), [])
  await agentEdits(stage, sheet, [
    { old_string: 'Paragraph 2.\n\nParagraph 3.\n\n', new_string: 'Paragraph 2.\n\n' },
  ])
  await note.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Open the source view' }).click()
  await page.locator('.cm-content').getByText('Typed on.').waitFor()
  assert.is(await note.count(), 0, 'the source is there')
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('items of a list are blocks, and a note that was dismissed stays away', async () => {
  const items = Array.from({ length: most / 2 + 1 }, (_, at) => `- item ${at}`)
  const page = await person(stage, await stage.document(`${items.join('\n')}\n`), 'Ada')
  const note = page.getByRole('status').filter({ hasText: said })
  await note.waitFor()
  await page.locator('.text li').nth(2).click()
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await note.waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Typed on.')
  await page.locator('.text').getByText('Typed on.').waitFor()
  assert.is(await note.count(), 0)
  await page.context().close()
})

test.run()
