/**
 * Home without a network: the app, with what was opened in this browser. A document can be begun
 * there; it becomes one of the service once that answers.
 */
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** Until this browser has home, the page of a document, and the scripts of both. */
const kept = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const isKept = () =>
    page.evaluate(async () => {
      const files: string[] = await (await fetch('/assets/files.json')).json()
      const found = [...files, '/', '/d/'].map(async (path) => caches.match(path))
      return !(await Promise.all(found)).includes(undefined)
    })
  await becomes(isKept, 30_000)
}

/** Until the line names the last change too: then it goes on saying the same. */
const allKept = async (line: Locator): Promise<void> => {
  await line.waitFor()
  await becomes(async () => {
    const before = await line.innerText()
    await line.page().waitForTimeout(1_000)
    return before === (await line.innerText())
  }, 30_000)
}

test('home opens, and a document that is begun there is the service’s later', async () => {
  const made = await stage.document('# Known\n\nWords.\n')
  const page = await stage.person({ serviceWorkers: 'allow' })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(made.shareAddress)
  await page.locator('.text').getByText('Words.').waitFor()
  await kept(page)
  await stage.kill()

  await page.goto('/')
  await page.getByRole('link', { name: 'Known' }).click()
  await page.locator('.text').getByText('Words.').waitFor()

  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).click()
  await page.locator('.text[contenteditable=true]').click()
  await page.keyboard.type('# On the train')
  await page.keyboard.press('Enter')
  await page.keyboard.type('First.')
  const offline = page
    .locator('.state-line')
    .getByText(/^Offline, \d+ changes saved on this device$/)
  await allKept(offline)
  await page.reload()
  await page.locator('.text').getByText('First.').waitFor()
  await page.goto('/')
  await page.getByRole('link', { name: 'On the train' }).click()
  await page.locator('.text').getByText('First.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Second.')
  await offline.waitFor()

  await stage.start()
  await page.waitForURL(/\/d\/[0-9a-z]{20}$/)
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.is(await page.locator('.text h1').innerText(), 'On the train')
  assert.is(await page.locator('.text p').innerText(), 'First. Second.')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Third.')
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.goto('/')
  await page.getByRole('link', { name: 'On the train' }).first().waitFor()
  assert.is(await page.locator('a[href*="/d/draft-"]').count(), 0)
})

test.run()
