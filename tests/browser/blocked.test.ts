/**
 * A network that lets no websocket through (extensions §5): the document is read over HTTP and kept
 * up to date, read-only, and what was typed before goes out once a socket opens.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../free-port.ts'
import { ReverseProxy } from '../proxy.ts'
import { Stage, type StageDocument } from './stage.ts'

const [port, at] = [await freePort(), await freePort()]
const proxy = await ReverseProxy.open({ port: () => port, at })
const stage = await Stage.open({ PORT: String(port), BASE_URL: proxy.base })
test.before.each(() => {
  proxy.upgrades = 'pass'
})
test.after(async () => {
  await stage.close()
  await proxy.close()
})

const reason = 'Live editing is blocked by this network'
const person = () => stage.person({ baseURL: `${proxy.base}/` })
const edit = ({ slug, token }: StageDocument, from: string, to: string) => {
  const body = { edits: [{ old_string: from, new_string: to }] }
  return stage.call('PATCH', `/docs/${slug}`, { token, body })
}
const says = (page: Page, words: string) =>
  page.locator('.state-line').getByText(words, { exact: true }).waitFor()
const isEditable = async (page: Page) =>
  (await page.locator('.text[contenteditable=true]').count()) > 0

async function comes(page: Page, made: StageDocument): Promise<void> {
  const { pathname, search } = new URL(made.shareAddress)
  await page.goto(`${proxy.base}${pathname}${search}`)
}

for (const upgrades of ['refuse', 'hang'] as const) {
  test(`websockets that ${upgrades}: the text is shown, kept up to date, and read-only`, async () => {
    proxy.upgrades = upgrades
    const made = await stage.document('# Plan\n\nFirst.\n')
    const page = await person()
    await comes(page, made)
    await page.locator('.text').getByText('First.').waitFor()
    await says(page, reason)
    assert.is(await isEditable(page), false)
    assert.is(await page.locator('.bar').getByText('Editing', { exact: true }).count(), 0)
    await edit(made, 'First.', 'Second.')
    await page.locator('.text').getByText('Second.').waitFor()
    await says(page, reason)
    proxy.upgrades = 'pass'
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await says(page, 'Saved')
    assert.is(await isEditable(page), true)
  })
}

test('who is signed in keeps the name, though no socket says who it is', async () => {
  const made = await stage.document('First.\n')
  const page = await person()
  await comes(page, made)
  await says(page, 'Saved')
  const me = () => page.evaluate(async () => (await fetch('/auth/me')).json())
  await page.evaluate(async () => {
    const body = JSON.stringify({ handle: 'ann', name: 'Ann Lee', password: 'correct horse' })
    const headers = { 'Content-Type': 'application/json' }
    await fetch('/auth/signup', { method: 'POST', headers, body })
  })
  proxy.upgrades = 'hang'
  await page.reload()
  await page.locator('.text').getByText('First.').dblclick()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Whose name is this?')
  await page.locator('.card-new').getByRole('button', { name: 'Comment' }).click()
  await page.locator('.talk-card').getByText('Ann Lee').first().waitFor()
  assert.is((await me()).name, 'Ann Lee')
})

test('what was typed before stays on the device, and goes out once a socket opens', async () => {
  const made = await stage.document('First.\n')
  const page = await person()
  page.on('dialog', (dialog) => void dialog.accept())
  await comes(page, made)
  await says(page, 'Saved')
  await page.locator('.text').getByText('First.').click()
  await page.keyboard.press('End')
  await stage.kill()
  await page.keyboard.type(' Mine')
  await says(page, 'Offline, 5 changes saved on this device')
  proxy.upgrades = 'refuse'
  await stage.start()
  await says(page, `${reason}, 5 changes saved on this device`)
  await edit(made, 'First.', 'The first.')
  await page.locator('.text').getByText('The first. Mine').waitFor()
  await page.reload()
  await says(page, `${reason}, 5 changes saved on this device`)
  await page.locator('.text').getByText('The first. Mine').waitFor()
  assert.is((await stage.markdown(made)).trim(), 'The first.')
  proxy.upgrades = 'pass'
  await page.reload()
  await says(page, 'Saved')
  assert.match(await stage.reads(made, /Mine/), /The first\. Mine/)
})

test('comments of others arrive, and one can comment', async () => {
  proxy.upgrades = 'refuse'
  const made = await stage.document('First.\n')
  const page = await person()
  await comes(page, made)
  await says(page, reason)
  const { slug, token } = made
  const body = { text: 'Is this so?', quote: 'First.' }
  await stage.call('POST', `/docs/${slug}/comments`, { token, body })
  await page.getByText('Is this so?').first().waitFor()
})

test('access that ends while polling is said', async () => {
  proxy.upgrades = 'refuse'
  const made = await stage.document('First.\n')
  const page = await person()
  await comes(page, made)
  await says(page, reason)
  const headers = { Origin: proxy.base }
  await page.getByText('You now own this document').first().waitFor()
  await page.request.post(`/docs/${made.slug}/archive`, { headers })
  await page.getByText('“First.” was archived').first().waitFor()
})

test.run()
