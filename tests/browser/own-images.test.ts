/**
 * Uploaded images after the service has got another address (extensions §1): they are shown and
 * exported under the present one. What only looks like one is somebody else's image.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../pictures.ts'
import { becomes } from '../waiting.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

async function opened(page: Page, made: StageDocument): Promise<void> {
  await page.goto(made.shareAddress)
  await page.waitForSelector('.text[contenteditable="true"]')
}

/** The path of a picture that was uploaded to the document. */
const uploaded = (page: Page, { slug }: StageDocument): Promise<string> =>
  page.evaluate(
    async ([path, bytes]) => {
      await fetch('/auth/guest', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Ada' }),
      })
      const body = Uint8Array.from(bytes)
      const headers = { 'Content-Type': 'image/png' }
      const answer = await fetch(path, { method: 'POST', body, headers })
      return String((await answer.json()).url)
    },
    [`/docs/${slug}/images`, [...png()]] as const,
  )

const replace = ({ slug, token }: StageDocument, from: string, to: string) => {
  const body = { edits: [{ old_string: from, new_string: to }] }
  return stage.call('PATCH', `/docs/${slug}`, { token, body })
}

test('an image of another address is shown, downloaded and copied under the present one', async () => {
  const made = await stage.document('Words.\n')
  const page = await stage.person({ acceptDownloads: true })
  await opened(page, made)
  const path = await uploaded(page, made)
  const old = `https://old.example/wiki${path}`
  await replace(made, 'Words.', `![Chart](${old})`)
  await page.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.text .image img')
    return img?.complete === true && img.naturalWidth > 0
  })
  const present = stage.origin + path

  const okf = await fetch(`${stage.origin}/docs/${made.slug}?format=okf`)
  assert.ok((await okf.text()).includes(`![Chart](${present})`))
  assert.is(await stage.markdown(made), `![Chart](${old})\n`)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Download as markdown' }).click()
  const file = await (await download).path()
  assert.is(readFileSync(file, 'utf8'), `![Chart](${present})\n`)

  await page.locator('.text').focus()
  await page.keyboard.press('Control+a')
  const copied = () =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer()
      const init = { clipboardData, bubbles: true, cancelable: true }
      document.querySelector('.text')?.dispatchEvent(new ClipboardEvent('copy', init))
      return clipboardData.getData('text/html')
    })
  // What prepares it comes with the selection.
  await becomes(async () => (await copied()).includes(`src="${present}"`), 30_000)
  await page.context().close()
})

test('an image of another host with such a path is that host’s', async () => {
  const made = await stage.document('Words.\n')
  const page = await stage.person()
  await opened(page, made)
  const path = await uploaded(page, made)
  const other = `https://other.example${path.slice(0, -20)}${'z'.repeat(20)}`
  const asked: string[] = []
  await page.context().route('https://other.example/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ status: 200, contentType: 'image/png', body: Buffer.from(png()) })
  })
  await replace(made, 'Words.', `![Theirs](${other})`)
  await page.locator('.card').getByText('other.example').waitFor()
  assert.equal(asked, [])
  await page.getByRole('button', { name: 'Load external images' }).click()
  await page.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.text .image img')
    return img?.src.startsWith('https://other.example/') === true && img.naturalWidth > 0
  })
  assert.equal(asked, [other])
  const okf = await fetch(`${stage.origin}/docs/${made.slug}?format=okf`)
  assert.ok((await okf.text()).includes(other))
  await page.context().close()
})

test('images come back to life when the service is started under another host', async () => {
  const made = await stage.document('Words.\n')
  const page = await stage.person()
  await opened(page, made)
  const path = await uploaded(page, made)
  await replace(made, 'Words.', `![Chart](${stage.origin}${path})`)
  await page.context().close()
  const moved = stage.origin.replace('127.0.0.1', 'localhost')
  await stage.restart({ BASE_URL: moved })
  const reader = await stage.person({ baseURL: moved })
  await reader.goto(made.shareAddress.replace('127.0.0.1', 'localhost'))
  await reader.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.text .image img')
    return img?.src.startsWith('http://localhost') === true && img.naturalWidth > 0
  })
  await reader.context().close()
})

test.run()
