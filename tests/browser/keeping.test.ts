/**
 * Browsers that keep nothing on the device, each in its way: the page opens, says that what is
 * written without the service is in it alone, and brings it to the service afterwards.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(async () => {
  await stage.close()
  const unexpected = stage.complaints.filter(
    (line) => !/Failed to load resource|WebSocket connection|ERR_/.test(line),
  )
  assert.equal(unexpected, [])
})

/** Text, since what translates these tests names every function. */
const hindrances: Readonly<Record<string, string>> = {
  'there is no such thing': `
    Object.defineProperty(window, 'indexedDB', { value: undefined })`,
  'asking for it is forbidden': `
    Object.defineProperty(window, 'indexedDB', {
      get() { throw new DOMException('no', 'SecurityError') },
    })`,
  'opening throws': `
    IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }`,
  'opening fails': `
    // A newer page has been here.
    indexedDB.open('scriptorium', 99)`,
  'opening never ends': `
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function () {
      const request = open.call(this, 'another')
      request.addEventListener('success', (event) => event.stopImmediatePropagation(), true)
      request.addEventListener('upgradeneeded', (event) => event.stopImmediatePropagation(), true)
      return request
    }`,
  'another tab blocks it': `
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name) {
      const held = open.call(this, name + '-held', 1)
      const asked = new EventTarget()
      held.onsuccess = () => asked.dispatchEvent(new Event('blocked'))
      return Object.setPrototypeOf(asked, IDBOpenDBRequest.prototype)
    }`,
  'writing never ends': `
    const { add } = IDBObjectStore.prototype
    IDBObjectStore.prototype.add = function (...given) {
      const request = add.apply(this, given)
      const swallow = (event) => event.stopImmediatePropagation()
      for (const type of ['success', 'error']) request.addEventListener(type, swallow, true)
      this.transaction.addEventListener('complete', swallow, true)
      return request
    }`,
  'the disk is full': `
    // As a transaction ends that has no room.
    IDBTransaction.prototype.commit = function () { this.abort() }`,
}

const says = (page: Page, words: string) =>
  page.locator('.state-line').getByText(words, { exact: true }).waitFor()

for (const [name, content] of Object.entries(hindrances)) {
  test(name, async () => {
    const sheet = await stage.document('Words.\n')
    const page = await stage.person()
    await page.addInitScript({ content })
    await page.goto(sheet.shareAddress)
    await page.getByText('You now own this document').waitFor()
    await stage.kill()
    await page.locator('.text p').first().click()
    await page.keyboard.press('End')
    await page.keyboard.type('!?')
    await says(page, 'Offline, 2 changes not saved: keep this page open')
    await stage.start()
    await says(page, 'Saved')
    assert.is(await stage.reads(sheet, 'Words.!?\n'), 'Words.!?\n')
    await page.context().close()
  })
}

test('a browser that keeps says so, and never more than it has written', async () => {
  const sheet = await stage.document('Words.\n')
  const page = await person(stage, sheet, 'Ada')
  await stage.kill()
  await page.locator('.text p').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await says(page, 'Offline, 1 change saved on this device')
  // From now on what is written does not end.
  await page.evaluate(hindrances['writing never ends'] ?? '')
  await page.keyboard.type('??')
  await says(page, 'Offline, 2 changes not saved: keep this page open')
  await stage.start()
  await says(page, 'Saved')
  await page.context().close()
})

test('where it hangs one can sign out all the same', async () => {
  const sheet = await stage.document('Words.\n')
  const page = await stage.person()
  await page.addInitScript({ content: hindrances['opening never ends'] ?? '' })
  const headers = { Origin: stage.origin }
  await page.context().request.post('/auth/guest', { data: { name: 'Ada' }, headers })
  await page.goto(sheet.shareAddress)
  await says(page, 'Saved')
  await page.getByRole('button', { name: /^People here/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page
    .getByRole('dialog', { name: 'Sign out and give up your documents?' })
    .getByRole('button', { name: 'Sign out' })
    .click()
  await page.getByRole('button', { name: 'People here: You', exact: true }).waitFor()
  await page.context().close()
})

test.run()
