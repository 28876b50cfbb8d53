/** What one does while one comments: undo, several drafts, and where the focus is afterwards. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { highlighted, selects, told } from './thread-page.ts'

let stage: Stage
test.before(async () => {
  stage = await Stage.open()
})
test.after(() => stage.close())

/** As Quill. */
const comments = (sheet: StageDocument, body: Readonly<Record<string, unknown>>) =>
  stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })

test('the notice of lost words goes once they are back', async () => {
  const long = 'We meet at noon below the old bridge.'
  const sheet = await stage.document(`${long} More.\n\nLast. \n`)
  await comments(sheet, { quote: long, text: 'Why?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, [long])
  await selects(page, long)
  await page.keyboard.press('Control+x')
  await told(page, 'lost its words')
  await page.locator('.text').getByText('Last.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Control+v')
  await page.locator('.text').getByText(`Last.${long}`).waitFor()
  await highlighted(page, [long])
  await page.waitForFunction(
    () => !document.querySelector('.notices')?.textContent?.includes('lost its words'),
    undefined,
    { timeout: 4_000 },
  )
  await page.context().close()
})

test('its Undo takes back the change that took the words, and nothing done since', async () => {
  const sheet = await stage.document('First words.\n\nLast.\n')
  await comments(sheet, { quote: 'First', text: 'Why?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, ['First'])
  await selects(page, 'First')
  await page.keyboard.press('Delete')
  await told(page, 'lost its words')
  await page.locator('.text').getByText('Last.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' And more.')
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
  await highlighted(page, ['First'])
  const wanted = 'First words.\n\nLast. And more.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  // What was typed since is still the next step of undo.
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, 'First words.\n\nLast.\n'), 'First words.\n\nLast.\n')
  await page.context().close()
})

test.run()
