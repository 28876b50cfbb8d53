/** What is not text and still on its way: the state line says so, and leaving the page warns. */
import type { Page, Route } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const says = (page: Page, words: string) =>
  page.locator('.state-line').getByText(words, { exact: true }).waitFor()

/** Whether leaving asks first; one stays. */
async function asks(page: Page): Promise<boolean> {
  const asked = page
    .waitForEvent('dialog', { timeout: 3_000 })
    .then((dialog) => dialog.dismiss().then(() => dialog.type() === 'beforeunload'))
  await page.close({ runBeforeUnload: true })
  return asked
}

/** Requests of this kind wait until they are let go. */
async function hold(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  await page.route(path, (route) => void held.push(route))
  return async () => {
    for (const route of held.splice(0)) await route.continue()
    await page.unroute(path)
  }
}

async function suggests(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+Alt+Shift+x')
  await page.locator('.mode-suggesting').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.text p').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(words)
}

test('a suggestion', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Ada')
  await says(page, 'Saved')
  const letGo = await hold(page, '**/comments')
  await suggests(page, ' More')
  await says(page, 'Not sent: 1 suggestion')
  assert.ok(await asks(page))
  await letGo()
  await says(page, 'Saved')
  await page.context().close()
})

test('a suggestion whose mode one has left goes out all the same', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.route('**/comments', (route) => route.fulfill({ status: 502 }))
  await suggests(page, ' More')
  await says(page, 'Not sent: 1 suggestion')
  const note = page.locator('.draft-note')
  await note.getByText('The proxy could not reach the server').waitFor()
  await page.keyboard.press('Control+Alt+Shift+z')
  await page.locator('.mode-editing').waitFor()
  await says(page, 'Not sent: 1 suggestion')
  await page.unroute('**/comments')
  await says(page, 'Saved')
  const threads = await stage.call('GET', `/docs/${sheet.slug}/threads`, { token: sheet.token })
  assert.match(JSON.stringify(threads), 'words. More')
  await page.context().close()
})

test('a suggestion that did not go out goes out after a reload in another mode', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.route('**/comments', (route) => route.fulfill({ status: 502 }))
  await suggests(page, ' More')
  await says(page, 'Not sent: 1 suggestion')
  await page.keyboard.press('Control+Alt+Shift+z')
  await page.locator('.mode-editing').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await says(page, 'Not sent: 1 suggestion')
  await page.locator('.mode-editing').waitFor()
  assert.is(await page.locator('.text').innerText(), 'Some words.')
  await page.unroute('**/comments')
  await says(page, 'Saved')
  const threads = await stage.call('GET', `/docs/${sheet.slug}/threads`, { token: sheet.token })
  assert.match(JSON.stringify(threads), 'words. More')
  await page.context().close()
})

test('a suggestion accepted while its page was gone is not sent again by the page', async () => {
  const sheet = await stage.document('Some words.\n\nAnd more.\n')
  const page = await person(stage, sheet, 'Ada')
  await suggests(page, ' One')
  const { slug, token } = sheet
  const read = async () => {
    const found = await stage.call('GET', `/docs/${slug}/threads`, { token })
    return found['threads'] as { comments: { id: string }[] }[]
  }
  const counts = async (count: number) => {
    const end = Date.now() + 20_000
    while ((await read()).length < count && Date.now() < end) await page.waitForTimeout(100)
  }
  await counts(1)
  const [thread] = await read()
  await page.route('**/comments', (route) => route.fulfill({ status: 502 }))
  await page.locator('.text p').last().click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Two')
  await says(page, 'Not sent: 1 suggestion')
  await page.keyboard.press('Control+Alt+Shift+z')
  await page.locator('.mode-editing').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  await stage.call('POST', `/docs/${slug}/comments/${thread?.comments[0]?.id}/accept`, { token })
  await page.unroute('**/comments')
  await page.goto(`/d/${slug}`)
  await says(page, 'Saved')
  await counts(2)
  await page.waitForTimeout(1_000)
  assert.is((await read()).length, 2)
  await page.context().close()
})

test('a comment', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text p').first().click()
  await page.keyboard.press('Control+Alt+m')
  const form = page.getByRole('region', { name: 'New comment' })
  await form.getByRole('textbox', { name: 'Comment' }).fill('Said')
  const letGo = await hold(page, '**/comments')
  await form.getByRole('button', { name: 'Comment' }).click()
  await says(page, 'Not sent: 1 comment')
  assert.ok(await asks(page))
  await letGo()
  await says(page, 'Saved')
  await page.context().close()
})

test('files, beside a suggestion and offline', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Ada')
  const letGo = await hold(page, '**/images')
  await page.locator('.text p').first().click()
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const painted = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    const data = new DataTransfer()
    for (const name of ['a.png', 'b.png']) {
      data.items.add(new File([painted ?? ''], name, { type: 'image/png' }))
    }
    const init = { bubbles: true, cancelable: true, clipboardData: data }
    document.querySelector('.text')?.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await says(page, 'Not sent: 2 files')
  assert.ok(await asks(page))
  await stage.kill()
  await says(page, 'Offline. Not sent: 2 files')
  await stage.start()
  await letGo()
  await says(page, 'Saved')
  assert.match(await stage.reads(sheet, /!\[.*!\[/s), /!\[.*!\[/s)
  await page.context().close()
})

test.run()
