/**
 * Writing live in the browser page: names of guests, the state line, and two people and an agent on
 * one document.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'

let stage: Stage

test.before(async () => {
  stage = await Stage.open()
})
test.after(async () => {
  await stage.close()
})

const text = (page: Page) => page.locator('.text')
const state = (page: Page) => page.locator('.state-line [role=status]')
const says = (page: Page, words: string) => state(page).getByText(words, { exact: true }).waitFor()

test('a guest writes first and is asked for a name once the keys rest', async () => {
  const made = await stage.document('# Plan\n\nFirst line.\n')
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await text(page).getByText('First line.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Typed before anybody asked.', { delay: 20 })
  await says(page, 'Not saved: your name is missing')
  const field = page.getByLabel('Your name')
  await field.waitFor()
  assert.match(await field.inputValue(), /^[A-Z][a-z]+ [A-Z][a-z]+$/)
  assert.not.match(await stage.markdown(made), /anybody asked/)
  await page.keyboard.press('Enter')
  await says(page, 'Saved')
  assert.match(await stage.markdown(made), /First line\. Typed before anybody asked\./)
})

test.run()
