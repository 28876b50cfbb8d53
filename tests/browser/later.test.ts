/**
 * What is loaded with its first use cannot always be had: the service is away, or another build
 * has taken the place of the one that is open. The page stays, and says so to who asked for it.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { doFromMenu, showAs } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const markdown = 'Words.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet a = 1\n```\n'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

interface Opened {
  readonly page: Page
  readonly sheet: StageDocument
  /** Loads the page anew; from now on scripts come. */
  reload(): Promise<void>
}

/** A page for which no script comes any more. */
async function cutOff(options = {}): Promise<Opened> {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada', options)
  await page.route('**/assets/*.js', (route) => route.abort())
  const reload = async () => {
    await page.unroute('**/assets/*.js')
    await page.reload()
    await page.waitForSelector('#text[data-synced="true"]')
  }
  return { page, sheet, reload }
}

const missing = (page: Page) => page.getByText('This could not be loaded.').last()

/** The text is there and can be written. */
async function goesOn({ page, sheet }: Opened, typed: string): Promise<void> {
  await page.locator('.text > p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.type(typed)
  const wanted = new RegExp(`^${typed}`)
  assert.match(await stage.reads(sheet, wanted), wanted)
}

const asked: readonly (readonly [string, (page: Page) => Promise<void>, string])[] = [
  ['find', (page) => page.keyboard.press('Control+f'), 'search .find-row'],
  ['the shortcuts', (page) => page.keyboard.press('Control+/'), '[role="dialog"]'],
  ['the word count', (page) => doFromMenu(page, 'More', 'Word count'), '[role="dialog"]'],
]

for (const [name, ask, shown] of asked) {
  test(`${name}: who asks is told, and gets it after a reload`, async () => {
    const opened = await cutOff()
    const { page } = opened
    await page.locator('.text > p').first().click()
    await ask(page)
    await missing(page).waitFor()
    await goesOn(opened, 'One ')
    await opened.reload()
    await ask(page)
    await page.locator(shown).first().waitFor()
    await page.context().close()
  })
}

test('the source: the page is shown again', async () => {
  const opened = await cutOff()
  await showAs(opened.page, 'Source')
  await opened.page.getByText('This could not be loaded.').last().waitFor()
  await goesOn(opened, 'One ')
  await opened.reload()
  await showAs(opened.page, 'Source')
  await opened.page.locator('.source .cm-content').waitFor()
  await opened.page.context().close()
})

test('tables, code and emoji: nothing is said, and they come after a reload', async () => {
  const opened = await cutOff()
  const { page } = opened
  await page.locator('.text td').first().click()
  await page.locator('.text pre code').click()
  await goesOn(opened, 'One :smi')
  assert.is(await missing(page).count(), 0)
  await opened.reload()
  await page.locator('.text td').first().click()
  await page.getByRole('button', { name: 'Row menu' }).waitFor()
  await page.locator('.text pre code').click()
  await page.keyboard.press('End')
  await page.keyboard.type('2')
  await page.locator('.text pre .hljs-number, .text pre [class*="number"]').first().waitFor()
  await page.locator('.text > p').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(' :smile')
  await page.getByRole('listbox', { name: 'Emoji' }).waitFor()
  await page.context().close()
})

test('the keys of a phone', async () => {
  const opened = await cutOff(phone)
  await goesOn(opened, 'One ')
  await opened.reload()
  await opened.page.locator('.text > p').first().tap()
  await opened.page.locator('.touch-bar').first().waitFor()
  await opened.page.context().close()
})

test('no page complained but of what did not come', () => {
  const unexpected = stage.complaints.filter((text) => !/net::ERR_FAILED/.test(text))
  assert.equal(unexpected, [])
})

test.run()
