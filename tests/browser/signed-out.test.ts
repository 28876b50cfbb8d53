/**
 * A proxy in front whose sign-in has ended while the page is open: each request is answered with
 * the page to sign in, or sent to it, while the socket lives on. Nothing counts as done, what was
 * written stays, it is said beside it, and goes out once the sign-in is renewed.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(async () => {
  await stage.close()
  const unexpected = stage.complaints.filter(
    (line) => !/Failed to load resource|sign-in\.invalid/.test(line),
  )
  assert.equal(unexpected, [])
})

type How = 'page' | 'redirect'
const answers = {
  page: { status: 200, contentType: 'text/html', body: '<title>Sign in</title>' },
  redirect: { status: 302, headers: { location: 'https://sign-in.invalid/' } },
} as const

/** What its scripts ask for; returns how the sign-in is renewed. */
async function signOut(page: Page, how: How): Promise<() => Promise<void>> {
  const isAsked = (kind: string) => kind === 'fetch' || kind === 'xhr'
  await page.route('**/*', (route) =>
    isAsked(route.request().resourceType()) ? route.fulfill(answers[how]) : route.continue(),
  )
  return () => page.unroute('**/*')
}

const ended = /Your sign-in at the proxy has ended. Reload the page to sign in/

async function threadsOf({ slug, token }: StageDocument): Promise<string> {
  return JSON.stringify(await stage.call('GET', `/docs/${slug}/threads`, { token }))
}

/** Until the service has these words in a thread. */
async function arrives(sheet: StageDocument, words: string): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await threadsOf(sheet)).includes(words)) {
    assert.ok(Date.now() < end, `${words} never came`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

for (const how of ['page', 'redirect'] as const) {
  test(`a comment stays in its field, is told why, and is sent once that is over (${how})`, async () => {
    const sheet = await stage.document('Some words.\n')
    const page = await person(stage, sheet, 'Ada')
    await page.locator('.text p').first().click()
    await page.keyboard.press('Control+Alt+m')
    const form = page.getByRole('region', { name: 'New comment' })
    await form.getByRole('textbox', { name: 'Comment' }).fill('Not to be lost')
    const renew = await signOut(page, how)
    await form.getByRole('button', { name: 'Comment' }).click()
    await form.getByText(ended).waitFor()
    assert.is(await form.getByRole('textbox').inputValue(), 'Not to be lost')
    await renew()
    await form.getByRole('button', { name: 'Comment' }).click()
    await form.waitFor({ state: 'detached' })
    await arrives(sheet, 'Not to be lost')
    await page.context().close()
  })

  test(`a suggestion is said to be unsent, and goes out by itself (${how})`, async () => {
    const sheet = await stage.document('Some words.\n')
    const page = await person(stage, sheet, 'Ada')
    await page.keyboard.press('Control+Alt+Shift+x')
    await page.locator('.mode-suggesting').waitFor()
    await page.waitForLoadState('networkidle')
    const renew = await signOut(page, how)
    await page.locator('.text p').first().click()
    await page.keyboard.press('End')
    await page.keyboard.type(' More')
    await page.locator('.draft-note').getByText(ended).waitFor()
    await renew()
    await arrives(sheet, 'words. More')
    await page.locator('.draft-note').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test(`an image waits in its place, and stands there afterwards (${how})`, async () => {
    const sheet = await stage.document('Some words.\n')
    const page = await person(stage, sheet, 'Ada')
    const renew = await signOut(page, how)
    await page.locator('.text p').first().click()
    await paste(page)
    await page.locator('.upload').getByText(ended).waitFor()
    assert.is(await stage.markdown(sheet), 'Some words.\n')
    await renew()
    // The page may be faster and send it by itself: then there is the image.
    const retry = page.locator('.upload').getByRole('button', { name: 'Retry' })
    await retry.or(page.locator('.text p img')).first().click()
    assert.match(await stage.reads(sheet, /!\[/), /!\[\]\(http:[^)]*\/docs\/\w+\/images\/[\w-]+\)/)
    await page.context().close()
  })

  test(`home says why its list is not there, and makes no document that is none (${how})`, async () => {
    const sheet = await stage.document('# Listed\n')
    const page = await person(stage, sheet, 'Ada')
    await page.goto('/')
    await page.getByRole('button', { name: 'New document' }).first().waitFor()
    await page.route('**/workspace/**', (route) => route.fulfill(answers[how]))
    await page.reload()
    await page.locator('.rows-trouble').getByText(ended).waitFor()
    const renew = await signOut(page, how)
    await page.getByRole('button', { name: 'New document' }).first().click()
    await page.locator('.notice').getByText(ended).waitFor()
    assert.is(new URL(page.url()).pathname, '/')
    // Who one is cannot be asked either.
    await page.reload()
    await page.locator('.notice').getByText(ended).waitFor()
    await renew()
    await page.reload()
    await page.locator('.rows-trouble').getByText(ended).waitFor()
    await page.unroute('**/workspace/**')
    await page.locator('.rows-trouble').getByRole('button', { name: 'Try again' }).click()
    await page.locator('.rows-trouble').waitFor({ state: 'detached' })
    await page.context().close()
  })
}

/** A picture of the clipboard. */
const paste = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const painted = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    const data = new DataTransfer()
    data.items.add(new File([painted ?? ''], 'a.png', { type: 'image/png' }))
    const init = { bubbles: true, cancelable: true, clipboardData: data }
    document.querySelector('.text')?.dispatchEvent(new ClipboardEvent('paste', init))
  })

test.run()
