/** What waits for a person, in the bar of a document and on home; and where there is much of it. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** Ada's handle, once the document is hers. */
async function owner(sheet: StageDocument): Promise<{ page: Page; handle: string }> {
  const page = await person(stage, sheet, 'Ada')
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).waitFor()
  const handle = await page.evaluate(async () => {
    const said = (await (await fetch('/auth/me')).json()) as { handle: string }
    return said.handle
  })
  return { page, handle }
}

const says = (sheet: StageDocument, body: Readonly<Record<string, unknown>>) =>
  stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })

test('a decision that is answered in its thread waits no more, and is not asked again', async () => {
  const sheet = await stage.document('# Plan\n\nAt noon. Two weeks.\n')
  const { page, handle } = await owner(sheet)
  const options = [
    { label: 'Yes', answer: 'Yes, two.' },
    { label: 'No', answer: 'No.' },
  ]
  const asks = { kind: 'decision', line: 'Budget — two weeks more?', options }
  await says(sheet, { quote: 'Two weeks', text: `@${handle} more?`, notify: asks })
  await page.getByRole('button', { name: 'Needs you: 1' }).waitFor()
  await page.locator('.talk-card').click()
  await page.locator('.asked-options').getByRole('button', { name: 'Yes' }).click()
  await page.locator('.talk-card').getByText('Yes, two.').waitFor()
  await page.getByRole('button', { name: /^Needs you/ }).waitFor({ state: 'detached' })
  await page.locator('.asked-options').waitFor({ state: 'detached' })
  await page.context().close()
})

test('an agent has one colour on the page, also in the list', async () => {
  const sheet = await stage.document('# Plan\n\nAt noon.\n')
  const { page, handle } = await owner(sheet)
  const share = new URL(sheet.shareAddress).searchParams.get('token')
  // The colour that is guessed of an agent is taken for one of so many at the latest.
  for (let agent = 0; agent < 12; agent++) {
    const body = { name: `Agent ${agent}` }
    const made = await stage.call('POST', '/agents/register', { body })
    const token = String(made['agent_secret'])
    await stage.call('POST', '/agents/me/join', { token, body: { slug: sheet.slug, token: share } })
    const edits = [{ old_string: 'noon.', new_string: `noon. Words of ${agent}.` }]
    await stage.call('PATCH', `/docs/${sheet.slug}`, { token, body: { edits } })
    const asks = {
      quote: 'noon',
      text: `@${handle} look ${agent}.`,
      notify: { kind: 'heads_up', line: `Title — look ${agent}` },
    }
    await stage.call('POST', `/docs/${sheet.slug}/comments`, { token, body: asks })
  }
  await page.getByRole('button', { name: 'Needs you: 12' }).click()
  await page.locator('.waiting').nth(11).waitFor()
  const shown = await page
    .locator('.waiting .picture')
    .evaluateAll((pictures) =>
      pictures.map((one) => `${one.getAttribute('title')} ${one.getAttribute('data-hue')}`),
    )
  const { actors } = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  const given = Object.values(actors as Record<string, { name: string; hue: number }>)
  const wanted = given.filter(({ name }) => name.startsWith('Agent '))
  assert.equal(shown.sort(), wanted.map(({ name, hue }) => `${name} ${hue}`).sort())
  await page.context().close()
})

test('a question is answered, a suggestion decided and a mention followed from the list', async () => {
  const sheet = await stage.document('# Plan\n\nAt noon. Two weeks.\n')
  const { page, handle } = await owner(sheet)
  const options = [{ label: 'Yes', answer: 'Yes, two.' }]
  const asks = { kind: 'decision', line: 'Budget — two weeks more?', options }
  await says(sheet, { quote: 'Two weeks', text: `@${handle} more?`, notify: asks })
  await says(sheet, { quote: 'noon', text: 'Later.', suggestion: { new_string: 'one' } })
  const heads = { kind: 'heads_up', line: 'Title — have a look' }
  await says(sheet, { quote: 'Plan', text: `@${handle} look`, notify: heads })
  const button = page.getByRole('button', { name: 'Needs you: 3' })
  await button.waitFor()
  await page.waitForFunction(() => document.title.startsWith('(3) Plan'))
  await button.click()
  const list = page.getByRole('dialog', { name: 'Needs you' })
  await list.getByText('Budget — two weeks more?').waitFor()
  assert.equal(await seriousFindings(page), [])
  const proposed = list.getByRole('listitem').filter({ hasText: 'suggests a change' })
  assert.is(await proposed.getByText('noon').count(), 1, 'what would go is said once')
  await list.getByRole('button', { name: 'Yes' }).click()
  await page.locator('.talk-card').getByText('1 reply').waitFor()
  await list.getByRole('button', { name: 'Accept' }).click()
  await page.locator('.text').getByText('At one.').waitFor()
  await list.getByRole('link', { name: /mentions you/ }).click()
  await list.waitFor({ state: 'detached' })
  await page.locator('.talk-card[data-open]').getByText('have a look').waitFor()
  await page.getByRole('button', { name: /^Needs you/ }).waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('.talk-card').first().waitFor()
  assert.is(await page.getByRole('button', { name: /^Needs you/ }).count(), 0)
  await page.context().close()
})

test('on a phone the button in the bar is an icon with its number, and the title has room', async () => {
  const sheet = await stage.document('# The reading room\n\nAt noon.\n')
  const { page, handle } = await owner(sheet)
  for (let n = 0; n < 12; n++) {
    const asks = { kind: 'blocked', line: `Noon ${n} — is that right?` }
    await says(sheet, { general: true, text: `@${handle} right?`, notify: asks })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const button = page.getByRole('button', { name: 'Needs you: 12' })
  await button.waitFor()
  await button.locator('svg').waitFor()
  const [box, number] = await Promise.all([
    button.boundingBox(),
    button.locator('.needs-you-count').boundingBox(),
  ])
  if (box === null || number === null) throw new TypeError('the button is not drawn')
  assert.ok(number.x >= box.x && number.x + number.width <= box.x + box.width, 'inside the button')
  const parts = await page
    .locator('.bar > *:not(.bar-space)')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
  for (const [index, { left }] of parts.entries()) {
    assert.ok(left >= (parts[index - 1]?.right ?? 0), `part ${index} has its own place`)
  }
  assert.ok((parts.at(-1)?.right ?? 0) <= 390)
  assert.ok((parts[1]?.width ?? 0) >= 60, `the title has ${parts[1]?.width} px`)
  assert.equal(await seriousFindings(page), [])
  await page.context().close()
})

test('home has the list too; what is put aside stays away', async () => {
  const sheet = await stage.document('# Plan\n\nAt noon.\n')
  const { page, handle } = await owner(sheet)
  const asks = { kind: 'blocked', line: 'Noon — is that right?' }
  await says(sheet, { quote: 'noon', text: `@${handle} right?`, notify: asks })
  await page.goto('/')
  const list = page.getByRole('region', { name: /Needs you/ })
  await list.getByText('Noon — is that right?').waitFor()
  assert.match(await page.title(), /^\(1\) /)
  assert.equal(await seriousFindings(page), [])
  await list.getByRole('button', { name: 'Dismiss' }).click()
  await list.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: /Plan/ }).first().waitFor()
  assert.is(await list.count(), 0)
  await page.context().close()
})

test('of many threads those near the window are drawn, and all are reached', async () => {
  const count = 150
  const lines = Array.from({ length: count }, (_, at) => `Line ${at}. Words of it.`)
  const sheet = await stage.document(`${lines.join('\n\n')}\n`)
  await Promise.all(
    lines.map((_, at) => says(sheet, { quote: `Line ${at}.`, text: `About ${at}` })),
  )
  const page = await person(stage, sheet, 'Ada')
  const cards = page.locator('.talk-card[data-placed]')
  const card = (hasText: string | RegExp) => page.locator('.talk-card', { hasText })
  await page.locator('.filter-count', { hasText: String(count) }).waitFor()
  await card(/About 0$/).waitFor()
  assert.ok((await cards.count()) < 60, `${await cards.count()} cards`)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await card(`About ${count - 1}`).waitFor()
  await card(/About 0$/).waitFor({ state: 'detached' })
  assert.ok((await cards.count()) < 60, `${await cards.count()} cards`)
  // By key around to the first, which stays while one is on it.
  await page.locator('.text p').last().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+F8')
  await page.waitForFunction(
    () => document.activeElement?.matches('.talk-card[data-open]') === true,
  )
  assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /About 0/)
  await page.context().close()
})

test('no page failed', () => {
  assert.equal(stage.complaints, [])
})

test.run()
