/** The webhook of an own agent in the account's page (extensions §6). */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const hook = { webhook_url: 'http://receiver.invalid/hook', webhook_events: ['mention'] }

test('extensions §6: its state and last deliveries are shown; it is tested and repaired', async () => {
  const page = await stage.person()
  await page.goto('/account')
  await button(page, 'Create an account').click()
  await page.getByLabel('Name', { exact: true }).fill('Bea Lin')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.keyboard.press('Enter')
  const agents = page.locator('#agents')
  await agents.getByLabel('Name').fill('Helper')
  await page.keyboard.press('Enter')
  const token = await agents.locator('.secret-line input').inputValue()
  await page.getByLabel('Webhook of Helper').click()
  await agents.getByText('No webhook address is set').waitFor()
  assert.ok(await button(page, 'Send a test').isDisabled())
  await stage.call('PATCH', '/agents/me', { token, body: hook })
  await button(page, 'Refresh').click()
  await agents.getByText('Working.').waitFor()
  await agents.getByText(hook.webhook_url).waitFor()
  await button(page, 'Send a test').click()
  await page.getByText('Test sent.').waitFor()
  const sent = page.getByRole('list', { name: 'Recent deliveries' })
  await sent.getByText('ping').waitFor()
  await button(page, 'Resend failed deliveries').click()
  await page.getByText('No failed deliveries to resend.').waitFor()
  await sent.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByText('Delivery queued.').waitFor()
  assert.equal(await seriousFindings(page), [])
})

test.run()
