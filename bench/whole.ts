/** What hands and others cost a page with 10,000 blocks, and all of it at once. */

import { Stage } from '../tests/browser/stage.ts'
import { toggleAuthors } from '../tests/browser/view-menu.ts'
import { WholePage } from './page/whole-page.ts'
import { Report, type Section } from './report.ts'
import { mb, ms, quantile } from './stats.ts'

const mostMs = 2_000
const keyMostMs = 50

const list = Array.from({ length: 10_000 }, (_, at) => `- item ${at} of one long list\n`).join('')

class Measuring {
  readonly report = new Report()
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async on(markdown: string | undefined, run: (page: WholePage) => Promise<void>): Promise<void> {
    const page = await WholePage.open(this.#stage, markdown)
    await run(page)
    await page.close()
  }

  async act(what: string, act: () => Promise<void>, page: WholePage): Promise<void> {
    const { drawn, held, worked } = await page.cost(act)
    const value = `${ms(held)}; ${ms(worked)}; ${ms(drawn)}`
    this.report.add({ what, value, target: `< ${ms(mostMs)}`, met: held < mostMs })
  }

  async keys(what: string, page: WholePage, count: number): Promise<void> {
    const drawn: number[] = []
    for (let key = 0; key < count; key++) drawn.push((await page.cost(page.press('a'))).drawn)
    this.report.below(what, quantile(drawn, 0.95), { most: keyMostMs, write: ms })
  }

  async others(what: string, page: WholePage, words: string): Promise<void> {
    this.report.below(what, await page.edit(words), { most: mostMs, write: ms })
  }
}

interface Part {
  readonly markdown?: string
  readonly run: (measuring: Measuring, page: WholePage) => Promise<void>
}

const parts = (keys: number): Readonly<Record<string, Part>> => ({
  one: { run: (measuring, page) => measureOne(measuring, page, keys) },
  all: { run: measureAll },
  paste: { run: measurePaste },
  indent: { markdown: list, run: measureIndent },
  replace: { run: measureReplace },
  converting: { run: measureConverting },
})

/** `only`: the parts that are measured; none named, all. */
export async function measureWhole(isQuick: boolean, only: readonly string[]): Promise<Section> {
  const stage = await Stage.open()
  const measuring = new Measuring(stage)
  const keys = isQuick ? 10 : 40
  try {
    for (const [name, { markdown, run }] of Object.entries(parts(keys))) {
      if (only.length > 0 && !only.includes(name)) continue
      await measuring.on(markdown, (page) => run(measuring, page))
    }
  } finally {
    await stage.close()
  }
  return {
    title: '10,000 blocks: what a key, all of it, and others’ edits cost',
    how:
      'The page in Chromium without a screen, on a document of 1 MB. What is done to all of it: ' +
      'processor time of the page’s main thread until the next frame is drawn, to which the target ' +
      'applies, then until it was at rest, then the time on the clock until that frame. Of a key ' +
      'the 95th percentile until it was drawn; of others’ edits the processor time until at rest.',
    rows: measuring.report.rows,
  }
}

async function measureOne(measuring: Measuring, page: WholePage, keys: number): Promise<void> {
  const { page: browser } = page
  await browser.locator('.text > p').nth(3).click()
  await measuring.keys('a key at the start', page, keys)
  await browser.locator('.text > p').nth(3_000).scrollIntoViewIfNeeded()
  await browser.locator('.text > p').nth(3_000).click()
  await measuring.keys('a key in the middle', page, keys)
  await measuring.others('an edit far above, until at rest', page, 'word1.')
  await browser.keyboard.press('Control+End')
  await measuring.keys('a key at the end', page, keys)
  await toggleAuthors(browser)
  await measuring.keys('a key with authors shown', page, keys)
  await toggleAuthors(browser)
  const most = 400 * 1024 * 1024
  measuring.report.below('memory of its scripts, after a collection', await page.heap(), {
    most,
    write: mb,
  })
}

async function measureAll(measuring: Measuring, page: WholePage): Promise<void> {
  await page.page.locator('.text > p').nth(3).click()
  await measuring.act('Ctrl+Shift+End', page.press('Control+Shift+End'), page)
  await measuring.others('an edit while that is selected, until at rest', page, 'word9.')
  await measuring.act('an arrow leaves it', page.press('ArrowLeft'), page)
  await measuring.act('Ctrl+A', page.press('Control+a'), page)
  await measuring.others('an edit while all is selected, until at rest', page, 'word2.')
  await measuring.act('… Ctrl+B', page.press('Control+b'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
  await measuring.act('… its redo', page.press('Control+Shift+z'), page)
  await page.page.keyboard.press('Control+a')
  await measuring.act('… Delete', page.press('Delete'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
  await page.page.keyboard.press('Control+a')
  await measuring.act('… a letter over it', page.press('x'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
}

async function measureConverting(measuring: Measuring, page: WholePage): Promise<void> {
  await page.page.locator('.text > p').nth(3).click()
  for (const [what, key] of [
    ['all of it made headings', 'Control+Alt+3'],
    ['all of it made one list', 'Control+Shift+8'],
  ] as const) {
    await page.page.keyboard.press('Control+a')
    await measuring.act(what, page.press(key), page)
    await measuring.act('… its undo', page.press('Control+z'), page)
  }
}

async function measurePaste(measuring: Measuring, page: WholePage): Promise<void> {
  await page.page.locator('.text > p').nth(3).click()
  await page.page.keyboard.press('Control+a')
  await measuring.act('all copied', page.press('Control+c'), page)
  await measuring.act('… pasted over itself', page.press('Control+v'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
  await page.page.keyboard.press('Control+End')
  await measuring.act('… pasted at the end', page.press('Control+v'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
}

async function measureIndent(measuring: Measuring, page: WholePage): Promise<void> {
  await page.page.locator('.text li').nth(3).click()
  for (const key of ['Control+Home', 'ArrowDown', 'Control+Shift+End']) {
    await page.page.keyboard.press(key)
  }
  await measuring.act('Tab on all items of a list but the first', page.press('Tab'), page)
  await measuring.act('… its undo', page.press('Control+z'), page)
}

async function measureReplace(measuring: Measuring, page: WholePage): Promise<void> {
  await page.page.locator('.text > p').nth(3).click()
  await replacing(measuring, page, { what: 'a word replaced in most blocks', find: 'word' })
  // Which stand in two of their words.
  await replacing(measuring, page, { what: 'two letters replaced twice in most', find: 'um' })
}

async function replacing(
  measuring: Measuring,
  page: WholePage,
  { what, find }: { readonly what: string; readonly find: string },
): Promise<void> {
  const { page: browser } = page
  await browser.keyboard.press('Control+h')
  await browser.getByRole('textbox', { name: 'Find' }).fill(find)
  await browser.getByRole('textbox', { name: 'Replace with' }).fill('term')
  const all = browser.getByRole('button', { name: 'All', exact: true })
  await measuring.act(what, () => all.click(), page)
  await browser.keyboard.press('Escape')
  await browser.locator('.text').focus()
  await measuring.act('… its undo', page.press('Control+z'), page)
}
