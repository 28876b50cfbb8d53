/**
 * Without the service: what was opened before opens again, what is written is kept on this device,
 * also across a reload, and comes into the document on return.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { setAccess } from './company.ts'
import { divert, makeDivertible } from './diverted.ts'
import { Stage, type StageDocument } from './stage.ts'
import { showAs } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const state = (page: Page) => page.locator('.state-line')
const says = (page: Page, words: string) =>
  state(page)
    .getByText(words, { exact: true })
    .waitFor()
    .catch(async () => assert.is(await shown(page), words))
/** The state, or all there is where there is none. */
const shown = (page: Page): Promise<string> =>
  state(page)
    .innerText({ timeout: 1_000 })
    .catch(() => page.locator('body').innerText())
/** Until the page has a worker, and the worker the page's scripts. */
const kept = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await until(() =>
    page.evaluate(async () => {
      const wanted: string[] = await (await fetch('/assets/files.json')).json()
      const missing = wanted.map(async (path) => (await caches.match(path)) === undefined)
      return !(await Promise.all(missing)).includes(true)
    }),
  )
}

/** The line may say Saved for the first 400 ms: what is on disk, the service knows. */
const until = (isSo: () => Promise<boolean>) => becomes(isSo, 30_000)

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
  await page.getByText('You now own this document').waitFor()
  await typeAfter(page, 'First.', ' Online.')
  await until(async () => (await stage.markdown(made)).includes('Online.'))
  await kept(page)
  // What is large and not wanted by everybody is kept once it was used.
  await showAs(page, 'Source')
  await page.locator('.cm-line', { hasText: '# Log' }).waitFor()
  await showAs(page, 'Page')
  await stage.kill()
  await typeAfter(page, 'First.', ' Off')
  await says(page, 'Offline, 4 changes saved on this device')
  await page.reload()
  await says(page, 'Offline, 4 changes saved on this device')
  await typeAfter(page, 'First.', 'line.')
  await showAs(page, 'Source')
  await page.locator('.cm-line', { hasText: '# Log' }).waitFor()
  await showAs(page, 'Page')
  await says(page, 'Offline, 9 changes saved on this device')
  await page.reload()
  await says(page, 'Offline, 9 changes saved on this device')
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

/** Its maker's page, with what it needs to open without the service. */
async function maker(markdown: string): Promise<{ made: StageDocument; page: Page }> {
  const made = await stage.document(markdown)
  const page = await stage.person({ serviceWorkers: 'allow' })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  await kept(page)
  return { made, page }
}

const paragraphs = (page: Page): Promise<string[]> => page.locator('.text p').allInnerTexts()

test('two pages of one browser write offline and keep what both wrote', async () => {
  const { made, page } = await maker('Left.\n\nRight.\n')
  const other = await page.context().newPage()
  other.on('dialog', (dialog) => void dialog.accept())
  await other.goto(`/d/${made.slug}`)
  await says(other, 'Saved')
  await stage.kill()
  await typeAfter(page, 'Left.', ' A')
  await typeAfter(other, 'Right.', ' B')
  await says(page, 'Offline, 2 changes saved on this device')
  await says(other, 'Offline, 2 changes saved on this device')
  await page.reload()
  await says(page, 'Offline, 4 changes saved on this device')
  assert.equal(await paragraphs(page), ['Left. A', 'Right. B'])
  await typeAfter(page, 'Left.', '!')
  await stage.start()
  for (const one of [page, other]) {
    await says(one, 'Saved')
    await one.locator('.text').getByText('Left. A!').waitFor()
  }
  assert.is((await stage.markdown(made)).trim(), 'Left. A!\n\nRight. B')
  await page.reload()
  await says(page, 'Saved')
  assert.equal(await paragraphs(page), ['Left. A!', 'Right. B'])
  await page.context().close()
})

test('the source opens offline, also where it was not used before', async () => {
  const { page } = await maker('Words.\n')
  await stage.kill()
  await typeAfter(page, 'Words.', ' More.')
  await showAs(page, 'Source')
  await page.locator('.source[aria-busy=false]').waitFor()
  await showAs(page, 'Page')
  await typeAfter(page, 'Words. More.', ' Still.')
  await says(page, 'Offline, 13 changes saved on this device')
  await stage.start()
  await says(page, 'Saved')
  await page.context().close()
})

test("a reader's copy is readable offline, and cannot be changed", async () => {
  const { made, page: owner } = await maker('Read me.\n')
  await setAccess(owner, made, 'viewer')
  const url = await owner.evaluate(async (slug) => {
    const answer = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return (await answer.json()).url
  }, made.slug)
  const reader = await stage.person({ serviceWorkers: 'allow' })
  await reader.goto(url)
  await says(reader, 'View only')
  await kept(reader)
  await stage.kill()
  await reader.reload()
  await says(reader, 'Offline')
  assert.equal(await paragraphs(reader), ['Read me.'])
  assert.is(await reader.locator('.text[contenteditable=true]').count(), 0)
  await stage.start()
  await says(reader, 'View only')
  await reader.context().close()
  await owner.context().close()
})

test('a role that is lowered and raised again while one is here', async () => {
  const { made, page: owner } = await maker('Words.\n')
  const allow = (role: 'editor' | 'viewer') => setAccess(owner, made, role)
  await allow('editor')
  const url = await owner.evaluate(async (slug) => {
    const answer = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return (await answer.json()).url
  }, made.slug)
  const guest = await stage.person()
  await guest.goto(url)
  await says(guest, 'Saved')
  await allow('viewer')
  await says(guest, 'View only')
  assert.is(await guest.locator('.text[contenteditable=true]').count(), 0)
  assert.is(await guest.getByLabel('Unsaved text').count(), 0)
  await allow('editor')
  await guest.locator('.text[contenteditable=true]').waitFor()
  await says(guest, 'Saved')
  await guest.context().close()
  await owner.context().close()
})

test('who loses the right to write while offline keeps the words aside on return', async () => {
  const { made, page: owner } = await maker('Words.\n')
  const guest = await stage.person({ serviceWorkers: 'allow' })
  const url = await owner.evaluate(async (slug) => {
    const answer = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return (await answer.json()).url
  }, made.slug)
  const headers = { Origin: stage.origin }
  await guest.request.post('/auth/guest', { data: { name: 'Ada' }, headers })
  await makeDivertible(guest)
  await guest.goto(url)
  await says(guest, 'Saved')
  await divert(guest, true)
  await stage.kill()
  await typeAfter(guest, 'Words.', ' Mine.')
  await says(guest, 'Offline, 6 changes saved on this device')
  await stage.start()
  await setAccess(owner, made, 'viewer')
  await divert(guest, false)
  await guest.getByLabel('Unsaved text').waitFor()
  assert.is(await guest.getByLabel('Unsaved text').inputValue(), 'Words. Mine.')
  await says(guest, 'View only')
  assert.equal(await paragraphs(guest), ['Words.'])
  await guest.context().close()
  await owner.context().close()
})

test('signing out in another page leaves no copy behind', async () => {
  const { made, page } = await maker('Private.\n')
  const other = await page.context().newPage()
  await other.goto(`/d/${made.slug}`)
  await says(other, 'Saved')
  await other.getByRole('button', { name: /^People here/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  const isNobody = () => localStorage.getItem('actor') === 'nobody'
  await other.waitForFunction(isNobody)
  await page.waitForFunction(() => document.querySelector('.state-line')?.textContent === 'Saved')
  const actors = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('scriptorium')
      request.onsuccess = () => resolve(request.result)
    })
    return new Promise<unknown[]>((resolve) => {
      const request = database.transaction('copies').objectStore('copies').getAll()
      request.onsuccess = () => resolve(request.result.map(({ actor }) => actor))
    })
  })
  assert.ok(
    actors.every((actor) => actor === 'nobody'),
    String(actors),
  )
  await page.context().close()
})

test.run()
