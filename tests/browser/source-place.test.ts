/** Where one reads stays in sight whatever the text is shown as. */
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { comesToRest } from './axe.ts'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** Blocks of many kinds and heights, which wrap otherwise at each width. */
const block = (n: number): string => {
  if (n % 7 === 3) return `## Heading ${n}\n`
  if (n % 7 === 5) return `- item ${n}\n- item two of ${n}\n- and three of ${n}\n`
  return `Paragraph ${n}. ${'It goes on for a while. '.repeat((n * 7) % 23)}`.trim().concat('\n')
}
const text = (blocks: number): string =>
  Array.from({ length: blocks }, (_, n) => block(n)).join('\n')

/** The number of the block that reaches across the top of the page, or of the source. */
const topBlock = (page: Page, pane?: 'source'): Promise<number> =>
  page.evaluate((wanted) => {
    const scroller = document
      .querySelector('.source-place')
      ?.shadowRoot?.querySelector('.cm-scroller')
    const isSource =
      wanted === 'source' || document.querySelector('.text')?.getClientRects().length === 0
    const edge = (isSource ? (scroller?.getBoundingClientRect().top ?? 0) : 48) + 2
    const all = isSource
      ? [...(scroller?.querySelectorAll('.cm-line') ?? [])].filter(
          (line) => line.textContent !== '',
        )
      : [...document.querySelectorAll('.text > *')]
    const top = all.findLast((element) => element.getBoundingClientRect().top <= edge)
    return Number(/\d+/.exec(top?.textContent ?? '')?.[0] ?? -1)
  }, pane)

/** Nothing moved for a while of frames. */
async function atRest(page: Page): Promise<number> {
  for (let calm = 0, last = ''; calm < 8; ) {
    const now = await page.evaluate(() => {
      const scroller = document
        .querySelector('.source-place')
        ?.shadowRoot?.querySelector('.cm-scroller')
      return [window.scrollY, scroller?.scrollTop].join()
    })
    calm = now === last ? calm + 1 : 0
    last = now
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  return topBlock(page)
}

/** Scrolls the page so that this block is across the top. */
async function readFrom(page: Page, wanted: number): Promise<void> {
  await page.mouse.move(300, 400)
  for (let looks = 0; (await atRest(page)) !== wanted && looks < 5; looks++) {
    await page.evaluate((index) => {
      const element = document.querySelectorAll('.text > *')[index]
      window.scrollBy(0, (element?.getBoundingClientRect().top ?? 0) - 40)
    }, wanted)
  }
  assert.is(await topBlock(page), wanted)
}

/** As a hand does: the locator's own click scrolls the page when a menu is not yet at rest. */
async function clickOn(page: Page, place: Locator): Promise<void> {
  await place.waitFor()
  await comesToRest(page)
  const box = await place.boundingBox()
  assert.ok(box)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

const desk = { viewport: { width: 1280, height: 700 } }
const phone = { viewport: { width: 390, height: 844 } }

/**
 * An entry of the menu View; of a group, 'Width: Wide'. On a phone they stand in the last menu.
 * What it shows has been drawn then: the source's editor is loaded when it is first asked for.
 */
async function choose(page: Page, entry: string): Promise<void> {
  const label = page.viewportSize()?.width === phone.viewport.width ? 'More' : 'View'
  await clickOn(page, page.getByRole('banner').getByRole('button', { name: label, exact: true }))
  const menu = page.getByRole('menu', { name: label, exact: true })
  const [name = entry, group] = entry.split(': ').reverse()
  const all = group === undefined ? menu : menu.getByRole('group', { name: group, exact: true })
  const role = name === 'Authors' ? 'menuitemcheckbox' : 'menuitemradio'
  await clickOn(page, all.getByRole(role, { name, exact: true }))
  await menu.waitFor({ state: 'detached' })
  const wanted = drawn[entry]
  if (wanted !== undefined) await page.locator(wanted).first().waitFor()
}

const drawn: Readonly<Record<string, string>> = {
  Page: 'html[data-view="page"] .text',
  Source: 'html[data-view="source"] .source[aria-busy="false"] .cm-line',
  'Page and source': 'html[data-view="split"] .source[aria-busy="false"] .cm-line',
}

const views = [
  ...['Source', 'Page', 'Page and source', 'Page', 'Page and source', 'Source', 'Page'],
  ...['Authors', 'Authors'],
  ...['Width: Wide', 'Width: Normal', 'Text size: Large', 'Text size: Small'],
]
const viewsOfPhone = ['Source', 'Page', 'Text size: Large', 'Source', 'Page', 'Text size: Small']

for (const [device, options, blocks, wanted, entries] of [
  ['desk', desk, 60, 31, views],
  ['desk', desk, 700, 679, views],
  ['phone', phone, 60, 39, viewsOfPhone],
] as const) {
  test(`one reads on at the same block of ${blocks}: ${device}`, async () => {
    const sheet = await stage.document(text(blocks))
    const page = await person(stage, sheet, 'Ada', options)
    await page.locator('.text').getByText('Paragraph 0.').click()
    await readFrom(page, wanted)
    for (const entry of entries) {
      await choose(page, entry)
      assert.is(await atRest(page), wanted, entry)
      if (entry === 'Page and source') assert.is(await topBlock(page, 'source'), wanted, entry)
    }
    assert.equal(stage.complaints, [])
    await page.context().close()
  })
}

test('what was scrolled in the source is where the page goes on; one’s caret stays', async () => {
  const sheet = await stage.document(text(60))
  const page = await person(stage, sheet, 'Ada', desk)
  await page.locator('.text').getByText('Paragraph 0.').click()
  await choose(page, 'Source')
  await atRest(page)
  assert.is(await page.locator('.source-place[data-scrolled]').count(), 0, 'at the top')
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 1_500)
  await page.waitForSelector('.source-place[data-scrolled]')
  const read = await atRest(page)
  assert.ok(read > 5)
  await choose(page, 'Page and source')
  assert.is(await atRest(page), read)
  await page.mouse.move(300, 400)
  await page.mouse.wheel(0, 600)
  const further = await atRest(page)
  assert.ok(further > read)
  await choose(page, 'Source')
  assert.is(await atRest(page), further, 'of two beside each other')
  await choose(page, 'Page')
  assert.is(await atRest(page), further)
  await page.keyboard.type('x')
  assert.match(await stage.reads(sheet, /^.{0,12}x/), /^.{0,12}x/)
  await page.context().close()
})

test.run()
