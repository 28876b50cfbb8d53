/** Who wrote what: tints, gutter, legend and tips on the page, and the arithmetic behind them. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { listed, summary } from '../../web/authors/edit-summary.ts'
import { Hues, hueCount, sharingHues } from '../../web/authors/hues.ts'
import { percent, sharesOf } from '../../web/authors/shares.ts'
import { becomes } from '../waiting.ts'
import { seriousFindings } from './axe.ts'
import { agentEdits, person } from './company.ts'
import { Stage } from './stage.ts'
import { toggleAuthors } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

test('hues: what one guesses before an author wrote everybody guesses', () => {
  const guessed = (actor: string) => new Hues().of(actor)
  assert.is(guessed('human:ada'), guessed('human:ada'))
  const seen = new Set(Array.from({ length: 200 }, (_, n) => guessed(`human:${n}`)))
  assert.is(seen.size, hueCount)
  const hues = new Hues()
  assert.ok(hues.learn('human:ada', 7))
  assert.is(hues.of('human:ada'), 7)
  assert.not(hues.learn('human:ada', 7))
})

test('hues: of those who share one all but the first have a second sign', () => {
  const hueOf = (actor: string) => (actor === 'c' ? 1 : 0)
  assert.equal([...sharingHues(['b', 'c', 'a'], hueOf)], ['b'])
})

test('shares: counted by text, unchanged blocks counted once', () => {
  const doc = parseMarkdown('abcd\n\nefgh ij\n')
  const { authored } = doc.type.schema.marks
  const [first, second] = [doc.child(0), doc.child(1)]
  const by = (actor: string) => authored?.create({ by: actor })
  const marked = doc.copy(
    first.content.size === 4
      ? doc.content
          .replaceChild(0, first.copy(marksOn(first, by('human:a'))))
          .replaceChild(1, second.copy(marksOn(second, by('ai:q'))))
      : doc.content,
  )
  assert.equal(
    sharesOf(marked).map(({ actor, chars }) => [actor, chars]),
    [
      ['ai:q', 7],
      ['human:a', 4],
    ],
  )
  assert.is(percent(0.004), '< 1 %')
  assert.is(percent(0.376), '38 %')
})

type Block = ReturnType<typeof parseMarkdown>
function marksOn(block: Block, mark: unknown): Block['content'] {
  return block.content.replaceChild(0, block.child(0).mark([mark as never]))
}

test('announcements are summed up', () => {
  const quill = new Map([[1, 'paragraph']])
  assert.is(summary(new Map([['Quill', quill]])), 'Quill edited a paragraph.')
  quill.set(9, 'paragraph').set(20, 'paragraph')
  assert.is(summary(new Map([['Quill', quill]])), 'Quill edited 3 paragraphs.')
  quill.set(30, 'table')
  const ada = new Map([[2, 'heading']])
  const both = new Map([
    ['Quill', quill],
    ['Ada', ada],
  ])
  assert.is(summary(both), 'Quill edited 4 blocks. Ada edited a heading.')
  assert.is(listed(['A', 'B', 'C', 'D']), 'A, B and 2 more')
})

const markdown = '# Plan\n\nWe meet on Monday.\n\nBring the charts.\n'

test('the toggle tints text by author, tells agents by more than colour, and names them', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  await page.getByText('Bring the charts.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' And pens.')
  const pens = page.locator('[data-by^="human:"]', { hasText: 'And pens.' })
  await pens.waitFor()
  const background = () => pens.evaluate((span) => getComputedStyle(span).backgroundColor)
  assert.is(await background(), 'rgba(0, 0, 0, 0)')

  assert.is(await toggleAuthors(page), true)
  const legend = page.getByRole('complementary', { name: 'Authors' })
  await legend.getByRole('listitem').filter({ hasText: 'Quill' }).waitFor()
  const ada = legend.getByRole('listitem').filter({ hasText: 'Ada' })
  await ada.waitFor()
  assert.match(await ada.innerText(), /person[\s\S]*\d+ %/)
  assert.is(await ada.getAttribute('aria-current'), 'true')
  assert.is.not(await background(), 'rgba(0, 0, 0, 0)')

  const sign = (words: string) =>
    page
      .locator('[data-by]', { hasText: words })
      .evaluate((span) => getComputedStyle(span).backgroundImage)
  assert.not.match(await sign('And pens.'), /radial/)
  assert.match(await sign('We meet on Monday.'), /radial/)
  assert.ok((await page.locator('.author-bar:not([hidden])').count()) >= 1)
  assert.equal(await seriousFindings(page), [])

  await pens.hover()
  const tip = page.getByRole('tooltip').filter({ hasText: 'Ada · person' })
  await tip.waitFor()
  await page.mouse.move(5, 5)
  await tip.waitFor({ state: 'hidden' })

  assert.is(await toggleAuthors(page), false)
  assert.is(await background(), 'rgba(0, 0, 0, 0)')
  assert.is(await legend.count(), 0)
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('§2.6 one document, one colour an author: whoever looks, and after a reload', async () => {
  const sheet = await stage.document(markdown)
  const pages = [await person(stage, sheet, 'Ada'), await person(stage, sheet, 'Bea')]
  const names = ['Ada', 'Bea']
  for (const [index, page] of pages.entries()) {
    await page.getByText('Bring the charts.').click()
    await page.keyboard.press('End')
    await page.keyboard.type(` ${names[index]} was here.`)
  }
  for (const page of pages) await page.getByText('Bea was here.').waitFor()
  const made = await stage.call('GET', `/docs/${sheet.slug}?include=authorship`, sheet)
  const actors = Object.values(made['actors'] as Record<string, { name: string; hue: number }>)
  const given = actors.map(({ name, hue }) => `${name} ${hue}`).sort()
  assert.is(new Set(actors.map(({ hue }) => hue)).size, 3)
  const hasAll = (page: Page) =>
    page.waitForFunction((wanted) => {
      const rows = [...document.querySelectorAll<HTMLElement>('.legend-row')].map(
        (row) => `${row.querySelector('.legend-name')?.textContent} ${row.dataset['hue']}`,
      )
      return rows.sort().join() === wanted
    }, given.join())
  for (const page of pages) {
    await toggleAuthors(page)
    await hasAll(page)
  }
  await pages[1]?.reload()
  if (pages[1] !== undefined) await toggleAuthors(pages[1])
  for (const page of pages) await hasAll(page)
  assert.equal(stage.complaints, [])
  for (const page of pages) await page.context().close()
})

test('a word in which several wrote is shown as of who wrote most of it', async () => {
  const sheet = await stage.document('On Monday we meet.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text').getByText('On Monday').click()
  await page.keyboard.press('Home')
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
  for (const key of ['Delete', 'Delete', 'Delete']) await page.keyboard.press(key)
  await page.keyboard.type('Fri')
  await page.locator('[data-by^="human:"]', { hasText: 'Fri' }).waitFor()
  assert.is(await page.locator('[data-word-by]').count(), 0)
  await toggleAuthors(page)
  const parts = page.locator('[data-word-by]')
  await parts.first().waitFor()
  assert.equal(await parts.allInnerTexts(), ['Fri', 'day'])
  const by = await parts.evaluateAll((all) => all.map((one) => one.getAttribute('data-word-by')))
  assert.is(new Set(by).size, 1)
  assert.match(String(by[0]), /^ai:/, 'as many letters: who wrote the last of them')
  const exact = page.locator('[data-by^="human:"]', { hasText: 'Fri' })
  assert.is(await exact.innerText(), 'Fri', 'what is recorded stays')
  await toggleAuthors(page)
  await parts.first().waitFor({ state: 'detached' })
  await page.context().close()
})

test('new text takes its author’s tint while the view is on; the caret’s author is marked', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada', { colorScheme: 'dark' })
  await toggleAuthors(page)
  await agentEdits(stage, sheet, [{ old_string: 'Monday', new_string: 'Tuesday at ten' }])
  await page.getByText('Tuesday at ten').waitFor()
  await page.getByText('Bring the charts.').click()
  const row = page.getByRole('listitem').filter({ hasText: 'Quill' })
  await page.locator('.legend-row[aria-current]', { hasText: 'Quill' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Mine.')
  await page.locator('.legend-row[aria-current]', { hasText: 'Ada' }).waitFor()
  assert.is(await row.getAttribute('aria-current'), null)
  assert.equal(await seriousFindings(page), [])
  await page.setViewportSize({ width: 390, height: 700 })
  const legend = await page.getByRole('complementary', { name: 'Authors' }).boundingBox()
  assert.is((legend?.y ?? 0) + (legend?.height ?? 0), 700)
  await page.context().close()
})

test('who goes on writing under a tint that is there has nothing styled anew', async () => {
  const sheet = await stage.document('Words of an agent.\n')
  const page = await person(stage, sheet, 'Ada')
  const legend = page.getByRole('complementary', { name: 'Authors' })
  const shares = () => legend.getByRole('listitem').allInnerTexts()
  await toggleAuthors(page)
  await page.locator('.text p').click()
  await page.keyboard.press('End')
  await page.keyboard.type('Mine.')
  await legend.getByRole('listitem').filter({ hasText: 'Ada' }).waitFor()
  await page.evaluate(() => {
    const replace = CSSStyleSheet.prototype.replaceSync
    CSSStyleSheet.prototype.replaceSync = function (text) {
      document.documentElement.dataset['styled'] = 'anew'
      replace.call(this, text)
    }
  })
  const before = await shares()
  await page.keyboard.type(' And more of it.')
  await becomes(async () => String(await shares()) !== String(before))
  assert.is(await page.locator('html[data-styled]').count(), 0)
  await page.context().close()
})

test('the authors stand beside the text, and under it where cards are beside it', async () => {
  const sheet = await stage.document('Words of an agent.\n')
  const page = await person(stage, sheet, 'Ada', { viewport: { width: 1280, height: 700 } })
  await toggleAuthors(page)
  const legend = page.getByRole('complementary', { name: 'Authors' })
  const bottom = (box: Awaited<ReturnType<typeof legend.boundingBox>>) =>
    (box?.y ?? 0) + (box?.height ?? 0)
  assert.ok(bottom(await legend.boundingBox()) < 350)
  const body = { quote: 'Words', text: 'Which?' }
  await stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  await page.locator('.talk-card').waitFor()
  const box = await legend.boundingBox()
  assert.is(bottom(box), 700)
  assert.ok(bottom(await page.locator('.talk-card').boundingBox()) < (box?.y ?? 0))
  await page.context().close()
})

test('what somebody restores or accepts is told as theirs, not as of who wrote the words', async () => {
  const sheet = await stage.document(markdown)
  const ann = await person(stage, sheet, 'Ann')
  const bea = await person(stage, sheet, 'Bea')
  const { revision } = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  await ann.getByText('Bring the charts.').click({ clickCount: 3 })
  await ann.keyboard.press('Delete')
  await bea.getByText('Bring the charts.').waitFor({ state: 'detached' })
  await ann.locator('.state-line').getByText('Saved').waitFor()
  const said = bea.locator('[data-purpose="remote-changes"]')
  const asAnn = (path: string, data: unknown) =>
    ann.request.post(`/docs/${sheet.slug}/${path}`, { data, headers: { Origin: stage.origin } })
  const now = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  const reverted = await asAnn('revert', { revision, base_revision: now['revision'] })
  assert.ok(reverted.ok())
  await bea.getByText('Bring the charts.').waitFor()
  await becomes(async () => (await said.textContent()) === 'Ann edited a paragraph.')
  const suggestion = { new_string: '**Monday**' }
  const body = { quote: 'Monday', text: 'Louder.', suggestion }
  await stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  await said.evaluate((region) => region.replaceChildren())
  await ann.locator('.talk-card').getByRole('button', { name: 'Accept' }).click()
  await bea.locator('.text strong').waitFor()
  await becomes(async () => (await said.textContent()) === 'Ann edited a paragraph.')
  for (const page of [ann, bea]) {
    assert.is(await page.getByRole('button', { name: 'People here: You and 1 more' }).count(), 1)
  }
  for (const page of [ann, bea]) await page.context().close()
})

test.run()
