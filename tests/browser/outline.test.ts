/** The outline of a document's headings, and addresses that lead to a block of it. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person, setAccess } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const body = 'Some words of this part.\n\n'.repeat(14)
const plan = `# Plan\n\n${body}## Aims\n\n${body}### Detail\n\n${body}## Risks\n\n${body}`
const wide = { viewport: { width: 1440, height: 800 } }
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

const outline = (page: Page) => page.getByRole('navigation', { name: 'Outline' })
const widthOf = async (page: Page) =>
  (await outline(page).getByText('Risks').boundingBox())?.width ?? 0
const present = (page: Page, words: string) =>
  page.locator('.outline-link[aria-current="location"]', { hasText: words }).waitFor({
    state: 'attached',
  })
const isSeen = (page: Page, words: string) =>
  page.waitForFunction((wanted) => {
    const blocks = [...document.querySelectorAll('.text > *')]
    const box = blocks.find((one) => one.textContent === wanted)?.getBoundingClientRect()
    return box !== undefined && box.top >= 48 && box.bottom <= innerHeight
  }, words)

test('ticks for headings; their words by mouse and by keyboard; the present one is marked', async () => {
  const sheet = await stage.document(plan)
  const page = await person(stage, sheet, 'Ada', wide)
  await outline(page).waitFor()
  assert.ok((await widthOf(page)) <= 1)
  await present(page, 'Plan')
  assert.equal(await seriousFindings(page), [])
  await outline(page).hover()
  assert.equal(await outline(page).getByRole('link').allInnerTexts(), [
    'Plan',
    'Aims',
    'Detail',
    'Risks',
  ])
  assert.equal(await seriousFindings(page), [])
  await outline(page).getByRole('link', { name: 'Detail' }).click()
  await isSeen(page, 'Detail')
  await present(page, 'Detail')
  assert.match(page.url(), /#bid_\w+$/)
  await page.keyboard.type('s of it')
  await outline(page).getByText('Details of it').waitFor({ state: 'attached' })
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, 20_000)
  await present(page, 'Risks')

  await outline(page).getByRole('link').first().focus()
  assert.ok((await widthOf(page)) > 20)
  await page.keyboard.press('Enter')
  await isSeen(page, 'Plan')
  assert.ok(await page.evaluate(() => document.activeElement?.classList.contains('text')))
  await page.setViewportSize({ width: 1279, height: 800 })
  await outline(page).waitFor({ state: 'detached' })
  await page.context().close()
})

test('at the top of the page its first heading is the present one, however close the next', async () => {
  const sheet = await stage.document(
    `# Plan\n\nOne line.\n\n## Aims\n\n${body}${body}## Risks\n\n${body}`,
  )
  const page = await person(stage, sheet, 'Ada', wide)
  await present(page, 'Plan')
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, 120)
  await present(page, 'Aims')
  await page.context().close()
})

test('a link to a block leads there whatever was edited, and to its place when it is gone', async () => {
  const sheet = await stage.document(plan.replace('## Risks', 'The very block.\n\n## Risks'))
  const page = await person(stage, sheet, 'Ada', { ...wide, ...clipboard })
  const copies = async (words: string) => {
    await page.getByText(words).click()
    await page.keyboard.press('Control+.')
    await page.getByRole('menuitem', { name: 'Copy link to this block' }).click()
    await page.getByText('Link copied.').last().waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const link = await copies('The very block.')
  assert.match(link, /\/s\/[\w-]+#bid_\w+$/)
  await agentEdits(stage, sheet, [
    { old_string: '# Plan\n', new_string: '# The plan\n\nBefore it all.\n' },
    { old_string: 'The very block.', new_string: 'The very block, edited.' },
  ])
  const friend = await stage.person(wide)
  await friend.goto(link)
  await isSeen(friend, 'The very block, edited.')
  await friend.evaluate(() => scrollTo(0, 0))
  await agentEdits(stage, sheet, [{ old_string: 'The very block, edited.\n\n', new_string: '' }])
  await friend.getByText('The very block, edited.').waitFor({ state: 'detached' })
  await friend.reload()
  await friend.getByText('The linked block was deleted. It was here.').waitFor()
  assert.ok((await friend.evaluate(() => scrollY)) > 400)
  assert.equal(stage.complaints, [])
  await friend.goto(`${friend.url().split('#')[0]}#bid_nosuchblock00000`)
  await friend.getByText('The linked block was deleted.', { exact: true }).waitFor()
  await friend.context().close()
  await setAccess(page, sheet, 'viewer', 'restricted')
  // The short link opens nothing now.
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await copies('Before it all.')
  const address = `${stage.origin}/d/${sheet.slug}#bid_`
  await page.waitForFunction(
    async (begin) => (await navigator.clipboard.readText()).startsWith(begin),
    address,
  )
  await page.context().close()
})

test('of more headings than have room the present one is in sight', async () => {
  const parts = Array.from({ length: 120 }, (_, at) => `## Part ${at}\n\nSome words.\n`)
  const page = await person(stage, await stage.document(parts.join('\n')), 'Ada', wide)
  await outline(page).waitFor()
  const inSight = () =>
    page.waitForFunction(
      () => {
        const nav = document.querySelector('.outline')?.getBoundingClientRect()
        const link = document.querySelector('.outline-link[aria-current]')?.getBoundingClientRect()
        return nav && link && link.height > 0 && link.top >= nav.top && link.bottom <= nav.bottom
      },
      undefined,
      { timeout: 5_000 },
    )
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, 100_000)
  await present(page, 'Part 119')
  await inSight()
  await outline(page).hover()
  await inSight()
  await page.context().close()
})

test.run()
