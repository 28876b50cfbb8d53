/**
 * The first person who comes by an agent's share link owns the document (extensions §13): that is
 * said until it was read, and the ownership can be given back.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const words = 'You now own this document. You can lock, archive and delete it.'
const note = (page: Page) => page.locator('.claim-note').getByText(words)

async function comes(made: StageDocument): Promise<Page> {
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await page.waitForSelector('.text[contenteditable="true"]')
  return page
}

const ownerOf = async ({ slug, token }: StageDocument) =>
  (await stage.call('GET', `/docs/${slug}/owner`, { token }))['owner']

test('it is said once, and stays until it was dismissed', async () => {
  const made = await stage.document('# Plan\n')
  const page = await comes(made)
  await note(page).waitFor()
  await page.reload()
  await note(page).waitFor()
  assert.is(await page.getByText('You are now the owner of this document.').count(), 0)
  await page.getByRole('button', { name: 'Got it' }).click()
  await note(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.is(await note(page).count(), 0)
  assert.ok((await ownerOf(made)) !== null)
  await page.context().close()
})

test('given back it is nobody’s, and the next person who comes owns it', async () => {
  const made = await stage.document('# Plan\n')
  const page = await comes(made)
  await note(page).waitFor()
  await page.getByRole('button', { name: 'Give up ownership' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('You no longer own this document. You can still edit it.').waitFor()
  await note(page).waitFor({ state: 'detached' })
  await page.locator('.text:focus').waitFor()
  assert.is(await page.getByText('You can now edit this document.').count(), 0)
  await page.reload()
  await page.waitForSelector('.text[contenteditable="true"]')
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.is(await ownerOf(made), null)

  const next = await comes(made)
  await note(next).waitFor()
  assert.ok((await ownerOf(made)) !== null)
  for (const one of [page, next]) await one.context().close()
})

test('no more than two notices are seen at once', async () => {
  const made = await stage.document('# Plan\n')
  const page = await comes(made)
  await note(page).waitFor()
  for (const state of ['Saved', 'Saved', 'Saved']) {
    await page.getByRole('status').getByText(state, { exact: true }).click()
  }
  const shown = await page.locator('.notices > *, .claim-note').filter({ visible: true }).count()
  assert.is(shown, 2)
  await page.context().close()
})

test('nothing is said to who made the document', async () => {
  const page = await stage.person()
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).click()
  await page.waitForSelector('.text[contenteditable="true"]')
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.is(await note(page).count(), 0)
  await page.context().close()
})

test.run()
