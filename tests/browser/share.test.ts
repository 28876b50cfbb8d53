/** Sharing: two people and an agent, what each is shown, and what becomes of what they change. */
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { openShare } from './view-menu.ts'

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

const stage = await Stage.open()
/** Whose document most of this happens in, one thing after the other. */
const ada = await owner()
test.after(() => stage.close())

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Asked by the page's own browser. */
async function asks(page: Page, method: string, path: string, body?: unknown): Promise<number> {
  return page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'Content-Type': 'application/json' }
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
      return (await fetch(path, { method, ...sent })).status
    },
    [method, path, body] as const,
  )
}

/** An owner, and the dialog as it is once it is open. */
async function owner() {
  const sheet = await stage.document('# Plan\n\nWords.\n')
  const page = await person(stage, sheet, 'Ada', clipboard)
  await page.getByText('You now own this document').waitFor()
  return { sheet, page, share: page.getByRole('dialog', { name: /^Share / }) }
}

/** The dialog over a document that anyone may edit by the link, as at first. */
async function asAtFirst() {
  const { page, sheet, share } = ada
  if ((await share.count()) === 0) await openShare(page)
  const general = { mode: 'anyone', role: 'editor' }
  await asks(page, 'PATCH', `/docs/${sheet.slug}/link-access`, general)
  await share.getByText('Anyone with the link can edit.').waitFor()
  return ada
}

async function unfold(share: Locator, part: string): Promise<void> {
  const fold = share.locator('details').filter({ hasText: part })
  if ((await fold.getAttribute('open')) !== null) return
  // It is brought in sight a moment after it has opened.
  const inSight = fold.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        element.addEventListener('toggle', () => resolve(), { once: true })
      }),
  )
  await fold.locator('summary').click()
  await inSight
}

async function agent(name: string) {
  const made = await stage.call('POST', '/agents/register', { body: { name } })
  return { handle: String(made['handle']), token: String(made['agent_secret']) }
}

const field = (share: Locator) => share.getByLabel('Handle of a person or an agent')
const line = (share: Locator, name: string) => share.getByRole('listitem').filter({ hasText: name })

async function restrict(page: Page, share: Locator): Promise<void> {
  await share.getByRole('button', { name: /^General access/ }).click()
  await page.getByRole('menuitemradio', { name: /^Restricted/ }).click()
  await share.getByText('Only people listed here').waitFor()
}

/** By a link of this role, in a browser of its own. */
async function comes(sheet: StageDocument, role: string, options = {}): Promise<Page> {
  const { slug, token } = sheet
  const link = await stage.call('POST', `/docs/${slug}/links`, { token, body: { role } })
  const page = await stage.person(options)
  await page.goto(String(link['url']))
  await page.waitForSelector('main[data-synced="true"]')
  return page
}

test('by the keyboard: an agent is let in by handle, and one writes on where one was', async () => {
  const { sheet, page } = ada
  const { handle, token } = await agent('Scribe')
  await page.locator('.text').getByText('Words.').click()
  await page.keyboard.press('End')
  const share = await openShare(page)
  await field(share).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('@nobody-at-all')
  await page.keyboard.press('Enter')
  await share.getByText('No account has the handle @nobody-at-all.').waitFor()
  await field(share).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`@${handle}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const focused = (name: RegExp) =>
    page.getByRole('menuitemradio', { name }).and(page.locator(':focus')).waitFor()
  await focused(/^Can edit/)
  await page.keyboard.press('ArrowDown')
  await focused(/^Can comment/)
  await page.keyboard.press('ArrowDown')
  await focused(/^Can read/)
  await page.keyboard.press('Enter')
  const chosen = share.getByRole('button', { name: 'Invite as: Can read' })
  await chosen.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await share.getByText('Scribe was invited and can read.').waitFor()
  await line(share, 'Scribe')
    .getByRole('button', { name: /Can read$/ })
    .waitFor()
  const read = await stage.call('GET', `/docs/${sheet.slug}`, { token })
  assert.is(read['your_role'], 'viewer')
  await page.keyboard.press('Escape')
  await share.waitFor({ state: 'detached' })
  await page.locator('.text:focus').waitFor()
  await page.keyboard.type(' More')
  const wanted = '# Plan\n\nWords. More\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
})

test('a role is given, changed and taken, under one’s hands; what ends with it is said, and ends', async () => {
  const { sheet, page, share } = await asAtFirst()
  const ben = await comes(sheet, 'viewer')
  await asks(ben, 'POST', '/auth/guest', { name: 'Ben' })
  const handle = await ben.evaluate(async () => (await (await fetch('/auth/me')).json()).handle)
  await ben.reload()
  await ben.waitForSelector('main[data-synced="true"]')
  const his = await openShare(ben)
  await his.getByText('You can read this document.').waitFor()
  await restrict(page, share)
  await field(share).fill(handle)
  await share.getByRole('button', { name: 'Invite', exact: true }).click()
  await share.getByText('Ben was invited and can edit.').waitFor()
  await his.getByText('Who has access').waitFor()
  await ben.getByText('You can now edit this document.').waitFor()
  await ben.keyboard.press('Escape')
  await ben.locator('.text[contenteditable="true"]').waitFor()
  await ben.locator('.text').getByText('Words.').click()
  await ben.keyboard.press('End')
  await ben.keyboard.type(' Ben')
  await ben.getByRole('status').getByText('Saved').waitFor()
  await asks(ben, 'POST', `/docs/${sheet.slug}/links`, { role: 'editor', name: 'by-ben' })
  const registered = await fetch(`${stage.origin}/agents/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Quill' }),
  })
  const quill = (await registered.json()) as { readonly handle: string }
  const invitation = { handle: quill.handle, role: 'viewer' }
  assert.is(await asks(ben, 'POST', `/docs/${sheet.slug}/access`, invitation), 201)
  await unfold(share, 'More links')
  await share.getByText('/s/by-ben').waitFor()
  const bens = line(share, 'Ben').filter({ hasText: 'guest' })
  await openShare(ben)
  await bens.getByRole('button', { name: /^Role of Ben/ }).click()
  await page.getByRole('menuitemradio', { name: /^Can comment/ }).click()
  await ben.getByText('You can now read, comment and suggest.').waitFor()
  await his.getByText('You can read and comment').waitFor()
  await bens.getByRole('button', { name: /Can comment$/ }).click()
  await page.getByRole('menuitem', { name: 'Remove access' }).click()
  await share.getByText('Ben loses access immediately').waitFor()
  await share.getByText('Keep the link that Ben created').waitFor()
  await share.getByText('Ben invited Quill. They keep access').waitFor()
  await page.keyboard.press('Escape')
  await bens.getByRole('button').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove access' }).press('Enter')
  await share.getByRole('button', { name: 'Remove Ben' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await bens.waitFor({ state: 'detached' })
  // The viewer link by which he came is good all the same.
  await ben.getByText('You now have view-only access.').waitFor()
  await share.getByText('its creator lost access').waitFor()
  assert.is((await fetch(`${stage.origin}/s/by-ben`)).status, 404)
  await ben.context().close()
})

test('general access: off, on again, and what it lets do, each in words', async () => {
  const { sheet, page, share } = await asAtFirst()
  const at = `${stage.origin}/docs/${sheet.slug}`
  await share.getByRole('button', { name: /^Role for anyone with the link/ }).click()
  await page.getByRole('menuitemradio', { name: /^Can comment/ }).click()
  await share.getByText('Anyone with the link can read and comment.').waitFor()
  assert.is((await fetch(at)).status, 200)
  await share.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied. Anyone with it can read and comment.').waitFor()
  assert.match(await copied(page), /\/s\/[0-9a-z]{20}$/)
  await restrict(page, share)
  assert.is((await fetch(at)).status, 401)
  await share.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied. It opens for people with access.').waitFor()
  assert.is(await copied(page), `${stage.origin}/d/${sheet.slug}`)
})

test('a link of its own: its name, its end, its use, and what goes when it is revoked', async () => {
  const { page, share } = await asAtFirst()
  await unfold(share, 'More links')
  await share.getByRole('button', { name: 'New link' }).click()
  const name = share.getByLabel('Link name')
  const make = async (wanted: string) => {
    await name.fill(wanted)
    await name.press('Enter')
  }
  await make('admin')
  await share.getByText('This name is reserved.').waitFor()
  await name.and(page.locator(':focus')).waitFor()
  await make('Über uns')
  await share.getByText('Use 2 to 64 lowercase letters').waitFor()
  await make('@somebody/plan')
  await share.getByText('Only the owner of that handle can use it.').waitFor()
  await share.getByRole('button', { name: /^Expires:/ }).click()
  await page.getByRole('menuitemradio', { name: 'On a date…' }).click()
  await share.getByLabel('Expiry date').fill('2020-02-02')
  await make('reading-plan')
  await share.getByText('This date is in the past. Choose a later date.').waitFor()
  await share.getByRole('button', { name: /^Expires:/ }).click()
  await page.getByRole('menuitemradio', { name: 'In 1 week' }).click()
  await make('reading-plan')
  await page.getByText('Link created and copied. Anyone with it can read.').waitFor()
  const url = `${stage.origin}/s/reading-plan`
  assert.is(await copied(page), url)
  const mine = line(share, '/s/reading-plan')
  await mine.getByText(/Can read · until .* · not used yet · by Ada/).waitFor()
  await share.getByRole('button', { name: 'New link' }).click()
  await make('reading-plan')
  await share.getByText('This name is taken').waitFor()
  await page.keyboard.press('Escape')
  await share.getByRole('button', { name: 'New link' }).and(page.locator(':focus')).waitFor()
  const reader = await stage.person()
  await reader.goto(url)
  await reader.locator('.state-line').getByText('View only').waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await mine.getByText('opened once, last used just now').waitFor()
  await restrict(page, share)
  await mine.getByRole('button', { name: /^Revoke link/ }).click()
  await mine.getByText('Everyone who uses it loses access immediately').waitFor()
  await mine.getByRole('button', { name: 'Revoke link', exact: true }).click()
  await mine.waitFor({ state: 'detached' })
  await reader.getByRole('heading', { name: 'Your access was removed' }).waitFor()
  await reader.context().close()
})

test('a token for a program is shown once, read with, listed, revoked', async () => {
  const { sheet, page, share } = await asAtFirst()
  await restrict(page, share)
  await unfold(share, 'Tokens for programs')
  await share.getByRole('button', { name: 'New token' }).click()
  await share.getByRole('button', { name: 'Create token' }).click()
  const shown = share.getByRole('textbox', { name: 'Token' })
  const token = await shown.inputValue()
  const read = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await fetch(`${stage.origin}/docs/${sheet.slug}`, { headers })).status
  }
  assert.is(await read(), 200)
  await share.getByRole('group', { name: 'New token' }).getByText('Done').click()
  await shown.waitFor({ state: 'detached' })
  const own = line(share, 'created just now')
  await own.getByRole('button', { name: /^Revoke token/ }).click()
  await own.getByRole('button', { name: 'Revoke token', exact: true }).click()
  await own.waitFor({ state: 'detached' })
  assert.is(await read(), 401)
})

test('an editor lets others in and cannot set general access; who reads is told what to ask for', async () => {
  const { sheet, page, share } = await asAtFirst()
  const ed = await comes(sheet, 'editor', clipboard)
  const editors = await openShare(ed)
  await editors.getByText('The owner can change this.').waitFor()
  assert.is(await editors.getByRole('button', { name: /^General access/ }).count(), 0)
  for (const part of ['Tokens for programs', 'Transfer ownership']) {
    assert.is(await editors.getByText(part).count(), 0, part)
  }
  // Without an account so far, which letting others in takes.
  const { handle } = await agent('Clerk')
  await field(editors).fill(handle)
  await editors.getByRole('button', { name: 'Invite', exact: true }).click()
  await editors.getByText('Clerk was invited and can edit.').waitFor()
  // Both dialogs show it, and this one what the owner changes.
  await line(share, 'Clerk').waitFor()
  await share.getByRole('button', { name: /^Role for anyone with the link/ }).click()
  await page.getByRole('menuitemradio', { name: /^Can read/ }).click()
  await editors.getByText('Anyone with the link can read.').waitFor()
  const reader = await comes(sheet, 'viewer', clipboard)
  const readers = await openShare(reader)
  await readers.getByText('You can read this document.').waitFor()
  await readers.getByText('ask Ada for a link').waitFor()
  assert.is(await field(readers).count(), 0)
  await readers.getByRole('button', { name: 'Copy link' }).click()
  assert.is(await copied(reader), `${stage.origin}/d/${sheet.slug}`)
  await restrict(page, share)
  await readers.getByText('Only people with access can open it.').waitFor()
  assert.is(await readers.getByRole('button', { name: 'Copy link' }).count(), 0)
  for (const left of [reader, ed]) await left.context().close()
})

test('an agent’s prompt lets it write although general access is off, by one link of its own', async () => {
  const { page, share } = await asAtFirst()
  await restrict(page, share)
  await unfold(share, 'More links')
  const before = await line(share, '/s/').count()
  for (let turn = 0; turn < 2; turn++) {
    await share.getByRole('button', { name: 'Invite an agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite an agent' })
    await dialog.getByRole('button', { name: 'Copy prompt' }).click()
    await page.getByText('Prompt copied').nth(turn).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  const link = /^Link: (\S+)$/m.exec(await copied(page))?.[1] ?? ''
  const read = (await (await fetch(`${link}.json`)).json()) as Record<string, unknown>
  assert.is(read['your_role'], 'editor')
  await line(share, '/s/').nth(before).waitFor()
  assert.is(await line(share, '/s/').count(), before + 1, 'the second prompt has the same link')
})

test('ownership is offered, seen at once by who gets it, and taken', async () => {
  const { sheet, page, share } = await asAtFirst()
  const bob = await comes(sheet, 'viewer')
  const account = { handle: 'bob', name: 'Bob', password: 'a long password' }
  assert.is(await asks(bob, 'POST', '/auth/signup', account), 201)
  await bob.reload()
  await bob.waitForSelector('main[data-synced="true"]')
  await unfold(share, 'Transfer ownership')
  const next = share.getByLabel('Handle of the new owner')
  const { handle } = await agent('Robot')
  await next.fill(handle)
  await next.press('Enter')
  await share.getByText('Only people with an account can').waitFor()
  await next.fill('bob')
  await next.press('Enter')
  await line(share, 'invited to become the owner').waitFor()
  await bob.getByText('Ada wants to make you the owner').waitFor()
  await share.getByRole('button', { name: 'Withdraw' }).click()
  await bob.getByText('Ada wants to make you the owner').waitFor({ state: 'detached' })
  await next.fill('@bob')
  await next.press('Enter')
  await bob.getByRole('button', { name: 'Accept' }).click()
  await bob.getByText('You are now the owner of this document.').waitFor()
  await page.getByText('You can now edit this document.').waitFor()
  await share.getByText('The owner can change this.').waitFor()
  await line(share, 'Bob').getByText('Owner').waitFor()
  await bob.context().close()
})

test('what goes wrong is said beside it: too many, and no service', async () => {
  const { sheet, page, share } = ada
  const { handle } = await agent('Often')
  const path = `/docs/${sheet.slug}/access`
  for (let turn = 0; turn < 60; turn++) {
    const role = turn % 2 === 0 ? 'viewer' : 'editor'
    await asks(page, 'POST', path, { handle, role })
  }
  await field(share).fill(handle)
  await share.getByRole('button', { name: 'Invite', exact: true }).click()
  await share.getByText(/^Too many requests\. Try again in \d+ minutes\.$/).waitFor()
  await page.context().setOffline(true)
  await share.getByRole('button', { name: 'Invite', exact: true }).click()
  await share.getByText('Could not reach the server. Check').waitFor()
  await page.context().setOffline(false)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await share.getByText('This list may be out of date.').waitFor({ state: 'detached' })
})

test('without BASE_URL a copied link is of the host by which one came', async () => {
  await ada.page.context().close()
  await stage.restart({ BASE_URL: undefined })
  const byName = stage.origin.replace('127.0.0.1', 'localhost')
  const sheet = await stage.document('# Plan\n')
  const page = await stage.person(clipboard)
  await page.goto(sheet.shareAddress.replace(stage.origin, byName))
  await page.getByText('You now own this document').waitFor()
  await (await openShare(page)).getByRole('button', { name: 'Copy link' }).click()
  await page.getByText(/^Link copied/).waitFor()
  assert.ok((await copied(page)).startsWith(`${byName}/s/`), await copied(page))
  await page.context().close()
})

test('no page complained', () => {
  const unexpected = stage.complaints.filter(
    (text) => !/status of 4\d\d|WebSocket connection to|ERR_INTERNET_DISCONNECTED/.test(text),
  )
  assert.equal(unexpected, [])
})

test.run()
