/**
 * Interface §5 and extensions §3, in a real browser: what another site learns of a document when a
 * person goes there, which is nothing, and what it can do in a person's name, which is nothing
 * either. The other site is a page of another port, which shares the person's cookies, and the same
 * one under another host's name, which does not.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { Writer } from './writer.ts'

/** What the other site was asked, and with which headers. */
const visits: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
const elsewhere = createServer((request, response) => {
  visits.push({ path: request.url ?? '', headers: request.headers })
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Elsewhere</title><p>Elsewhere')
}).listen(0, '127.0.0.1')
await once(elsewhere, 'listening')
const address = elsewhere.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const stage = await Stage.open()
const made = await stage.document(`A [way out](http://127.0.0.1:${port}/out) of here.\n`)
const writer = await Writer.open(stage, made)
test.after(async () => {
  await stage.close()
  elsewhere.closeAllConnections()
  elsewhere.close()
})

/** Follows the link out of the document and answers what the other site was sent. */
async function leave(page: Page): Promise<IncomingHttpHeaders> {
  visits.length = 0
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.locator('.text a').click({ modifiers: ['ControlOrMeta'] }),
  ])
  await popup.waitForLoadState()
  assert.is(await popup.evaluate(() => window.opener), null)
  await popup.close()
  const visit = visits.find(({ path }) => path === '/out')
  assert.ok(visit, 'nobody came')
  return visit?.headers ?? {}
}

test('interface §5: a way out of a document tells where it leads nothing of the document', async () => {
  const { url } = await stage.call('POST', `/docs/${made.slug}/share-link`, { token: made.token })
  for (const address of [made.shareAddress, new URL(String(url)).pathname]) {
    const page = await stage.person()
    await page.goto(address)
    await page.locator('.text a').waitFor()
    assert.is(page.url(), `${stage.origin}/d/${made.slug}`)
    const history = await page.evaluate(() => [document.referrer, document.cookie])
    assert.equal(history, ['', ''])
    const headers = await leave(page)
    assert.is(headers.referer, undefined)
    await page.context().close()
  }
})

test('extensions §3: a person’s cookies are kept from scripts and from other sites', async () => {
  const cookies = await writer.page.context().cookies([stage.origin, made.shareAddress])
  const told = cookies.map(({ name, httpOnly, sameSite, path, domain }) => {
    return `${name} ${httpOnly} ${sameSite} ${domain} ${path}`
  })
  const { slug } = made
  const link = `link true Lax 127.0.0.1 /d/${slug}`
  assert.ok(told.includes('session true Lax 127.0.0.1 /'), told.join('\n'))
  assert.ok(told.includes(link), told.join('\n'))
  assert.ok(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax'))
  assert.is(await writer.page.evaluate(() => document.cookie), '')
})

/** What a script of the page asks with the person's cookies, and what it is told. */
const fetched = (page: Page, path: string, init: RequestInit = {}): Promise<string> =>
  page.evaluate(
    async ({ address, init }) =>
      fetch(address, { credentials: 'include', ...init }).then(
        ({ type, status }) => `${type} ${status}`,
        () => 'refused',
      ),
    { address: stage.origin + path, init },
  )

const connected = (page: Page, path: string): Promise<string> =>
  page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address)
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      }),
    stage.origin.replace('http', 'ws') + path,
  )

/** What needs to be asked beforehand, and is not allowed: JSON, another method, to read. */
async function asked(page: Page): Promise<Record<string, string>> {
  const edits = [{ old_string: 'here', new_string: 'HERE' }]
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ edits })
  const doc = `/docs/${made.slug}`
  return {
    read: await fetched(page, doc),
    edit: await fetched(page, doc, { method: 'PATCH', body, headers }),
    live: await connected(page, `${doc}/live`),
    changes: await connected(page, `${doc}/changes/connect?since_revision=0`),
  }
}

/** What any page may send, without hearing what came of it. */
const simple = (): string[] => [
  `/docs/${made.slug}/claim`,
  `/docs/${made.slug}/share-link`,
  '/auth/guest',
  '/auth/logout',
  '/docs',
]

/** A form of the page, sent as a person's click would. */
async function submit(page: Page, action: string): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse(action),
    page.waitForURL(action),
    page.evaluate((action) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = action
      document.body.append(form)
      form.submit()
    }, action),
  ])
  return answer.status()
}

test('extensions §3: who signs out leaves nothing that opens what they made', async () => {
  const page = await stage.person()
  const data = { handle: 'shared-machine', name: 'Mia', password: 'correct horse' }
  await page.request.post('/auth/signup', { data, headers: { Origin: stage.origin } })
  await page.goto('/')
  // Of the bar: home shows another one until it has heard who this is.
  await page.getByRole('banner').getByRole('button', { name: 'New document' }).click()
  await page.waitForSelector('.text:focus')
  await page.getByRole('button', { name: /^People here/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You need a link to open this document' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'You need a link to open this document' }).waitFor()
  await page.context().close()
})

test('extensions §3: another site writes nothing in a person’s name', async () => {
  const read = () => stage.call('GET', `/docs/${made.slug}`, { token: made.token })
  const before = await read()
  const page = await writer.page.context().newPage()
  for (const host of ['127.0.0.1', 'localhost']) {
    const site = `http://${host}:${port}`
    await page.goto(`${site}/forge`)
    const all = { read: 'refused', edit: 'refused', live: 'refused', changes: 'refused' }
    assert.equal(await asked(page), all, host)
    for (const path of simple()) {
      const heard = page.waitForResponse(stage.origin + path)
      const body = JSON.stringify({ name: 'X', markdown: 'X' })
      await fetched(page, path, { method: 'POST', mode: 'no-cors', body })
      const byForm = await submit(page, stage.origin + path)
      for (const status of [(await heard).status(), byForm]) {
        // Nobody's session is ended where no cookie came along.
        const refusals = path === '/auth/logout' ? [200, 403] : [401, 403, 415]
        assert.ok(refusals.includes(status), `${host} ${path}: ${status}`)
      }
      await page.goto(`${site}/again`)
    }
  }
  await page.close()
  assert.equal(await read(), before)
  assert.is(await fetched(writer.page, '/auth/me'), 'basic 200')
})

test('extensions §3: the same is done from the service’s own page', async () => {
  const { page } = writer
  const all = { read: 'basic 200', edit: 'basic 200', live: 'open', changes: 'open' }
  assert.equal(await asked(page), all)
  assert.match(await stage.markdown(made), /of HERE/)
  for (const path of [`/docs/${made.slug}/claim`, '/auth/logout']) {
    assert.is(await fetched(page, path, { method: 'POST' }), 'basic 200', path)
  }
})

test.run()
