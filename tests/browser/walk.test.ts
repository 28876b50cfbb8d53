/**
 * What somebody meets who comes to a document another way than planned: by a link that is no good,
 * by no link at all, or again after their role became another one.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { divert, makeDivertible } from './diverted.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const opened = (page: Page) => page.waitForSelector('main[data-synced="true"]')

test('whoever comes by a link that is no good is told so, once', async () => {
  const made = await stage.document('# Plan\n')
  const owner = await stage.person()
  await owner.goto(made.shareAddress)
  await owner.getByText('You now own this document').waitFor()
  await owner.evaluate(async (address) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ mode: 'restricted' })
    const answer = await fetch(address, { method: 'PATCH', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }, `/docs/${made.slug}/link-access`)
  await owner.context().close()
  const page = await stage.person()
  await page.goto(`/d/${made.slug}?token=shr_foreign`)
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  assert.is(new URL(page.url()).search, '')
  await page.reload()
  await page.getByRole('heading', { name: 'You need a link' }).waitFor()
  await page.context().close()
})

test('a short link that leads nowhere says so in the words of the page', async () => {
  const page = await stage.person()
  const answer = await page.goto('/s/0123456789abcdefghij')
  assert.is(answer?.status(), 404)
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await page.getByRole('link', { name: 'All documents' }).click()
  await page.waitForURL(`${stage.origin}/`)
  const asProgram = await fetch(`${stage.origin}/s/0123456789abcdefghij`)
  assert.is(asProgram.status, 404)
  assert.match(await asProgram.text(), /"code":"NOT_FOUND"/)
  await page.context().close()
})

test('a link that is no good takes nothing from who may read anyway', async () => {
  const made = await stage.document('# Plan\n')
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await opened(page)
  await page.goto(`/d/${made.slug}?token=shr_foreign`)
  await page.getByText('The link you followed no longer works.').waitFor()
  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  await page.context().close()
})

test('what anyone may read is shown, live and read-only, to somebody without a link', async () => {
  const made = await stage.document('# Plan\n\nOld words.\n')
  const page = await stage.person()
  await page.goto(`/d/${made.slug}`)
  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  await page.getByText('View only: ask for access to edit').waitFor()
  await stage.call('PATCH', `/docs/${made.slug}`, {
    token: made.token,
    body: { edits: [{ old_string: 'Old', new_string: 'New' }] },
  })
  await page.getByText('New words.').waitFor()
  assert.is(await page.locator('.text').getAttribute('contenteditable'), 'false')
  await page.context().close()
})

test('who reads without a link goes on reading after the service was away', async () => {
  const made = await stage.document('# Plan\n\nOld words.\n')
  const page = await stage.person()
  await makeDivertible(page)
  await page.goto(`/d/${made.slug}`)
  await page.getByText('View only: ask for access to edit').waitFor()
  await divert(page, true)
  await stage.kill()
  await stage.start()
  await page.waitForResponse((response) => response.url().endsWith(`/docs/${made.slug}`))
  await divert(page, false)
  await stage.call('PATCH', `/docs/${made.slug}`, {
    token: made.token,
    body: { edits: [{ old_string: 'Old', new_string: 'New' }] },
  })
  await page.getByText('New words.').waitFor()
  await page.context().close()
})

test.run()
