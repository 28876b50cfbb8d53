/** What one does while one comments: undo, several drafts, and where the focus is afterwards. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { card, highlighted, selects, told } from './thread-page.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** As Quill. */
const comments = (sheet: StageDocument, body: Readonly<Record<string, unknown>>) =>
  stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })

test('the notice of lost words goes once they are back', async () => {
  const long = 'We meet at noon below the old bridge.'
  const sheet = await stage.document(`${long} More.\n\nLast. \n`)
  await comments(sheet, { quote: long, text: 'Why?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, [long])
  await selects(page, long)
  await page.keyboard.press('Control+x')
  await told(page, 'deleted text that has a comment')
  await page.locator('.text').getByText('Last.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Control+v')
  await page.locator('.text').getByText(`Last.${long}`).waitFor()
  await highlighted(page, [long])
  await page.waitForFunction(
    () =>
      !document.querySelector('.notices')?.textContent?.includes('deleted text that has a comment'),
    undefined,
    { timeout: 4_000 },
  )
  await page.context().close()
})

test('its Undo takes back the change that took the words, and nothing done since', async () => {
  const sheet = await stage.document('First words.\n\nLast.\n')
  await comments(sheet, { quote: 'First', text: 'Why?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, ['First'])
  await selects(page, 'First')
  await page.keyboard.press('Delete')
  await told(page, 'deleted text that has a comment')
  await page.locator('.text').getByText('Last.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' And more.')
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
  await highlighted(page, ['First'])
  const wanted = 'First words.\n\nLast. And more.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  // What was typed since is still the next step of undo.
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, 'First words.\n\nLast.\n'), 'First words.\n\nLast.\n')
  await page.context().close()
})

test('a second comment begun while one is unsent goes on with the unsent one', async () => {
  const sheet = await stage.document('First words.\n\nLast words.\n')
  const page = await person(stage, sheet, 'Ada')
  await selects(page, 'First')
  await page.keyboard.press('Control+Alt+m')
  const field = page.getByRole('region', { name: 'New comment' }).getByRole('textbox')
  await field.fill('Half a')
  await page.locator('.text').getByText('Last words.').click()
  await selects(page, 'Last')
  await page.keyboard.press('Control+Alt+m')
  await told(page, 'Send or cancel your open comment first')
  await page.keyboard.type(' thought')
  assert.is(await field.inputValue(), 'Half a thought')
  // One in which nothing is written yet gives way.
  await field.fill('')
  await selects(page, 'Last')
  await page.keyboard.press('Control+Alt+m')
  await page.keyboard.type('About the last')
  await page.keyboard.press('Control+Enter')
  await highlighted(page, ['Last'])
  assert.is(await stage.markdown(sheet), 'First words.\n\nLast words.\n')
  await page.context().close()
})

/** What has the focus, as a selector tells it. */
const focusIsOn = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector, {
    timeout: 5_000,
  })

const selected = (page: Page) => page.evaluate(() => String(getSelection()))

test('after a comment is sent, cancelled, resolved or deleted the focus is in the text', async () => {
  const sheet = await stage.document('One two three.\n')
  const page = await person(stage, sheet, 'Ada')
  const begin = async (words: string) => {
    await selects(page, words)
    await page.keyboard.press('Control+Alt+m')
    await focusIsOn(page, '.card-new textarea')
    await page.keyboard.type(`About ${words}`)
  }
  await begin('One')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await focusIsOn(page, '.text')
  assert.is(await selected(page), 'One')
  await begin('One')
  await page.keyboard.press('Escape')
  await focusIsOn(page, '.text')
  assert.is(await selected(page), 'One')
  for (const words of ['One', 'two']) {
    await begin(words)
    await page.locator('.card-new').getByRole('button', { name: 'Comment' }).click()
    await focusIsOn(page, '.text')
    assert.is(await selected(page), '')
  }
  await page.keyboard.type('X')
  await page.locator('.text').getByText('One twoX three.').waitFor()
  await card(page, 'About two').getByRole('button', { name: 'Resolve' }).first().click()
  await card(page, 'About two').waitFor({ state: 'detached' })
  await focusIsOn(page, '.text')
  await card(page, 'About One').click()
  const more = card(page, 'About One').getByRole('button', { name: 'Comment options' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await focusIsOn(page, '.talk-card')
  await more.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await card(page, 'About One').getByRole('button', { name: 'Cancel' }).last().click()
  await focusIsOn(page, '.talk-card')
  await more.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Changed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await focusIsOn(page, '.talk-card')
  await card(page, 'Changed').getByRole('textbox', { name: 'Reply' }).fill('Yes.')
  await card(page, 'Changed').getByRole('button', { name: 'Reply' }).click()
  await card(page, 'Changed').locator('.comment-text', { hasText: 'Yes.' }).waitFor()
  await focusIsOn(page, '.answer textarea')
  const root = card(page, 'Changed').getByRole('button', { name: 'Comment options' })
  await root.first().click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await card(page, 'Yes.').getByRole('button', { name: 'Delete' }).click()
  await card(page, 'Changed').waitFor({ state: 'detached' })
  await page.context().close()
})

test('a decision on a card leaves the focus on the card', async () => {
  const sheet = await stage.document('One two three.\n')
  const suggestion = { new_string: '2' }
  await comments(sheet, { quote: 'two', text: 'Shorter.', suggestion })
  const page = await person(stage, sheet, 'Ada')
  await card(page, 'Shorter.').getByRole('button', { name: 'Reject' }).click()
  await card(page, 'Shorter.').getByText('Rejected').waitFor()
  await focusIsOn(page, '.talk-card')
  await page.context().close()
})

test('several selected cells have a toolbar and are commented on together', async () => {
  const table = '| one | two |\n| --- | --- |\n| three | four |\n| five | six |\n'
  const sheet = await stage.document(`${table}\nLast.\n`)
  const page = await person(stage, sheet, 'Ada')
  const drag = async (from: string, to: string) => {
    const cell = (words: string) => page.locator('.text :is(td, th)', { hasText: words })
    await cell(from).hover()
    await page.mouse.down()
    await cell(to).hover()
    await page.mouse.up()
    await page.locator('.selectedCell').nth(1).waitFor()
  }
  const bar = page.getByRole('toolbar', { name: 'Formatting' })
  for (const isFirst of [true, false]) {
    await drag('three', isFirst ? 'six' : 'four')
    await bar.getByRole('button', { name: 'Comment' }).click()
    const form = page.getByRole('region', { name: 'New comment' })
    await form.getByRole('textbox').fill(isFirst ? 'Both rows?' : 'This row?')
    await form.getByRole('button', { name: 'Comment', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  }
  const read = await stage.call('GET', `/docs/${sheet.slug}/threads`, { token: sheet.token })
  const threads = read['threads'] as { place: { words: string } }[]
  const words = threads.map(({ place }) => place.words.split(/\s+/).join(' '))
  assert.equal(words.sort(), ['three four', 'three four five six'])
  await page.context().close()
})

test('a card stays beside its words where they are moved', async () => {
  const long = 'We meet at noon below the old bridge.'
  const sheet = await stage.document(`${long}\n\n${'Between.\n\n'.repeat(6)}Last.\n`)
  await comments(sheet, { quote: long, text: 'Why?' })
  await comments(sheet, { quote: 'Last', text: 'Which?' })
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.talk-card[data-placed]').nth(1).waitFor()
  const beside = () =>
    page.waitForFunction(
      () => {
        const lines = [...document.querySelectorAll<HTMLElement>('.text .about')]
        return lines.every((line) => {
          const id = [...line.classList].find((name) => name.startsWith('about-thr_'))
          const card = document.querySelector(`[data-thread="${id?.slice('about-'.length)}"]`)
          const top = card?.getBoundingClientRect().top ?? Number.NEGATIVE_INFINITY
          return Math.abs(top - line.getBoundingClientRect().top) < 12
        })
      },
      undefined,
      { timeout: 5_000 },
    )
  await beside()
  await page.locator('.text').getByText(long).click()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await page.locator('.text p').nth(3).getByText(long).waitFor()
  await highlighted(page, [long, 'Last'])
  await beside()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+x')
  await highlighted(page, ['Last'])
  await page.locator('.text p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+v')
  await page.locator('.text').getByText(`${long}Between.`).waitFor()
  await beside()
  await page.context().close()
})

test('what takes the focus and goes leaves it in the text', async () => {
  const sheet = await stage.document('One two three.\n')
  await comments(sheet, { quote: 'two', text: 'Why?' })
  const page = await person(stage, sheet, 'Ada')
  await card(page, 'Why?').click()
  await card(page, 'Why?').getByRole('button', { name: 'Resolve' }).first().click()
  await told(page, 'Resolved.')
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).press('Enter')
  await focusIsOn(page, '.text')
  await card(page, 'Why?').waitFor()
  // A notice says what is so for as long as it is shown.
  await card(page, 'Why?').click()
  await card(page, 'Why?').getByRole('button', { name: 'Resolve' }).first().click()
  await told(page, 'Resolved.')
  await page.request.post(`/docs/${sheet.slug}/threads/${await threadOf(sheet)}/unresolve`, {
    data: {},
    headers: { Origin: stage.origin },
  })
  await card(page, 'Why?').waitFor()
  await page.locator('.notices').getByText('Resolved.').waitFor({ state: 'detached' })
  await selects(page, 'three')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://a.example')
  await page.getByRole('button', { name: 'Link', exact: true }).last().click()
  await focusIsOn(page, '.text')
  await page.locator('.text a').waitFor()
  await page.context().close()
})

async function threadOf(sheet: StageDocument): Promise<string> {
  const path = `/docs/${sheet.slug}/threads?resolved=all`
  const { threads } = await stage.call('GET', path, { token: sheet.token })
  return String((threads as { id: string }[])[0]?.id)
}

test.run()
