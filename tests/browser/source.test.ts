/**
 * The source view in a real browser: canonical markdown live both ways, beside the page or instead
 * of it, under the page's own security policy.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person, setAccess } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { showAs, type View } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const plan = '# Plan\n\nWe meet on Monday.\n\n- pens\n- charts\n\nThe end.\n'

const source = (page: Page) => page.locator('.source .cm-content')
const sourceText = (page: Page) =>
  source(page).evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  )

async function shows(page: Page, said: string): Promise<void> {
  await page
    .waitForFunction((wanted) => {
      const root = document.querySelector('.source-place')?.shadowRoot
      const lines = [...(root?.querySelectorAll('.cm-line') ?? [])]
      return lines.map((line) => line.textContent).join('\n') === wanted
    }, said)
    .catch(async () => assert.is(await sourceText(page), said))
}

/** The service has the text that is wanted, in the end. */
async function stands(sheet: StageDocument, wanted: string): Promise<void> {
  assert.is(await stage.reads(sheet, wanted), wanted)
}

async function openSource(page: Page, view: View): Promise<void> {
  await showAs(page, view)
  await source(page).waitFor()
}

test('beside the page: what is typed in one is in the other', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada')
  await openSource(page, 'Page and source')
  await shows(page, plan)
  await page.locator('.cm-line', { hasText: 'We meet' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Bring **two** pens.')
  await page.locator('.text strong', { hasText: 'two' }).waitFor()
  await stands(sheet, plan.replace('Monday.', 'Monday. Bring **two** pens.'))
  assert.equal(await seriousFindings(page), [])

  await page.locator('.text').getByText('The end.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Really.')
  await shows(
    page,
    plan.replace('Monday.', 'Monday. Bring **two** pens.').replace('end.', 'end. Really.'),
  )
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('instead of the page: half-typed text stays as typed, also when one leaves', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada', { colorScheme: 'dark' })
  await openSource(page, 'Source')
  assert.is(await page.locator('.text').isVisible(), false)
  await page.locator('.cm-line', { hasText: 'The end.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' **half')
  const typed = plan.replace('end.', 'end. **half')
  await stands(sheet, typed)
  await shows(page, typed)
  await page.locator('.cm-line', { hasText: '# Plan' }).click()
  await shows(page, typed)
  assert.equal(await seriousFindings(page), [])
  await page.context().close()
})

test('an agent’s edit comes in under the caret’s feet; undo takes back only my own', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada')
  await openSource(page, 'Page and source')
  await page.locator('.cm-line', { hasText: 'We meet' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Mine.')
  await agentEdits(stage, sheet, [{ old_string: '# Plan', new_string: '# The whole plan' }])
  await page.locator('.cm-line', { hasText: '# The whole plan' }).waitFor()
  await page.keyboard.type(' Still mine.')
  const both = plan.replace('# Plan', '# The whole plan')
  await shows(page, both.replace('Monday.', 'Monday. Mine. Still mine.'))
  for (let n = 0; n < 4; n++) await page.keyboard.press('Control+z')
  await shows(page, both)
  await stands(sheet, both)
  await page.keyboard.press('Control+Shift+Z')
  await page.locator('.cm-line', { hasText: 'Mine.' }).waitFor()
  await page.context().close()
})

test('lists, headings, fences and tables can be typed; others’ blocks keep their ids', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada')
  const ids = () =>
    page
      .locator('.text > [data-id]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-id')))
  const [head, , list, end] = await ids()
  await openSource(page, 'Page and source')
  await page.locator('.cm-line', { hasText: 'We meet' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type('\n\n```js\nlet x = 1')
  await page.locator('.text pre', { hasText: 'let x = 1' }).waitFor()
  await page.locator('.cm-line', { hasText: '- charts' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type('\npaper')
  await page.locator('.text li', { hasText: 'paper' }).waitFor()
  await stands(
    sheet,
    '# Plan\n\nWe meet on Monday.\n\n```js\nlet x = 1\n```\n\n- pens\n- charts\n- paper\n\nThe end.\n',
  )
  const now = await ids()
  assert.equal([now[0], now[3], now[4]], [head, list, end])
  await page.context().close()
})

test('who may not write reads the source, and it stays live', async () => {
  const sheet = await stage.document(plan)
  const owner = await person(stage, sheet, 'Ada')
  await setAccess(owner, sheet, 'viewer')
  const url = await owner.evaluate(async (slug) => {
    const made = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return ((await made.json()) as { url: string }).url
  }, sheet.slug)
  const page = await stage.person()
  await page.goto(url)
  await page.getByText('The end.').waitFor()
  await openSource(page, 'Source')
  await page.locator('.cm-line', { hasText: 'The end.' }).click()
  await page.keyboard.type('No. ')
  assert.is(await page.locator('.source .cm-content').getAttribute('contenteditable'), 'false')
  await agentEdits(stage, sheet, [{ old_string: 'pens', new_string: 'quills' }])
  await shows(page, plan.replace('pens', 'quills'))
  await page.context().close()
  await owner.context().close()
})

test('find looks in the source where the source is all one sees', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada')
  await openSource(page, 'Source')
  await page.keyboard.press('Control+f')
  await page.locator('.cm-search').waitFor()
  assert.equal(stage.complaints, [])
  await page.context().close()
})

/** Blocks of many kinds and heights, some far taller in one pane than in the other. */
const longText = Array.from({ length: 60 }, (_, n) => {
  if (n % 7 === 3) return `## Heading ${n}\n`
  if (n % 7 === 5) return `- item ${n}\n- item two of ${n}\n- and three\n`
  if (n % 11 === 4) return `| a${n} | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n`
  return `Paragraph ${n}. ${'It goes on for a while. '.repeat((n * 7) % 23)}`.trim().concat('\n')
}).join('\n')

/** The block at the top of each pane, as letters only. */
async function tops(page: Page): Promise<{ page: string; source: string }> {
  const found = await page.evaluate(() => {
    const host = document.querySelector('.source-place')
    const scroller = host?.shadowRoot?.querySelector('.cm-scroller')
    const edge = (scroller?.getBoundingClientRect().top ?? 0) + 2
    const block = [...document.querySelectorAll('.text > *')].findLast(
      (element) => element.getBoundingClientRect().top <= edge,
    )
    const line = [...(scroller?.querySelectorAll('.cm-line') ?? [])].findLast(
      (element) => element.getBoundingClientRect().top <= edge && /\w/.test(element.textContent),
    )
    return { page: block?.textContent ?? '', source: line?.textContent ?? '' }
  })
  const letters = (text: string) => text.replace(/[^a-z0-9]/gi, '')
  return { page: letters(found.page), source: letters(found.source) }
}

const scrolls = (page: Page) =>
  page.evaluate(() => {
    const scroller = document
      .querySelector('.source-place')
      ?.shadowRoot?.querySelector('.cm-scroller')
    return { page: window.scrollY, source: scroller?.scrollTop ?? 0 }
  })

/** Nothing moved for a while of frames. */
const atRest = async (page: Page): Promise<void> => {
  for (let calm = 0, last = ''; calm < 8; ) {
    const now = JSON.stringify(await scrolls(page))
    calm = now === last ? calm + 1 : 0
    last = now
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

test('beside each other both scroll together, whichever one scrolls, and neither fights', async () => {
  const sheet = await stage.document(longText)
  const page = await person(stage, sheet, 'Ada')
  await openSource(page, 'Page and source')
  let followed = 0
  for (const [side, x, steps] of [
    ['page', 300, [500, 900, -350, 2500, 120]],
    ['source', 960, [-400, 700, 333, -900, 60]],
    ['page', 300, [-777, 1500]],
  ] as const) {
    await page.mouse.move(x, 400)
    for (const step of steps) {
      const other = side === 'page' ? 'source' : 'page'
      const before = await scrolls(page)
      await page.mouse.wheel(0, step)
      await page.waitForFunction(
        ([which, was]) => {
          const scroller = document
            .querySelector('.source-place')
            ?.shadowRoot?.querySelector('.cm-scroller')
          return (which === 'page' ? window.scrollY : scroller?.scrollTop) !== was
        },
        [side, before[side]] as const,
      )
      await atRest(page)
      const after = await scrolls(page)
      assert.ok(Math.abs(after[side] - before[side] - step) <= 1, `${side} went where hands wished`)
      if (after[other] !== before[other]) followed++
      const top = await tops(page)
      const said = `${side} ${step}: ${top.page.slice(0, 40)} | ${top.source.slice(0, 40)}`
      assert.ok(top.page.startsWith(top.source.slice(0, 12)) || top.page.includes(top.source), said)
    }
  }
  assert.ok(followed >= 11, `the other one followed ${followed} times`)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await atRest(page)
  const end = await tops(page)
  assert.ok(end.page.includes(end.source) && end.page.startsWith('Paragraph58'), end.page)
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('beside the source the handle of a block has its whole gutter', async () => {
  const sheet = await stage.document(plan)
  for (const width of [900, 1100, 1440]) {
    const page = await person(stage, sheet, 'Ada', { viewport: { width, height: 700 } })
    await openSource(page, 'Page and source')
    const words = page.locator('.text').getByText('We meet')
    await words.hover()
    const handle = page.locator('.handle:not(.is-narrow)')
    await handle.waitFor()
    const [box, text, pane] = [
      await handle.boundingBox(),
      await words.boundingBox(),
      await page.locator('.source').boundingBox(),
    ]
    assert.ok(box !== null && text !== null && pane !== null)
    assert.ok(box.x >= 0 && box.x + box.width <= text.x, `${width}: ${box.x} .. ${text.x}`)
    assert.ok(text.x + text.width <= pane.x, 'nor does the source stand on the text')
    await page.context().close()
  }
})

test('beside the page: the bubbles of comments lie over nothing of the source', async () => {
  const sheet = await stage.document(plan)
  const { slug, token } = sheet
  const body = { quote: 'Monday', text: 'Which one?' }
  await stage.call('POST', `/docs/${slug}/comments`, { token, body })
  const page = await person(stage, sheet, 'Ada', { viewport: { width: 1440, height: 800 } })
  await openSource(page, 'Page and source')
  const bubble = page.locator('.bubble[data-placed]')
  await bubble.waitFor()
  const [box, pane] = [await bubble.boundingBox(), await page.locator('.source').boundingBox()]
  assert.ok(box !== null && pane !== null)
  assert.ok(box.x + box.width <= pane.x, `${box.x} + ${box.width} > ${pane.x}`)
  await page.context().close()
})

test.run()
