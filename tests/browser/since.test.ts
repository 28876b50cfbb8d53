/**
 * Since the last visit (extensions §12): what others changed while one was away is told in a line
 * and marked beside the text, for viewers too, and goes when it was read or put aside.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, person, setAccess } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const filler = Array.from({ length: 60 }, (_, at) => `Filler ${at}.`).join('\n\n')
const text = `# Plan\n\nfirst words\n\n- one\n- two\n\ngone soon\n\n${filler}\n\nlast words\n`

const stage = await Stage.open()
const sheet = await stage.document(text)
/** Ann and her document, one visit after the other. */
const ann = await person(stage, sheet, 'Ann')
test.after(() => stage.close())

const line = (page: Page) => page.getByRole('complementary', { name: 'Since your last visit' })
const marks = (page: Page) => page.locator('.visit-mark')
const arrived = (page: Page) => page.waitForSelector('#text[data-synced="true"] .text [data-id]')

/** The visit is over, as when a tab is closed: what it has seen is kept. */
async function leave(page: Page, sheet: StageDocument): Promise<void> {
  const seen = () =>
    page.evaluate((slug) => {
      dispatchEvent(new PageTransitionEvent('pagehide'))
      return (localStorage.getItem('visits') ?? '').includes(slug)
    }, sheet.slug)
  while (!(await seen())) await page.waitForTimeout(50)
  await page.goto('about:blank')
}

const comeBack = async (page: Page, sheet: StageDocument): Promise<void> => {
  await page.goto(`${stage.origin}/d/${sheet.slug}`)
  await arrived(page)
}

async function changed(sheet: StageDocument): Promise<void> {
  await agentEdits(stage, sheet, [{ old_string: 'first words', new_string: 'other words' }])
  await agentEdits(stage, sheet, [{ old_string: '- two', new_string: '- two and more' }])
  await agentEdits(stage, sheet, [{ old_string: 'gone soon\n\n', new_string: '' }])
  await agentEdits(stage, sheet, [
    { old_string: 'last words', new_string: 'last words\n\nnew one\n\nnew two' },
  ])
}

test('what an agent did meanwhile is told, also on home, marked, gone to, and read once', async () => {
  assert.is(await line(ann).count(), 0, 'nothing on a first visit')
  await leave(ann, sheet)
  const row = ann.getByRole('link', { name: /Plan/ })
  const news = row.getByText('Changed since your last visit')
  await ann.goto('/')
  await row.waitFor()
  assert.is(await news.count(), 0, 'nothing happened')
  await changed(sheet)
  await ann.goto('/')
  await news.waitFor()
  await comeBack(ann, sheet)
  await line(ann).getByText('Quill changed 4 places since').waitFor()
  assert.is(await marks(ann).count(), 4)
  const top = await ann.locator('.text').evaluate((node) => node.getBoundingClientRect().top)
  assert.is(await marks(ann).nth(2).getAttribute('data-kind'), 'deleted')
  assert.match((await marks(ann).first().getAttribute('title')) ?? '', 'Changed by Quill since')
  // What is in sight is read after a moment; the last place is far below.
  await line(ann).getByText('· 1 left').waitFor()
  await ann.keyboard.press('F8')
  await ann.keyboard.press('Shift+F8')
  await ann.locator('.text').getByText('new one').waitFor()
  await ann.waitForFunction(() => {
    const block = [...document.querySelectorAll('.text p')].find(
      ({ textContent }) => textContent === 'new one',
    )
    const box = block?.getBoundingClientRect()
    return box !== undefined && box.top > 48 && box.bottom < innerHeight
  })
  await line(ann).getByText('· all reviewed').waitFor()
  await line(ann).waitFor({ state: 'detached' })
  assert.is(await marks(ann).count(), 0)
  await ann.evaluate(() => scrollTo(0, 0))
  const now = await ann.locator('.text').evaluate((node) => node.getBoundingClientRect().top)
  assert.is(now, top, 'nothing moved')
  await leave(ann, sheet)
  await ann.goto('/')
  await row.waitFor()
  assert.is(await news.count(), 0, 'read is read')
})

test('what was not read is told again; put aside it is not', async () => {
  await agentEdits(stage, sheet, [
    { old_string: 'other words', new_string: 'further words' },
    { old_string: 'new two', new_string: 'newer two' },
  ])
  await comeBack(ann, sheet)
  await line(ann).getByText('· 1 left').waitFor()
  await leave(ann, sheet)
  await agentEdits(stage, sheet, [{ old_string: 'Filler 30.', new_string: 'Fuller 30.' }])
  await comeBack(ann, sheet)
  await line(ann).getByText('Quill changed 2 places since').waitFor()
  await line(ann).getByRole('button', { name: 'Compare' }).click()
  await ann.getByRole('dialog', { name: 'Version history' }).getByText('further ').waitFor()
  await ann.keyboard.press('Escape')
  await line(ann).getByRole('button', { name: 'Dismiss' }).click()
  await line(ann).waitFor({ state: 'detached' })
  assert.is(await marks(ann).count(), 0)
  await leave(ann, sheet)
  await comeBack(ann, sheet)
  await ann.locator('.text').getByText('further words').waitFor()
  await ann.waitForTimeout(500)
  assert.is(await line(ann).count(), 0)
})

test('a nameless viewer is told too; nobody of what one did oneself', async () => {
  await setAccess(ann, sheet, 'viewer')
  const vic = await stage.person()
  await comeBack(vic, sheet)
  await vic.waitForSelector('.text[contenteditable="false"]')
  await leave(vic, sheet)
  await leave(ann, sheet)
  const data = { edits: [{ old_string: 'further words', new_string: 'Mine.' }] }
  const headers = { Origin: stage.origin }
  const written = await ann.request.patch(`${stage.origin}/docs/${sheet.slug}`, { data, headers })
  assert.ok(written.ok())
  await comeBack(vic, sheet)
  await line(vic)
    .getByText(/^Ann changed one place since/)
    .waitFor()
  await comeBack(ann, sheet)
  await ann.locator('.text').getByText('Mine.').waitFor()
  await ann.waitForTimeout(500)
  assert.is(await line(ann).count(), 0)
  await vic.context().close()
})

test('a tab that was left open tells what came while it was out of sight', async () => {
  const other = await stage.document(text)
  await ann.goto(other.shareAddress)
  await ann.waitForSelector('#text[data-synced="true"] .text[contenteditable="true"]')
  /** As a browser does when another tab is shown, and so much later. */
  const look = (state: 'hidden' | 'visible', laterMs: number) =>
    ann.evaluate(
      ([visibility, later]) => {
        const now = Date.now() + later
        Date.now = () => now
        Object.defineProperty(document, 'visibilityState', {
          value: visibility,
          configurable: true,
        })
        document.dispatchEvent(new Event('visibilitychange'))
      },
      [state, laterMs] as const,
    )
  await look('hidden', 0)
  await changed(other)
  await ann.locator('.text').getByText('new two').waitFor()
  await look('visible', 8 * 3_600_000)
  await line(ann).getByText('Quill changed 4 places since').waitFor()
})

test.run()
