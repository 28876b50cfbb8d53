/**
 * Writing live in the browser page: names of guests, the state line, and two people and an agent on
 * one document.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage, type StageDocument } from './stage.ts'

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

/** A page of a new person on a document that somebody else owns already. */
async function guest(made: StageDocument): Promise<Page> {
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await says(page, 'Saved')
  return page
}

/** A document whose first visitor has claimed it. */
async function owned(markdown: string): Promise<{ made: StageDocument; owner: Page }> {
  const made = await stage.document(markdown)
  const owner = await guest(made)
  await owner.getByText('You own this document now.').waitFor()
  return { made, owner }
}

test('the first to open a share address owns the document, under a name made up', async () => {
  const { made, owner } = await owned('# Plan\n')
  await text(owner).getByText('Plan').click()
  await owner.keyboard.press('End')
  await owner.keyboard.type(' B')
  await says(owner, 'Saved')
  assert.is(await owner.getByLabel('Your name').count(), 0)
  const me = await owner.evaluate(() => fetch('/auth/me').then((answer) => answer.json()))
  assert.match(me.name, /^[A-Z][a-z]+ [A-Z][a-z]+$/)
  const again = await owner.evaluate(
    (slug) => fetch(`/docs/${slug}/claim`, { method: 'POST' }).then((answer) => answer.json()),
    made.slug,
  )
  assert.is(again.your_role, 'owner')
})

test('a guest writes first and is asked for a name once the keys rest', async () => {
  const { made } = await owned('# Plan\n\nFirst line.\n')
  const page = await guest(made)
  await text(page).getByText('First line.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Typed before anybody asked.', { delay: 20 })
  await says(page, 'Waiting for your name')
  const field = page.getByLabel('Your name')
  await field.waitFor()
  assert.match(await field.inputValue(), /^[A-Z][a-z]+ [A-Z][a-z]+$/)
  assert.not.match(await stage.markdown(made), /anybody asked/)
  await page.keyboard.press('Enter')
  await says(page, 'Saved')
  assert.match(await stage.markdown(made), /First line\. Typed before anybody asked\./)
})

test.run()
