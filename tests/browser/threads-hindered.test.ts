/** What is said beside the text where an answer of the service fails, or the focus comes late. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentJoins, person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const card = (page: Page, words: string) => page.locator('.talk-card', { hasText: words })

const field = (page: Page) =>
  page.getByRole('region', { name: 'New comment' }).getByRole('textbox', { name: 'Comment' })

async function begins(page: Page): Promise<void> {
  await page.locator('.text p').first().click()
  await page.keyboard.press('Control+Alt+m')
  await field(page).waitFor()
}

test('a comment is sent though reading it fails, who could not be asked is asked again', async () => {
  const sheet = await stage.document('Some words.\n')
  await agentJoins(stage, sheet, 'Adam')
  const page = await person(stage, sheet, 'Ada')
  await begins(page)
  let unasked = 0
  await page.route('**/mentionable?*', (route) => {
    unasked++
    return unasked === 1 ? route.abort() : route.continue()
  })
  const begun = page.getByRole('region', { name: 'New comment' })
  await field(page).pressSequentially('Ask @ad')
  await page.getByRole('option', { name: /^Adam/ }).waitFor()
  assert.is(unasked, 2)
  await page.keyboard.press('Escape')
  await page.route('**/threads?*', (route) => route.abort())
  await begun.getByRole('button', { name: 'Comment' }).click()
  await begun.waitFor({ state: 'detached' })
  await page.unroute('**/threads?*')
  await card(page, 'Ask @ad').waitFor()
  await page.context().close()
})

/** Focuses the field as soon as the open menu is gone, before anything else happens. */
async function goesOnAtOnce(page: Page): Promise<void> {
  await page.getByRole('menu').waitFor()
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('[role=menu]') !== null) return
      watch.disconnect()
      document.querySelector<HTMLElement>('.talk-card[data-open] textarea')?.focus()
    })
    watch.observe(document.body, { childList: true, subtree: true })
  })
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.waitForTimeout(100)
}

test('a menu that closes takes nobody back who writes already', async () => {
  const sheet = await stage.document('Some words.\n')
  const body = { quote: 'Some', text: 'Why?' }
  await stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  const page = await person(stage, sheet, 'Ada')
  const why = card(page, 'Why?')
  await why.click()
  const reply = why.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Half')
  const menus = [
    why.getByRole('button', { name: 'Comment options' }),
    why.getByRole('button', { name: 'React' }),
    page.getByRole('button', { name: /^Open/ }),
  ]
  for (const menu of menus) {
    await menu.click()
    await goesOnAtOnce(page)
    await page.keyboard.type('.')
  }
  assert.is(await reply.inputValue(), 'Half...')
  await page.context().close()
})

test.run()
