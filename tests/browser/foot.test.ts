/** The foot of the window: whatever is said there at once, nothing lies over anything else. */
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentSuggests, person, setAccess } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const chip = (page: Page) => page.locator('.name-chip', { hasText: 'You are writing as' })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Suggestions', exact: true })

/** Somebody who writes under a name that was made up. */
async function guest(address: string, width: number): Promise<Page> {
  const page = await stage.person({ viewport: { width, height: 700 } })
  await page.goto(address)
  await page.locator('.text[contenteditable="true"]').getByText('Words').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' of a guest.')
  await chip(page).waitFor()
  return page
}

async function assertApart(shown: readonly Locator[]): Promise<void> {
  const boxes = await Promise.all(shown.map((one) => one.boundingBox()))
  for (const [at, one] of boxes.entries()) {
    for (const other of boxes.slice(at + 1)) {
      assert.ok(one && other)
      const isApart = one.y + one.height <= other.y || other.y + other.height <= one.y
      assert.ok(isApart, JSON.stringify([one, other]))
    }
  }
}

for (const width of [1440, 1100, 768]) {
  test(`a notice, the name and the bar of suggestions at ${width} px`, async () => {
    const sheet = await stage.document('Words\n\nThe quick brown fox.\n')
    const page = await guest(sheet.shareAddress, width)
    await agentSuggests(stage, sheet, ['quick', 'slow'])
    await bar(page).waitFor()
    await page.getByRole('status').getByText('Saved', { exact: true }).click()
    await page.locator('.notice').waitFor()
    await assertApart([page.locator('.notice'), chip(page), bar(page)])
    const foot = await page.locator('.dock').evaluate(bottomOf)
    assert.ok(foot <= 700, `${foot}`)
    assert.equal(await seriousFindings(page), [])
    // Without a margin one decides in the sheet of threads.
    await page
      .locator(width < 1100 ? '.bubble' : '.proposed')
      .first()
      .click()
    const accept = page.getByRole('button', { name: 'Accept', exact: true }).last()
    await accept.waitFor()
    assert.ok(await accept.evaluate(isOnTop), 'the name does not cover what one decides')
    await page.context().close()
  })
}

test('who may only read is told no name to write under', async () => {
  const sheet = await stage.document('Words\n')
  const owner = await person(stage, sheet, 'Ada')
  await setAccess(owner, sheet, 'editor')
  const headers = { Origin: stage.origin }
  const link = await owner.request.post(`/docs/${sheet.slug}/share-link`, { headers })
  const page = await guest((await link.json()).url, 1100)
  await setAccess(owner, sheet, 'viewer')
  await page.waitForSelector('.text[contenteditable="false"]')
  await chip(page).waitFor({ state: 'detached' })
  await setAccess(owner, sheet, 'editor')
  await chip(page).waitFor()
  const said = page.locator('.notice')
  await said.getByText('You can now edit this document.').waitFor()
  assert.is(await said.getByText('You now have view-only access.').count(), 0)
  for (const one of [owner, page]) await one.context().close()
})

test('a document that is begun at home is its maker’s from the start', async () => {
  const page = await stage.person()
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).click()
  await page.locator('.text[contenteditable="true"]').click()
  await page.keyboard.type('Mine')
  await page.getByRole('status').getByText('Saved').waitFor()
  await chip(page).waitFor()
  const slug = new URL(page.url()).pathname.split('/').at(-1)
  const answer = await page.request.get(`/docs/${slug}/history`)
  const { entries } = await answer.json()
  assert.ok(entries.length > 0)
  for (const { actor_id: actor } of entries) assert.match(actor, /^human:/)
  await page.context().close()
})

function bottomOf(element: Element): number {
  return element.getBoundingClientRect().bottom
}

function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test.run()
