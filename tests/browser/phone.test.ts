/** On a phone, 390 px wide: home's lists, the bar above the keyboard, the menu. */
import type { BrowserContextOptions } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

test('the tabs of home begin where the rows do, and none is cut', async () => {
  const page = await stage.person(phone)
  const headers = { Origin: stage.origin }
  await page.request.post('/auth/guest', { data: { name: 'Ada' }, headers })
  await page.request.post('/docs', { data: { markdown: '# Plan\n' }, headers })
  await page.goto('/')
  await page.locator('.row').waitFor()
  const tabs = page.getByRole('navigation', { name: 'Lists' })
  const boxes = await tabs.getByRole('link').evaluateAll((links) =>
    links.map((link) => {
      const { left, right } = link.getBoundingClientRect()
      return { left, right }
    }),
  )
  assert.is(boxes.length, 4)
  assert.is(boxes[0]?.left, 16)
  assert.ok((boxes[3]?.right ?? 0) <= 374, JSON.stringify(boxes))
  const cut = await tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  assert.is(cut, 0)
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  const icon = await page.locator('.row-icon').first().boundingBox()
  assert.is(icon?.x, 16)
  await page.context().close()
})

test('Comment is among the first five of the bar, and no menu tells of keys', async () => {
  const sheet = await stage.document('Words.\n')
  const page = await person(stage, sheet, 'Ada', phone)
  await page.locator('.text p').tap()
  const bar = page.getByRole('toolbar', { name: 'Editing' })
  await bar.waitFor()
  const labels = await bar
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  assert.ok(labels.slice(0, 5).includes('Comment'), labels.join())
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Word count' }).waitFor()
  assert.is(await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).count(), 0)
  await page.context().close()
})

test('on a phone the note of who owns a document covers no text', async () => {
  const sheet = await stage.document('Words.\n')
  const page = await stage.person(phone)
  await page.goto(sheet.shareAddress)
  const note = page.locator('.claim-note')
  await note.waitFor()
  const [box, words] = await Promise.all([
    note.boundingBox(),
    page.locator('.text p').boundingBox(),
  ])
  assert.ok((box?.y ?? 0) + (box?.height ?? 0) <= (words?.y ?? 0), JSON.stringify([box, words]))
  await page.context().close()
})

test.run()
