/** Find and replace: in the page's own text, at any size, with the keyboard. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { matchFrom, type Query, Search } from '../../web/find/search.ts'
import { pace, spentOn } from '../pace.ts'
import { becomes } from '../waiting.ts'
import { seriousFindings } from './axe.ts'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const find = (markdown: string, text: string, more: Partial<Query> = {}) => {
  const doc = parseMarkdown(markdown)
  const search = new Search({ text, matchesCase: false, wholeWords: false, ...more })
  return search.matchesIn(doc).map(({ from, to }) => doc.textBetween(from, to))
}

test('finds text across marks and soft breaks, case or not, words or not, and no patterns', () => {
  assert.equal(find('One **tw**o three\n', 'two'), ['two'])
  assert.equal(find('one\ntwo\n', 'one two'), ['one\ntwo'])
  assert.equal(find('Aa aA\n', 'aa'), ['Aa', 'aA'])
  assert.equal(find('Aa aA\n', 'aA', { matchesCase: true }), ['aA'])
  assert.equal(find('art start cart art\n', 'art', { wholeWords: true }), ['art', 'art'])
  assert.equal(find('a.c abc (x)\n', 'a.c'), ['a.c'])
  assert.equal(find('a.c abc (x)\n', '(x)'), ['(x)'])
  assert.equal(find('- one\n  - two one\n\n> one\n\n| one |\n| --- |\n', 'one').length, 4)
  assert.equal(find('été Été\n', 'été', { wholeWords: true }).length, 2)
  assert.equal(find('one\n\ntwo\n', 'one two'), [])
})

test('the next match from a place', () => {
  const matches = [3, 8, 20].map((from) => ({ from, to: from + 1 }))
  assert.equal(
    [0, 3, 4, 20, 21].map((pos) => matchFrom(matches, pos)),
    [0, 0, 1, 2, 0],
  )
})

const markdown = '# Pens\n\nA **pen** and a pen.\n\nNo ink.\n\n- a pencil\n- the Pen\n'
const selection = (page: Page) => page.evaluate(() => String(window.getSelection()))
const count = (page: Page, said: string) =>
  page.locator('.find-count', { hasText: new RegExp(`^${said}$`) }).waitFor()

test('Mod-f finds, Enter and Shift-Enter go round, Escape returns with the match selected', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  await page.getByText('No ink.').click()
  await page.keyboard.press('Control+f')
  const field = page.getByRole('textbox', { name: 'Find' })
  await field.waitFor()
  await page.keyboard.type('pen')
  await count(page, '4 of 5')
  await page.keyboard.press('Enter')
  await count(page, '5 of 5')
  await page.keyboard.press('Enter')
  await count(page, '1 of 5')
  await page.keyboard.press('Shift+Enter')
  await count(page, '5 of 5')
  const tinted = await page.evaluate(() => {
    const [match, current] = [CSS.highlights.get('find-match'), CSS.highlights.get('find-current')]
    return [match?.size, current?.size]
  })
  assert.equal(tinted, [4, 1])
  await page.getByRole('button', { name: 'Match case' }).click()
  await count(page, '1 of 3')
  await page.getByRole('button', { name: 'Whole words' }).click()
  await count(page, '1 of 2')
  await field.focus()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.is(await selection(page), 'pen')
  assert.is(await page.evaluate(() => CSS.highlights.size), 0)
  await page.keyboard.type('quill')
  await page.getByText('A quill and a pen.').waitFor()
  await page.context().close()
})

test('what is typed while the bar is still on its way is looked for, not written', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  let arrive = () => {}
  const arrives = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/find-bar-*.js', async (route) => {
    await arrives
    await route.continue()
  })
  await page.getByText('No ink.').dblclick()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('pe')
  arrive()
  await page.getByRole('button', { name: 'Match case' }).waitFor()
  await page.keyboard.type('ncil')
  assert.is(await page.getByRole('textbox', { name: 'Find' }).inputValue(), 'pencil')
  await count(page, '1 of 1')
  assert.is(await stage.markdown(sheet), markdown)
  await page.context().close()
})

test('Mod-h replaces one and all, keeps marks, and is one step to undo', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada', { colorScheme: 'dark' })
  await page.locator('.text h1').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+h')
  await page.getByRole('textbox', { name: 'Find' }).fill('pen')
  await count(page, '1 of 5')
  const by = page.getByRole('textbox', { name: 'Replace with' })
  await by.fill('quill pen')
  assert.equal(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.locator('.text h1', { hasText: 'quill pens' }).waitFor()
  await count(page, '2 of 5')
  await page.getByRole('button', { name: 'All', exact: true }).click()
  const replaced =
    '# quill quill pens\n\nA **quill pen** and a quill pen.\n\nNo ink.\n\n- a quill pencil\n- the quill pen\n'
  await page.locator('.text strong', { hasText: 'quill pen' }).waitFor()
  assert.is(await stage.reads(sheet, replaced), replaced)
  const quills = page.locator('.text > p').first().locator('[data-by^="ai:"]')
  assert.equal(await quills.allInnerTexts(), ['A ', 'pen', ' and a ', 'pen.'])
  await by.press('Escape')
  await page.keyboard.press('Control+z')
  const once = markdown.replace('Pens', 'quill pens')
  assert.is(await stage.reads(sheet, once), once)
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('many matches are replaced at once; blocks keep their ids, other words their authors', async () => {
  const text = Array.from({ length: 250 }, (_, n) => `Old ${n} between old.\n`).join('\n')
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada')
  const ids = () =>
    page.locator('.text > p').evaluateAll((all) => all.map((one) => one.getAttribute('data-id')))
  const before = await ids()
  await page.keyboard.press('Control+h')
  await page.getByRole('textbox', { name: 'Find' }).fill('old')
  await count(page, '1 of 500')
  await page.getByRole('textbox', { name: 'Replace with' }).fill('new')
  await page.getByRole('button', { name: 'All', exact: true }).click()
  const replaced = text.replaceAll(/old/gi, 'new')
  assert.is(await stage.reads(sheet, replaced), replaced)
  assert.equal(await ids(), before)
  assert.is(await page.evaluate(() => window.scrollY), 0)
  const quills = page.locator('.text > p').nth(7).locator('[data-by^="ai:"]')
  assert.equal(await quills.allInnerTexts(), [' 7 between ', '.'])
  await page.keyboard.press('Escape')
  await page.locator('.text').focus()
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, text), text)
  assert.equal(await ids(), before)
  const credited = page.locator('.text > p > [data-by^="ai:"]')
  await becomes(async () => (await credited.allTextContents()).join('\n\n') === text.trimEnd())
  await page.context().close()
})

for (const [device, options] of [
  ['desk', {}],
  ['narrow desk', { viewport: { width: 1100, height: 700 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const) {
  test(`the strip covers no text, and no line that is read moves: ${device}`, async () => {
    const lines = Array.from({ length: 120 }, (_, n) => `Line ${n} of ink.\n`).join('\n')
    const sheet = await stage.document(lines)
    const page = await person(stage, sheet, 'Ada', options)
    const topOf = (n: number) =>
      page
        .locator('.text > p')
        .nth(n)
        .evaluate((line) => line.getBoundingClientRect().top)
    const stripEnd = () =>
      page.locator('.find-bar').evaluate((strip) => strip.getBoundingClientRect().bottom)
    // It stands above the text.
    await page.getByText('You now own this document').waitFor()
    const firstTop = await topOf(0)
    await page.keyboard.press('Control+h')
    await page.getByRole('textbox', { name: 'Replace with' }).waitFor()
    assert.ok((await topOf(0)) >= (await stripEnd()), 'at the top the text makes way')
    const field = page.getByRole('textbox', { name: 'Find' })
    await field.fill('ink')
    await count(page, '1 of 120')
    for (let n = 0; n < 40; n++) await field.press('Enter')
    await count(page, '41 of 120')
    for (let n = 0; n < 30; n++) {
      await field.press('Shift+Enter')
      const hit = await page.evaluate(() => {
        const range = [...(CSS.highlights.get('find-current') ?? [])][0] as Range | undefined
        const box = range?.getBoundingClientRect()
        return box === undefined ? undefined : { top: box.top, bottom: box.bottom }
      })
      if (hit === undefined) continue
      assert.ok(hit.top >= (await stripEnd()), `the hit at ${hit.top} is not behind the strip`)
      assert.ok(hit.bottom <= (page.viewportSize()?.height ?? 0), 'nor below the window')
    }
    const before = await topOf(30)
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    assert.ok(Math.abs((await topOf(30)) - before) < 1, 'nothing moves as it goes')
    await page.keyboard.press('Control+f')
    await page.getByRole('button', { name: 'Match case' }).waitFor()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    assert.ok(Math.abs((await topOf(30)) - before) < 1, 'nor as it comes')
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(width <= 0, `the page is ${width} px too wide`)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.evaluate(() => window.scrollTo(0, 0))
    assert.is(await topOf(0), firstTop)
    await page.context().close()
  })
}

test('a megabyte is searched in less than 100 ms', () => {
  const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor '
  const doc = parseMarkdown(Array.from({ length: 10_000 }, (_, n) => `${n} ${words}\n`).join('\n'))
  const search = (text: string) => () => {
    const wanted = { text, matchesCase: false, wholeWords: false }
    assert.ok(new Search(wanted).matchesIn(doc).length > 0)
  }
  const least = Math.min(...['dolor', 'tempor', '9999'].map((text) => spentOn(search(text))))
  console.log(`find in 1 MB: ${least.toFixed(1)} ms`)
  assert.ok(least < 100 * pace(), `${least} ms`)
})

test.run()
