/** What a browser has to load: scripts, compressed, of home and of a document. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** KB of script that the page has loaded, each file gzipped. */
async function scriptKb(page: Page): Promise<number> {
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  const scripts = loaded.filter((name) => new URL(name).pathname.endsWith('.js'))
  assert.ok(scripts.length > 0)
  const sizes = scripts.map(async (name) => {
    const bytes = new Uint8Array(await (await fetch(name)).arrayBuffer())
    return gzipSync(bytes, { level: 9 }).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000
}

test('home loads less than 120 KB of script, a document less than 330', async () => {
  const sheet = await stage.document('# Plan\n\nWords.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text').getByText('Words.').click()
  await page.keyboard.type('x')
  await page.getByRole('status').getByText('Saved').waitFor()
  // What is loaded when there is nothing else to do, is loaded too.
  await page.waitForTimeout(1_500)
  const document = await scriptKb(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).waitFor()
  await page.waitForTimeout(1_500)
  const home = await scriptKb(page)
  console.log(`\nscript at load: home ${home.toFixed(0)} KB, a document ${document.toFixed(0)} KB`)
  assert.ok(home < 120, `${home} KB`)
  assert.ok(document < 330, `${document} KB`)
  await page.context().close()
})

test.run()
