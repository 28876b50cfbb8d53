/**
 * Signing up, signing in and home in a real browser (extensions §9): words typed as a guest are
 * kept, what is wrong stands beside its field, and the lists show what one has.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { Stage } from './stage.ts'

let stage: Stage
test.before(async () => {
  stage = await Stage.open()
})
test.after(() => stage.close())

async function newDocument(page: Page, text: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).click()
  await page.waitForSelector('.text:focus')
  await page.keyboard.type(text)
  await page.getByRole('status').getByText('Saved').waitFor()
}

async function fromPeople(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /^People here/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const password = (page: Page) => page.getByLabel('Password', { exact: true })

test('a guest keeps its documents, and brings others along when it signs in elsewhere', async () => {
  const page = await stage.person()
  await newDocument(page, '# First\n\nWords of a guest.')
  await fromPeople(page, 'Keep my documents')
  await page.getByRole('dialog').waitFor()
  assert.equal(await seriousFindings(page), [])
  await page.getByLabel('Handle').fill('ada')
  await password(page).fill('short')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('At least 8 characters.').waitFor()
  assert.is(await password(page).getAttribute('autocomplete'), 'new-password')
  await password(page).fill('correct horse')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('.text').getByText('Words of a guest.').waitFor()

  const other = await stage.person()
  await newDocument(other, '# Second\n\nWritten before.')
  await fromPeople(other, 'Sign in')
  await other.getByLabel('Handle').fill('ada')
  await password(other).fill('not that one')
  await other.keyboard.press('Enter')
  await other.getByRole('alert').getByText('The handle or the password is not right.').waitFor()
  await password(other).fill('correct horse')
  await other.keyboard.press('Enter')
  await other.getByText('Bring one document along?').waitFor()
  assert.equal(await seriousFindings(other), [])
  await other.getByRole('button', { name: 'Bring along' }).click()
  await other.getByRole('dialog').waitFor({ state: 'detached' })
  await other.locator('.text').getByText('Written before.').waitFor()
  await other.waitForFunction(async () =>
    (await (await fetch('/workspace/library')).text()).includes('Second'),
  )

  await other.goto('/')
  await other.getByRole('link', { name: /First/ }).waitFor()
  await other.getByRole('link', { name: /Second/ }).waitFor()
  assert.equal(await seriousFindings(other), [])
  await other.keyboard.press('/')
  await other.keyboard.type('fir')
  await other.getByRole('link', { name: /Second/ }).waitFor({ state: 'detached' })
  await other.keyboard.press('Escape')
  await other.getByRole('button', { name: 'More about Second' }).click()
  await other.getByRole('menuitem', { name: /^Archive/ }).click()
  await other.getByRole('link', { name: /Second/ }).waitFor({ state: 'detached' })
  await other.getByRole('link', { name: 'Archived', exact: true }).click()
  await other.getByRole('button', { name: 'More about Second' }).click()
  await other.getByRole('menuitem', { name: /^Delete for good/ }).click()
  await other.getByLabel(/^Type its title/).fill('Second')
  await other.getByRole('button', { name: 'Delete for good' }).click()
  await other.getByText('Nothing is archived').waitFor()
  await page.context().close()
  await other.context().close()
})

test('the account page makes a key and an agent, each secret shown once', async () => {
  const page = await stage.person()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bea Lin')
  assert.is(await page.getByLabel('Handle').inputValue(), 'bea-lin')
  await password(page).fill('correct horse')
  await page.keyboard.press('Enter')
  await page.getByText('You have no owner keys.').waitFor()
  await page.getByLabel('What the key is for').fill('Nightly')
  await page.keyboard.press('Enter')
  assert.match(await page.getByLabel('Owner key', { exact: true }).last().inputValue(), /^ark_/)
  await page.getByRole('button', { name: 'Done' }).click()
  const agents = page.locator('#agents')
  await agents.getByLabel('Name').fill('Helper')
  await page.keyboard.press('Enter')
  assert.match(await agents.locator('.secret-line input').inputValue(), /^as_/)
  await agents.getByText('never used').waitFor()
  assert.equal(await seriousFindings(page), [])
  await page.context().close()
})

test('a reset’s secret leaves the address at once and goes nowhere but into the request', async () => {
  const page = await stage.person()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer']}`))
  await page.goto('/reset#no-such-secret')
  await page.getByLabel('New password').fill('correct horse')
  assert.is(page.url(), `${stage.origin}/reset`)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('was used already').waitFor()
  assert.equal(await seriousFindings(page), [])
  assert.equal(
    asked.filter((line) => line.includes('no-such-secret')),
    [],
  )
  await page.context().close()
})

test.run()
