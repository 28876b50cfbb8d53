/** Threads on the page: their words in the text, cards beside it, and what is done with them. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

let stage: Stage
test.before(async () => {
  stage = await Stage.open()
})
test.after(() => stage.close())

/** As Quill. */
const comments = (sheet: StageDocument, body: Readonly<Record<string, unknown>>) =>
  stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })

/** The lit words, once they are these. */
async function highlighted(page: Page, words: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify([...document.querySelectorAll('.text .about')].map((e) => e.textContent)) ===
      JSON.stringify(wanted),
    words,
  )
}

test('words that are talked about stay marked whatever is typed, and come back with undo', async () => {
  const sheet = await stage.document('# Plan\n\nWe meet at noon.\n\nBring cake.\n')
  await comments(sheet, { quote: 'noon', text: 'Why noon?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, ['noon'])
  await page.locator('.text p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.type('Today noon ')
  await highlighted(page, ['noon'])
  await agentEdits(stage, sheet, [{ old_string: 'We meet', new_string: 'You meet' }])
  await page.locator('.text').getByText('You meet').waitFor()
  await comments(sheet, { quote: 'cake', text: 'Which?' })
  await highlighted(page, ['noon', 'cake'])
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Delete')
  await highlighted(page, ['cake'])
  await page.keyboard.press('Control+z')
  await highlighted(page, ['noon', 'cake'])
  assert.match(
    (await page.locator('.text .about').first().getAttribute('class')) ?? '',
    /about-thr_/,
  )
  await page.context().close()
})

test.run()
