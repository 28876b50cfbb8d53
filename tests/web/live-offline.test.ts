/**
 * Without the service: what was opened before opens again, what is written is kept on this device,
 * also across a reload, and comes into the document on return.
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

const state = (page: Page) => page.locator('.state-line')
const says = (page: Page, words: string) => state(page).getByText(words, { exact: true }).waitFor()
const kept = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)

/** The line may say Saved for the first 400 ms: what is on disk, the service knows. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isSo())) assert.ok(Date.now() < end, 'it did not come to pass')
}

/** Types at the end of the paragraph that begins with these words. */
async function typeAfter(page: Page, words: string, text: string): Promise<void> {
  await page.locator('.text').getByText(words).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

test('written offline, reloaded offline, saved on return', async () => {
  const made = await stage.document('# Log\n\nFirst.\n')
  const page = await stage.person({ serviceWorkers: 'allow' })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(made.shareAddress)
  await page.getByText('You own this document now.').waitFor()
  await typeAfter(page, 'First.', ' Online.')
  await until(async () => (await stage.markdown(made)).includes('Online.'))
  await kept(page)
  await stage.kill()
  await typeAfter(page, 'First.', ' Off')
  await says(page, 'Offline, 4 changes kept on this device')
  await page.reload()
  await says(page, 'Offline, 4 changes kept on this device')
  await typeAfter(page, 'First.', 'line.')
  await says(page, 'Offline, 9 changes kept on this device')
  await page.reload()
  await says(page, 'Offline, 9 changes kept on this device')
  await stage.start()
  await stage.call('PATCH', `/docs/${made.slug}`, {
    token: made.token,
    body: { edits: [{ old_string: '# Log', new_string: '# The log' }] },
  })
  await says(page, 'Saved')
  await page.getByRole('heading', { name: 'The log' }).waitFor()
  assert.is((await stage.markdown(made)).trim(), '# The log\n\nFirst. Online. Offline.')
  await page.reload()
  await says(page, 'Saved')
  assert.is(await page.locator('.text p').innerText(), 'First. Online. Offline.')
})

test.run()
