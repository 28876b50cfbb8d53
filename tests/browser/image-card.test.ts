/** The card of an image that is selected: under the picture, with width, replacing and download. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../pictures.ts'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const image = (page: Page) => page.locator('.text .image img')
const card = (page: Page) => page.getByRole('group', { name: 'Image' })

/** A document with an uploaded image between words, selected. */
async function selected(): Promise<{ page: Page; made: StageDocument; path: string }> {
  const made = await stage.document('Before.\n\nHERE\n\nAfter.\n')
  const page = await person(stage, made, 'Ada')
  const headers = { Origin: stage.origin, 'Content-Type': 'image/png' }
  const sent = await page.request.post(`/docs/${made.slug}/images`, {
    data: Buffer.from(png()),
    headers,
  })
  const { url: path } = await sent.json()
  const edits = [{ old_string: 'HERE', new_string: `![Chart](${stage.origin}${path})` }]
  await stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body: { edits } })
  await image(page).click()
  await card(page).waitFor()
  return { page, made, path }
}

test('the card stands beside the picture, not on it', async () => {
  const { page } = await selected()
  await page.locator('.image-card[data-placed]').waitFor()
  const [over, under] = [await image(page).boundingBox(), await card(page).boundingBox()]
  assert.ok(over && under)
  const isBelow = under.y >= over.y + over.height
  const isAbove = under.y + under.height <= over.y
  assert.ok(isBelow || isAbove, JSON.stringify([over, under]))
  await page.context().close()
})

test('a width is chosen, kept in the text, and no part of the description', async () => {
  const { page, made } = await selected()
  await card(page).getByLabel('Width').selectOption('Small')
  assert.match(await stage.reads(made, /\|240/), /!\[Chart\|240\]\(/)
  await page.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.text .image img')
    return img?.style.width === '240px' && img.alt === 'Chart'
  })
  await card(page).getByLabel('Description for screen readers').fill('A chart')
  await page.keyboard.press('Enter')
  assert.match(await stage.reads(made, /A chart/), /!\[A chart\|240\]\(/)
  await image(page).click()
  await card(page).getByLabel('Width').selectOption('Full width')
  assert.match(await stage.reads(made, /!\[A chart\]\(/), /!\[A chart\]\(/)
  await page.context().close()
})

test('another image takes its place and keeps the description', async () => {
  const { page, made, path } = await selected()
  const file = { name: 'new.png', mimeType: 'image/png', buffer: Buffer.from(png()) }
  await card(page).getByLabel('Choose an image').setInputFiles(file)
  await page.waitForFunction((old) => {
    const img = document.querySelector<HTMLImageElement>('.text .image img')
    return img !== null && !img.src.endsWith(old) && img.src.includes('/images/img_')
  }, path)
  const isNew = new RegExp(`^(?![^]*${path})[^]*!\\[Chart\\]`)
  assert.match(await stage.reads(made, isNew), isNew)
  // Undo and redo bring the one and the other.
  await page.locator('.text').focus()
  await page.keyboard.press('Control+z')
  assert.match(await stage.reads(made, new RegExp(path)), path)
  await page.keyboard.press('Control+Shift+z')
  assert.match(await stage.reads(made, isNew), isNew)
  await page.context().close()
})

test('the image is downloaded', async () => {
  const { page } = await selected()
  const download = page.waitForEvent('download')
  await card(page).getByLabel('Download image').click()
  const bytes = readFileSync(await (await download).path())
  assert.is(bytes.subarray(1, 4).toString(), 'PNG')
  await page.context().close()
})

test.run()
