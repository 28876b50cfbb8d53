/**
 * Signing up, signing in and home in a real browser (extensions §3): words typed as a guest are
 * kept, what is wrong stands beside its field, and the lists show what one has.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../free-port.ts'
import { type Person, TestProvider } from '../system/server/identity-provider.ts'
import { seriousFindings } from './axe.ts'
import { Stage } from './stage.ts'

const port = await freePort()
const client = { id: 'scriptorium', secret: 'what only the two of us know' }
const returnAddresses = [`http://127.0.0.1:${port}/auth/oidc/callback`]
const provider = await TestProvider.start({ ...client, returnAddresses })
const stage = await Stage.open({
  PORT: String(port),
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
})
test.after(async () => {
  await stage.close()
  await provider.stop()
})

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
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const says = (page: Page, text: string | RegExp) =>
  page.getByRole('alert').getByText(text).waitFor()

/** The dialog is gone, and what it was for is done. */
const isClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

async function signUp(page: Page, name: string): Promise<void> {
  await page.goto('/account')
  await button(page, 'Create an account').click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await password(page).fill('correct horse')
  await page.keyboard.press('Enter')
  await isClosed(page)
}

/** In a browser without a page; the cookie of its session. */
async function signsInElsewhere(handle: string, withPassword: string): Promise<string | undefined> {
  const answer = await fetch(`${stage.origin}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ handle, password: withPassword }),
  })
  return answer.headers.getSetCookie()[0]?.split(';')[0]
}

const statusBy = async (cookie: string) =>
  (await fetch(`${stage.origin}/auth/me`, { headers: { cookie } })).status

test('a guest keeps its documents, and brings others along when it signs in elsewhere', async () => {
  const page = await stage.person()
  await newDocument(page, '# First\n\nWords of a guest.')
  await button(page, 'Keep this name').click()
  // As much as four hundred keys ago; the next fifty are counted.
  await page.evaluate(() => localStorage.setItem('written', '400'))
  await page.locator('.text').getByText('Words of a guest.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' '.padEnd(60, 'so much '))
  await page.getByText('Your documents are only available in this browser').waitFor()
  await button(page, 'Create account').click()
  await page.getByRole('dialog').waitFor()
  assert.equal(await seriousFindings(page), [])
  await page.getByLabel('Handle').fill('ada')
  await password(page).fill('short')
  await page.keyboard.press('Enter')
  await says(page, 'At least 8 characters.')
  assert.is(await password(page).getAttribute('autocomplete'), 'new-password')
  await password(page).fill('correct horse')
  await page.keyboard.press('Enter')
  await isClosed(page)
  await page.locator('.text').getByText('Words of a guest.').waitFor()
  assert.is(await button(page, 'Create account').count(), 0)

  const permissions = ['clipboard-read', 'clipboard-write']
  const other = await stage.person({ permissions })
  await newDocument(other, '# Second\n\nWritten before.')
  await other.locator('.text').getByText('Written before.').click()
  await other.keyboard.press('Home')
  await fromPeople(other, 'Sign in')
  await other.getByLabel('Handle').fill('@Ada')
  await password(other).fill('not that one')
  await other.keyboard.press('Enter')
  await says(other, 'Wrong handle or password.')
  assert.is(await other.getByLabel('Handle').inputValue(), '@Ada')
  await password(other).fill('correct horse')
  await other.keyboard.press('Enter')
  await other.getByText('Move one document to your account?').waitFor()
  assert.equal(await seriousFindings(other), [])
  await button(other, 'Move').click()
  await isClosed(other)
  await other.locator('.text[contenteditable=true]:focus').waitFor()
  await other.keyboard.type('It was ')
  await other.locator('.text').getByText('It was Written before.').waitFor()
  await other.waitForFunction(async () =>
    (await (await fetch('/workspace/library')).text()).includes('Second'),
  )
  await page.context().close()
  await other.getByRole('status').getByText('Saved').waitFor()
  await findsAtHome(other)
  await other.context().close()
})

/** Of general access, while there is any; else the address that opens for who has access. */
async function copiesTheLink(page: Page): Promise<void> {
  const address = await page.getByRole('link', { name: /Second/ }).getAttribute('href')
  const copies = async (says: string) => {
    await button(page, 'Options for Second').click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByText(says).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  assert.match(await copies('Link copied. Anyone with it can edit.'), /\/s\/[0-9a-z]{20}$/)
  const data = { mode: 'restricted' }
  const path = `/docs/${address?.slice(3)}/link-access`
  await page.request.patch(path, { data, headers: { Origin: stage.origin } })
  const copied = await copies('Link copied. It opens for people with access.')
  assert.is(copied, `${stage.origin}${address}`)
}

/** The documents First and Second, by their titles, through archive and back, and for good. */
async function findsAtHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: /First/ }).waitFor()
  const second = page.getByRole('link', { name: /Second/ })
  await second.waitFor()
  await copiesTheLink(page)
  assert.equal(await seriousFindings(page), [])
  await page.keyboard.press('/')
  await page.keyboard.type('fir')
  await second.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  const archive = async () => {
    await button(page, 'Options for Second').click()
    await page.getByRole('menuitem', { name: /^Archive/ }).click()
    await second.waitFor({ state: 'detached' })
  }
  await archive()
  await button(page, 'Undo').click()
  await second.waitFor()
  await page.getByRole('link', { name: 'Archived', exact: true }).click()
  await page.getByText('No archived documents').waitFor()
  await page.getByRole('link', { name: 'My documents', exact: true }).click()
  await archive()
  await page.getByRole('link', { name: 'Archived', exact: true }).click()
  const choose = async (entry: RegExp) => {
    await button(page, 'Options for Second').click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose(/^Restore/)
  await page.getByText('No archived documents').waitFor()
  await page.getByRole('link', { name: 'My documents', exact: true }).click()
  await archive()
  await page.getByRole('link', { name: 'Archived', exact: true }).click()
  await choose(/^Delete forever/)
  await page.getByLabel(/^To confirm, type the title/).fill('Second')
  await button(page, 'Delete forever').click()
  await page.getByText('No archived documents').waitFor()
}

test('keys and agents: secrets are shown once, and end; home lists what one has and may see', async () => {
  const page = await stage.person()
  await page.goto('/account')
  await button(page, 'Create an account').click()
  await page.getByLabel('Name', { exact: true }).fill('Bea Lin')
  assert.is(await page.getByLabel('Handle').inputValue(), 'bea-lin')
  await page.getByLabel('Handle').fill('ada')
  await password(page).fill('correct horse')
  await page.keyboard.press('Enter')
  await says(page, '@ada is taken. Try another handle.')
  const kept = [page.getByLabel('Name', { exact: true }), password(page)]
  const values = await Promise.all(kept.map((field) => field.inputValue()))
  assert.equal(values, ['Bea Lin', 'correct horse'])
  await page.getByLabel('Handle').fill('bea-lin')
  await page.keyboard.press('Enter')
  await page.getByText('You have no owner keys.').waitFor()
  await page.getByLabel('Key name').fill('Nightly')
  await page.keyboard.press('Enter')
  const key = await page.getByLabel('Owner key', { exact: true }).last().inputValue()
  assert.match(key, /^ark_/)
  await button(page, 'Done').click()
  const agents = page.locator('#agents')
  await agents.getByLabel('Name').fill('Helper')
  await page.keyboard.press('Enter')
  const secret = await agents.locator('.secret-line input').inputValue()
  assert.match(secret, /^as_/)
  await agents.getByText('never used').waitFor()
  assert.equal(await seriousFindings(page), [])
  const nights = Array.from({ length: 60 }, (_, at) => ({ markdown: `# Night ${at + 1}` }))
  await Promise.all(nights.map((body) => stage.call('POST', '/docs', { token: key, body })))
  await button(page, 'Revoke Nightly').click()
  await page
    .getByRole('alertdialog')
    .getByText('no longer create documents in your account')
    .waitFor()
  await button(page, 'Revoke').click()
  await page.getByText('You have no owner keys.').waitFor()
  await button(page, 'Delete Helper').click()
  await page.getByRole('alertdialog').getByText('its connections are closed').waitFor()
  await button(page, 'Delete').click()
  await page.getByText('You have no agents.').waitFor()
  for (const token of [key, secret]) {
    const headers = { Authorization: `Bearer ${token}` }
    assert.is((await fetch(`${stage.origin}/docs/${'0'.repeat(20)}`, { headers })).status, 404)
    const body = JSON.stringify({ markdown: 'x' })
    const answer = await fetch(`${stage.origin}/docs`, { method: 'POST', headers, body })
    assert.is(answer.status, 401)
  }
  await page.goto('/')
  const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem')
  await rows.nth(49).scrollIntoViewIfNeeded()
  await rows.nth(59).waitFor()
  await page.getByRole('link', { name: /Night 1\b/ }).waitFor()
  assert.is(await rows.count(), 60, 'the second page, as one comes to its place')
  const { slug, token } = await stage.document('# A plan of others\n')
  const body = { handle: 'bea-lin', role: 'viewer' }
  await stage.call('POST', `/docs/${slug}/access`, { token, body })
  const theirs = page.getByRole('link', { name: /A plan of others/ })
  const goTo = (list: string) => page.getByRole('link', { name: list, exact: true }).click()
  await goTo('Shared with me')
  await theirs.click()
  await page.locator('.text[contenteditable="false"]').getByText('A plan of others').waitFor()
  await page.goto('/')
  await goTo('Recent')
  await theirs.waitFor()
  assert.is(await rows.count(), 1)
  await page.context().close()
})

test('a new password and ended sessions hold at once; a deleted account is gone', async () => {
  const page = await stage.person()
  await signUp(page, 'Cal')
  const name = page.locator('#profile').getByLabel('Name', { exact: true })
  await name.fill('Callum')
  await button(page, 'Save').click()
  await page.getByText('Name changed.').waitFor()
  const cookies: string[] = []
  for (let times = 0; times < 3; times++) {
    cookies.push((await signsInElsewhere('cal', 'correct horse')) ?? '')
  }
  const statuses = async () => (await Promise.all(cookies.map(statusBy))).sort()
  await page.reload()
  assert.is(await name.inputValue(), 'Callum')
  const sessions = page.locator('#sessions')
  await sessions.getByText('This browser').waitFor()
  const others = sessions.getByText('Another browser')
  assert.is(await others.count(), 3)
  await sessions
    .getByRole('button', { name: /^Sign out the session/ })
    .first()
    .click()
  await page.getByText('Session signed out.').waitFor()
  await others.nth(2).waitFor({ state: 'detached' })
  assert.equal(await statuses(), [200, 200, 401])
  await button(page, 'Sign out all others').click()
  await page.getByText('All other sessions signed out.').waitFor()
  await others.first().waitFor({ state: 'detached' })
  assert.equal(await statuses(), [401, 401, 401])
  const last = (await signsInElsewhere('cal', 'correct horse')) ?? ''

  await page.getByLabel('Current password').fill('wrong horse')
  await page.getByLabel('New password').fill('battery staple')
  await page.keyboard.press('Enter')
  await says(page, 'Wrong password.')
  assert.is(await page.getByLabel('New password').inputValue(), 'battery staple')
  await page.getByLabel('Current password').fill('correct horse')
  await page.keyboard.press('Enter')
  await page.getByText('Password changed.').waitFor()
  assert.is(await statusBy(last), 401)
  assert.is(await signsInElsewhere('cal', 'correct horse'), undefined)

  await button(page, 'Delete account…').click()
  await page.getByLabel('Your password').fill('correct horse')
  await page.keyboard.press('Enter')
  await says(page, 'Wrong password.')
  await page.getByLabel('Your password').fill('battery staple')
  assert.equal(await seriousFindings(page), [])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${stage.origin}/`)
  await button(page, 'Sign in').waitFor()
  assert.is(await signsInElsewhere('cal', 'battery staple'), undefined)
  await page.context().close()
})

test('single sign-on: given up, then done, from a document; linked to an account', async () => {
  const page = await stage.person()
  const goOn = () => button(page, 'Continue with single sign-on').click()
  await newDocument(page, '# Third\n\nWords of a guest.')
  const address = page.url()
  provider.person = undefined
  await fromPeople(page, 'Sign in')
  await goOn()
  await page.getByRole('heading', { name: 'You were not signed in' }).waitFor()
  await page.getByText('Signing in was cancelled.').waitFor()
  assert.is(page.url(), address, 'nothing of the detour is left in the address')
  assert.equal(await seriousFindings(page), [])
  await page.getByRole('link', { name: 'Back to the document' }).click()
  await page.locator('.text').getByText('Words of a guest.').waitFor()
  await fromPeople(page, 'Sign in')
  await goOn()
  const dora: Person = { subject: 'dora-1', preferred_username: 'dora', name: 'Dora M' }
  await page.getByText('Signing in was cancelled.').waitFor()
  provider.person = dora
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.locator('.text').getByText('Words of a guest.').waitFor()
  await page.goto('/account')
  await page.getByText('You can also sign in with single sign-on.').waitFor()
  await page.getByText('@dora').waitFor()
  await page.getByText('Set a password to also sign in with your handle.').waitFor()
  await button(page, 'Delete account…').click()
  await page.getByLabel('Type dora to confirm').fill('eve')
  await page.keyboard.press('Enter')
  await says(page, 'Type dora to confirm.')
  await page.keyboard.press('Escape')

  const other = await stage.person()
  await signUp(other, 'Eve')
  await other.getByRole('link', { name: 'Link to single sign-on' }).click()
  await other.getByRole('heading', { name: 'Your account was not linked' }).waitFor()
  await other.getByText('already linked to another account').waitFor()
  // The provider still knows who sat here.
  await other.context().clearCookies({ name: /^_session/ })
  provider.person = { subject: 'eve-1', name: 'Somebody at work' }
  await other.getByRole('link', { name: 'Try again' }).click()
  await other.getByText('You can also sign in with single sign-on.').waitFor()
  await other.getByText('@eve').waitFor()
  await page.context().close()
  await other.context().close()
})

test('a reset’s secret leaves the address at once and goes nowhere but into the request', async () => {
  const page = await stage.person()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer']}`))
  await page.goto('/reset#no-such-secret')
  await page.getByLabel('New password').fill('correct horse')
  assert.is(page.url(), `${stage.origin}/reset`)
  await page.keyboard.press('Enter')
  await says(page, 'was already used')
  assert.equal(await seriousFindings(page), [])
  assert.equal(
    asked.filter((line) => line.includes('no-such-secret')),
    [],
  )
  await page.context().close()
})

test('accounts handed out, or had by the provider alone; too many tries: the page says so', async () => {
  const page = await stage.person()
  const create = async () => {
    await page.goto('/account')
    await button(page, 'Create an account').click()
  }
  await stage.restart({ SIGNUP: 'oidc' })
  await create()
  await button(page, 'Continue with single sign-on').waitFor()
  assert.is(await page.getByLabel('Handle').count(), 0)
  await stage.restart({ SIGNUP: 'closed', RATE_LOGIN: '2', RATE_GUESS: '1' })
  await create()
  const closed = 'Sign-up is closed. Ask your administrator for an account.'
  await page.getByRole('dialog').getByText(closed).waitFor()
  assert.is(await button(page, 'Continue with single sign-on').count(), 0)
  await button(page, 'Sign in').last().click()
  provider.person = { subject: 'stranger' }
  await button(page, 'Continue with single sign-on').click()
  await page.getByText('You have no account here').waitFor()
  await page.getByRole('link', { name: 'Account' }).click()
  await button(page, 'Sign in').last().click()
  await page.getByLabel('Handle').fill('eve')
  await password(page).fill('not that one')
  await page.keyboard.press('Enter')
  await says(page, 'Wrong handle or password.')
  await page.keyboard.press('Enter')
  await says(page, /^Too many requests\. Try again in \d+ seconds\.$/)
  const values = [page.getByLabel('Handle'), password(page)].map((field) => field.inputValue())
  assert.equal(await Promise.all(values), ['eve', 'not that one'])
  const guessed = `/d/${'0'.repeat(20)}?token=guessed`
  await page.goto(guessed)
  await page.goto(guessed)
  await page.getByRole('heading', { name: 'Too many invalid links' }).waitFor()
  await page.context().close()
})

test.run()
