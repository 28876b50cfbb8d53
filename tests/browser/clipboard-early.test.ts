/** Copies that come before what prints markdown, which is loaded with the first selection. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const markdown = '# Head *with* marks\n\n- [x] done\n- open\n\nSee [there](https://example.com/).\n'
const permissions = ['clipboard-read', 'clipboard-write']

interface Held {
  readonly page: Page
  readonly sheet: StageDocument
  /** Lets the printer come, or says that it cannot be had. */
  release(isThere?: boolean): void
}

/** As a page has it over plain http; ours is kept to look at. */
const noClipboard = `
  window.kept = navigator.clipboard
  Object.defineProperty(navigator, 'clipboard', { value: undefined })`

/** A page on whose way the printer is held up. */
async function withoutPrinter(init = ''): Promise<Held> {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada', { permissions })
  await page.addInitScript({ content: init })
  await page.reload()
  await page.waitForSelector('#text[data-synced="true"]')
  let release: Held['release'] = () => undefined
  const released = new Promise<boolean>((resolve) => {
    release = (isThere = true) => resolve(isThere)
  })
  await page.route(/\/printer-/, async (route) =>
    (await released) ? route.continue() : route.abort(),
  )
  await page.locator('.text').focus()
  await page.keyboard.press('Control+a')
  return { page, sheet, release }
}

const onClipboard = (page: Page, type: string): Promise<string> =>
  page.evaluate(async (wanted) => {
    const { kept = navigator.clipboard } = window as { kept?: Clipboard }
    const [item] = await kept.read()
    return (await item?.getType(wanted))?.text() ?? ''
  }, type)

/** The clipboard's text once it is as wanted, else what it is after long enough a time. */
async function inTheEnd(page: Page, wanted: string): Promise<string> {
  const end = Date.now() + 10_000
  for (;;) {
    const text = await onClipboard(page, 'text/plain')
    if (text === wanted || Date.now() > end) return text
  }
}

for (const [key, where, init] of [
  ['c', '', ''],
  ['x', '', ''],
  ['c', ', over plain http', noClipboard],
  ['x', ', over plain http', noClipboard],
] as const) {
  test(`what was taken by Ctrl+${key} becomes markdown once that is there${where}`, async () => {
    const { page, sheet, release } = await withoutPrinter(init)
    await page.keyboard.press(`Control+${key}`)
    assert.match(await onClipboard(page, 'text/plain'), /^Head with marks\n\n/)
    release()
    assert.is(await inTheEnd(page, markdown.trimEnd()), markdown.trimEnd())
    assert.match(await onClipboard(page, 'text/html'), /data-pm-slice/)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    assert.is(await stage.reads(sheet, ''), '')
    await page.keyboard.press('Control+v')
    assert.is(await stage.reads(sheet, markdown), markdown)
    await page.context().close()
  })
}

test('what was copied since is left alone', async () => {
  const { page, release } = await withoutPrinter()
  await page.keyboard.press('Control+c')
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  const printed = page.waitForEvent('requestfinished', (request) =>
    /\/printer-/.test(request.url()),
  )
  release()
  await printed
  await page.waitForTimeout(200)
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), 'something else')
  await page.context().close()
})

test('where it cannot be had the words are there', async () => {
  const { page, release } = await withoutPrinter()
  await page.keyboard.press('Control+c')
  release(false)
  await page.waitForTimeout(200)
  assert.match(await onClipboard(page, 'text/plain'), /^Head with marks\n\n/)
  assert.match(await onClipboard(page, 'text/html'), /<h1/)
  await page.context().close()
})

test.run()
