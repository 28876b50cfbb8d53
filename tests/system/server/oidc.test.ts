/** Signing in by OpenID Connect (extensions §3), with a real provider in between. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { freePort } from '../../free-port.ts'
import { within } from '../../unit/server/wire.ts'
import { TestProvider, Wanderer } from './identity-provider.ts'

const directory = mkdtempSync(join(tmpdir(), 'oidc-'))
const log: string[] = []
const logger = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _, done) {
      log.push(String(chunk))
      done()
    },
  }),
)
const client = { id: 'scriptorium', secret: 'what only the two of us know' }

let services = 0
async function serviceFor(issuer: string, env: Record<string, string> = {}, port = 0) {
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: join(directory, String(services++)),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    RATE_LOGIN: '0',
    RATE_ACCOUNT: '0',
    ...env,
  })
  const passwordCost = { N: 2, r: 1, p: 1 }
  const service = await startService({ config, runtime: systemRuntime, logger, passwordCost })
  return { base: `http://localhost:${service.port}`, stop: () => service.stop() }
}

const servicePort = await freePort()
const closedPort = await freePort()
const callbackOf = (port: number) => `http://localhost:${port}/auth/oidc/callback`
const returnAddresses = [servicePort, closedPort].map(callbackOf)
let provider = await TestProvider.start({ ...client, returnAddresses })
const { base, stop } = await serviceFor(provider.issuer, {}, servicePort)
test.after(async () => {
  await stop()
  await provider.stop()
  rmSync(directory, { recursive: true })
})

const start = `${base}/auth/oidc`
const isBack = /\/auth\/oidc\/callback\?/
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code
interface Me {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
  readonly guest: boolean
  readonly guest_documents?: { readonly documents: number }
}
const me = async (browser: Wanderer) =>
  (await (await browser.visit(`${base}/auth/me`)).json()) as Me

/** To the provider and back to the address at which the service is told. */
const away = (browser: Wanderer, from = start): Promise<string> => browser.walk(from, isBack)

async function comes(person: TestProvider['person'], browser = new Wanderer()): Promise<Wanderer> {
  browser.forget(provider.issuer)
  provider.person = person
  const answer = await browser.visit(await away(browser))
  assert.is(answer.status, 302, await answer.clone().text())
  assert.is(answer.headers.get('location'), '/')
  return browser
}

const signUp = async (browser: Wanderer, handle: string) => {
  const body = { handle, name: handle, password: 'correct horse' }
  assert.is((await browser.json(`${base}/auth/signup`, 'POST', body)).status, 201)
}

test('the same subject comes back to the same account, whatever it is called by then', async () => {
  const ada = { subject: 'ada-1', preferred_username: 'Ada.L@example.org', name: 'Ada L' }
  const first = await me(await comes(ada))
  assert.equal(first, { actor_id: 'human:ada-l', handle: 'ada-l', name: 'Ada L', guest: false })
  const again = await me(await comes({ ...ada, preferred_username: 'countess', name: 'Countess' }))
  assert.equal(again, first)
})

test('another subject with the same name gets a handle with a suffix', async () => {
  const other = await me(await comes({ subject: 'ada-2', preferred_username: 'ada-l' }))
  assert.equal([other.handle, other.actor_id], ['ada-l-2', 'human:ada-l-2'])
  const nameless = await me(await comes({ subject: 'nobody in particular' }))
  assert.is(nameless.handle, 'person')
})

test('a guest keeps account and actor id at the first sign-in, and is offered at a later', async () => {
  const guest = async (name: string) => {
    const browser = new Wanderer()
    await browser.json(`${base}/auth/guest`, 'POST', { name })
    await browser.json(`${base}/docs`, 'POST', { markdown: 'mine' })
    return browser
  }
  const grace = { subject: 'grace', preferred_username: 'grace', name: 'Grace H' }
  const browser = await guest('G')
  const before = await me(browser)
  const after = await me(await comes(grace, browser))
  assert.equal(after, { actor_id: before.actor_id, handle: 'grace', name: 'Grace H', guest: false })
  const later = await me(await comes(grace, await guest('On the other machine')))
  assert.equal([later.actor_id, later.guest_documents?.documents], [before.actor_id, 1])
})

test('a signed-in account is linked, and no identity leads to two', async () => {
  const browser = new Wanderer()
  await signUp(browser, 'linus')
  provider.person = { subject: 'linus-at-work', preferred_username: 'lt' }
  const linked = await browser.visit(await away(browser, `${start}?link=1`))
  assert.is(linked.status, 302)
  assert.is((await me(await comes(provider.person))).handle, 'linus')
  const other = new Wanderer()
  await signUp(other, 'other')
  const taken = await other.visit(await away(other, `${start}?link=1`))
  assert.equal([taken.status, await codeOf(taken)], [409, 'IDENTITY_TAKEN'])
  const back = await away(other, `${start}?link=1&back=/account`)
  const page = await (await other.visit(back, { headers: { Accept: 'text/html' } })).text()
  for (const said of ['="IDENTITY_TAKEN"', '-back="/account"', '-link="1"']) {
    assert.ok(page.includes(`data-sign-in${said}`), said)
  }
})

test('no other site begins a linking, and nobody without an account does', async () => {
  const browser = new Wanderer()
  const begin = (headers: Record<string, string>) => browser.visit(`${start}?link=1`, { headers })
  assert.is(await codeOf(await begin({})), 'AUTH_REQUIRED')
  await signUp(browser, 'careful')
  assert.is(await codeOf(await begin({ 'Sec-Fetch-Site': 'cross-site' })), 'FORBIDDEN')
  assert.is((await begin({ 'Sec-Fetch-Site': 'same-origin' })).status, 302)
  const back = await away(browser, `${start}?link=1`)
  await browser.json(`${base}/auth/logout`, 'POST', undefined)
  assert.is(await codeOf(await browser.visit(back)), 'AUTH_REQUIRED')
})

test('who changes their mind is told so by the page, and a program by a code', async () => {
  const browser = new Wanderer()
  provider.person = undefined
  const back = await away(browser)
  assert.match(back, /error=access_denied/)
  const answer = await browser.visit(back)
  assert.equal([answer.status, await codeOf(answer)], [401, 'LOGIN_FAILED'])
  const other = new Wanderer()
  const shown = await other.visit(await away(other), { headers: { Accept: 'text/html' } })
  assert.is(shown.status, 401)
  const html = await shown.text()
  assert.match(html, /<html[^>]* data-sign-in="LOGIN_FAILED"/)
  assert.match(html, /<html[^>]* data-sign-in-back="\/"/)
  assert.not.match(html, /data-sign-in-link/)
})

test('another state, another issuer, no cookie: nobody is signed in', async () => {
  provider.person = { subject: 'victim', preferred_username: 'victim' }
  const changes: readonly ((address: URL) => void)[] = [
    ({ searchParams }) => searchParams.set('state', 'of somebody else'),
    ({ searchParams }) => searchParams.delete('state'),
    ({ searchParams }) => searchParams.set('iss', 'https://other.example'),
    ({ searchParams }) => searchParams.set('code', 'guessed'),
    ({ searchParams }) => searchParams.delete('code'),
  ]
  for (const change of changes) {
    const browser = new Wanderer()
    const back = new URL(await away(browser))
    change(back)
    const answer = await browser.visit(back.href)
    assert.equal([answer.status, await codeOf(answer)], [401, 'LOGIN_FAILED'], back.search)
    assert.is(browser.cookie(base, 'session'), undefined)
  }
  const back = await away(new Wanderer())
  const stranger = await new Wanderer().visit(back)
  assert.equal([stranger.status, await codeOf(stranger)], [401, 'LOGIN_FAILED'])
  const crossed = new Wanderer()
  await crossed.walk(start, /127\.0\.0\.1/)
  assert.is(await codeOf(await crossed.visit(await away(new Wanderer()))), 'LOGIN_FAILED')
})

test('a way back is good once', async () => {
  const browser = new Wanderer()
  provider.person = { subject: 'once', preferred_username: 'once' }
  const back = await away(browser)
  const detour = browser.cookie(base, 'detour')
  assert.is((await browser.visit(back)).status, 302)
  assert.is(await codeOf(await browser.visit(back)), 'LOGIN_FAILED')
  const replayed = await new Wanderer().visit(back, { headers: { cookie: `detour=${detour}` } })
  assert.equal([replayed.status, await codeOf(replayed)], [401, 'LOGIN_FAILED'])
})

test('a browser that fetches ahead goes nowhere, and only the own page is led back to', async () => {
  const ahead = await fetch(start, { redirect: 'manual', headers: { 'Sec-Purpose': 'prefetch' } })
  assert.is(await codeOf(ahead), 'UNAVAILABLE')
  for (const back of ['//evil.example', 'https://evil.example', '/d/x/../..', '/auth/logout']) {
    const answer = await fetch(`${start}?back=${encodeURIComponent(back)}`, { redirect: 'manual' })
    assert.is(await codeOf(answer), 'INVALID_REQUEST', back)
  }
})

test('SIGNUP=closed lets nobody new in; without a provider there is no such route', async () => {
  const settings = { SIGNUP: 'closed', RATE_LOGIN: '1' }
  const closed = await serviceFor(provider.issuer, settings, closedPort)
  provider.person = { subject: 'newcomer' }
  const browser = new Wanderer()
  const answer = await browser.visit(await away(browser, `${closed.base}/auth/oidc`))
  assert.equal([answer.status, await codeOf(answer)], [403, 'FORBIDDEN'])
  const back = await away(browser, `${closed.base}/auth/oidc`)
  const late = await browser.visit(back, { headers: { Accept: 'text/html' } })
  assert.equal([late.status, late.headers.get('ratelimit-limit')], [429, '1'])
  assert.match(await late.text(), /<html[^>]* data-sign-in="RATE_LIMITED"/)
  await closed.stop()
  const none = { OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' }
  const without = await serviceFor('', none)
  for (const path of ['/auth/oidc', '/auth/oidc/callback?code=x']) {
    assert.is(await codeOf(await fetch(without.base + path)), 'NOT_FOUND')
  }
  await without.stop()
})

test('a provider that is down holds up nobody else, and is asked again when it is back', async () => {
  const port = await freePort()
  const other = await serviceFor(`http://127.0.0.1:${port}`)
  const begin = () => fetch(`${other.base}/auth/oidc`, { redirect: 'manual' })
  const down = await begin()
  assert.equal([down.status, await codeOf(down)], [503, 'UNAVAILABLE'])
  assert.ok(Number(down.headers.get('retry-after')) > 0)
  const held = new Set<Socket>()
  const silent = createServer((socket) => held.add(socket))
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve))
  let isAnswered = false
  const waiting = begin().finally(() => {
    isAnswered = true
  })
  for (let asked = 0; asked < 20; asked++) {
    assert.is((await fetch(`${other.base}/readyz`)).status, 200)
  }
  assert.is(isAnswered, false)
  const late = await within(waiting, 'the end of waiting', 20_000)
  assert.equal([late.status, await codeOf(late)], [503, 'UNAVAILABLE'])
  await new Promise<void>((resolve) => {
    silent.close(() => resolve())
    for (const socket of held) socket.destroy()
  })
  const back = await TestProvider.start({ ...client, returnAddresses: [] }, port)
  assert.is((await begin()).status, 302)
  await back.stop()
  await other.stop()
})

test('a provider that goes away between leaving and coming back is trouble, not a refusal', async () => {
  const browser = new Wanderer()
  provider.person = { subject: 'unlucky', preferred_username: 'unlucky' }
  const back = await away(browser)
  const { port } = provider
  await provider.stop()
  const answer = await browser.visit(back)
  assert.equal([answer.status, await codeOf(answer)], [503, 'UNAVAILABLE'])
  provider = await TestProvider.start({ ...client, returnAddresses }, port)
  assert.is((await me(await comes({ subject: 'unlucky', name: 'Un' }))).name, 'Un')
})

test('failed ways are counted, and the log has no secret of any of them', async () => {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  const failed = /^scriptorium_failed_sign_ins_total (\d+)$/m.exec(metrics)?.[1]
  assert.ok(Number(failed) >= 8, failed)
  const text = log.join('')
  assert.match(text, /refused a sign-in/)
  assert.not.match(text, /code=|state=|nonce|verifier|access_token|eyJ|ses_/)
  assert.not.match(text, new RegExp(client.secret))
})

test.run()
