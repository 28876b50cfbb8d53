/**
 * What the service does not take: the page goes back to the service's copy and keeps the lost text
 * aside. Closings for which there is no honest way yet are played between page and service.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const state = (page: Page) => page.locator('.state-line')
const says = (page: Page, words: string) =>
  state(page)
    .getByText(words, { exact: true })
    .waitFor()
    .catch(async () => assert.is(await state(page).innerText(), words))
const paragraph = (page: Page) => page.locator('.text p').first()
const lost = (page: Page) => page.getByLabel('Unsaved text')

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await paragraph(page).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

const until = (isSo: () => Promise<boolean>) => becomes(isSo, 30_000)

const saved = (made: StageDocument, words: string) =>
  until(async () => (await stage.markdown(made)).includes(words))

/** In the page: whether this device has the first state of the copy and something more. */
const keptUpdates = async (): Promise<boolean> => {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('scriptorium')
    request.onsuccess = () => resolve(request.result)
  })
  const count = await new Promise<number>((resolve) => {
    const request = database.transaction('updates').objectStore('updates').count()
    request.onsuccess = () => resolve(request.result)
  })
  database.close()
  return count > 1
}

/** Closes the page's next sockets, this many, at their first update after the answer. */
async function refuseUpdates(page: Page, close: { code: number; reason: string }, times = 1) {
  let left = times
  await page.routeWebSocket(/\/live\?/, (socket) => {
    const service = socket.connectToServer()
    let updates = 0
    socket.onMessage((frame) => {
      if (frame[0] === 0 && frame[1] !== 0) updates += 1
      if (updates < 2 || left === 0) return service.send(frame)
      left -= 1
      void socket.close(close)
      void service.close()
    })
  })
}

/** Its maker's page, on which the next update is refused. */
async function refusedPage(close: { code: number; reason: string }) {
  const made = await stage.document('Words.\n')
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  await refuseUpdates(page, close)
  await page.reload()
  await says(page, 'Saved')
  return { made, page }
}

test('a refused update is rolled back, its text kept aside, and writing goes on', async () => {
  const { made, page } = await refusedPage({ code: 4403, reason: 'FORBIDDEN' })
  await typeAtEnd(page, '!')
  await lost(page).waitFor()
  assert.is(await lost(page).inputValue(), 'Words.!')
  assert.is(await paragraph(page).innerText(), 'Words.')
  await says(page, 'Saved')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await lost(page).waitFor({ state: 'detached' })
  await typeAtEnd(page, ' More.')
  await saved(made, 'Words. More.')
  await until(() => page.evaluate(keptUpdates))
  // From here on the page reaches nothing: what it shows is what this device kept.
  await page.routeWebSocket(/\/live\?/, () => undefined)
  await page.reload()
  await paragraph(page).getByText('Words. More.').waitFor()
  await page.context().close()
})

test('the store is swapped for an older backup: the page follows and keeps what is gone', async () => {
  const made = await stage.document('One.\n')
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  await typeAtEnd(page, ' Two.')
  await saved(made, 'Two.')
  const backup = await stage.backup()
  await typeAtEnd(page, ' Three.')
  await saved(made, 'Three.')
  await stage.kill()
  stage.restore(backup)
  await stage.start()
  await lost(page).waitFor()
  assert.is(await lost(page).inputValue(), 'One. Two. Three.')
  assert.is(await paragraph(page).innerText(), 'One. Two.')
  await typeAtEnd(page, ' Four.')
  await saved(made, 'One. Two. Four.')
  await page.reload()
  await says(page, 'Saved')
  assert.is(await paragraph(page).innerText(), 'One. Two. Four.')
  await page.context().close()
})

const endings = [
  [4404, 'DOC_NOT_FOUND', 'Document not found'],
  [4423, 'DOC_ARCHIVED', 'This document was archived'],
] as const

for (const [code, reason, words] of endings) {
  test(`closed with ${code}: ${words}, and what was not saved is kept aside`, async () => {
    const { page } = await refusedPage({ code, reason })
    await typeAtEnd(page, '!')
    await page.getByText(words, { exact: true }).waitFor()
    assert.is(await lost(page).inputValue(), 'Words.!')
    assert.is(await page.locator('.text[contenteditable=true]').count(), 0)
    await page.context().close()
  })
}

test('a page that is too old says so; what was written comes in after the reload', async () => {
  const { made, page } = await refusedPage({ code: 4426, reason: 'reload the page' })
  page.on('dialog', (dialog) => void dialog.accept())
  await typeAtEnd(page, '!')
  await says(page, 'Reload to continue')
  assert.is(await lost(page).count(), 0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload to continue' }).click()
  await saved(made, 'Words.!')
  await page.context().close()
})

for (const [code, reason] of [
  [4401, ''],
  [4403, 'role lost'],
  [4503, 'role gained'],
  [1013, ''],
] as const) {
  test(`closed with ${code} ${reason}: the page comes back, nothing is lost`, async () => {
    const { made, page } = await refusedPage({ code, reason })
    await typeAtEnd(page, '!')
    await saved(made, 'Words.!')
    await says(page, 'Saved')
    assert.is(await lost(page).count(), 0)
    await page.context().close()
  })
}

test('a line that went silent is given up when the page comes to doubt it', async () => {
  const made = await stage.document('Words.\n')
  const page = await stage.person()
  let isSilent = false
  await page.routeWebSocket(/\/live\?/, (socket) => {
    const service = socket.connectToServer()
    const isCut = isSilent
    socket.onMessage((frame) => {
      if (isCut === isSilent) service.send(frame)
    })
    service.onMessage((frame) => {
      if (isCut === isSilent) socket.send(frame)
    })
  })
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  // Said with the hello of a new line, whose text is still on its way.
  await says(page, 'Saved')
  isSilent = true
  await typeAtEnd(page, '!')
  await says(page, 'Saving…')
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await saved(made, 'Words.!')
  await says(page, 'Saved')
  await page.context().close()
})

test('a browser that keeps nothing says so', async () => {
  const made = await stage.document('Words.\n')
  const page = await stage.person()
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  await stage.kill()
  await typeAtEnd(page, '!')
  await says(page, 'Offline, 1 change not saved: keep this page open')
  await stage.start()
  await saved(made, 'Words.!')
  await page.context().close()
})

test('a document without room says so', async () => {
  const { page } = await refusedPage({ code: 4413, reason: 'PAYLOAD_TOO_LARGE' })
  await typeAtEnd(page, '!')
  await page.getByText('would become too large').waitFor()
  assert.is(await paragraph(page).innerText(), 'Words.')
  await page.context().close()
})

test.run()
