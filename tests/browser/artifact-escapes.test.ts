/**
 * Interface §4.8: artifact scripts run sandboxed without service credentials. Each tries one way
 * out, framed by a page of the service as a person sees it: none reaches another server, the
 * service, the page around it or a store. Nothing stands in their way but the policy that they are
 * served under, for all are made by script.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../tally.ts'
import { escapes, escaping } from './artifact-escapes.ts'
import { Stage } from './stage.ts'

let stage: Stage
const caught: string[] = []
const catcher = createServer((request, response) => {
  caught.push(`${request.method} ${request.url}`)
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.end('x')
})
catcher.on('upgrade', (request, socket) => {
  caught.push(`upgrade ${request.url}`)
  socket.destroy()
})
test.before(async () => {
  stage = await Stage.open()
  await new Promise<void>((resolve) => catcher.listen(0, '127.0.0.1', resolve))
})
test.after(async () => {
  await stage.close()
  catcher.close()
})

async function uploaded({ slug, token }: { slug: string; token: string }, html: string) {
  const answer = await fetch(`${stage.origin}/docs/${slug}/artifacts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/html' },
    body: html,
  })
  const body = (await answer.json()) as Record<string, string>
  assert.is(answer.status, 201, JSON.stringify(body))
  return String(body['url'])
}

/** Shows it in a frame with as little of a sandbox of its own as there is; what it said. */
const framed = (page: Page, url: string): Promise<unknown> =>
  page.evaluate((address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    const said = new Promise((resolve) => {
      window.addEventListener('message', ({ data, source }) => {
        if (source === frame.contentWindow && 'outcome' in data) resolve(data.outcome)
      })
      // One that has led its frame elsewhere, or written over it, says nothing.
      frame.addEventListener('load', () => setTimeout(() => resolve('silent'), 1_500))
    })
    document.body.append(frame)
    return said
  }, url)

test('interface §4.8: no way out of an artifact leads anywhere', async () => {
  const document = await stage.document('# Artifacts\n')
  const { port } = catcher.address() as AddressInfo
  const bases = { C: `http://127.0.0.1:${port}`, S: stage.origin }
  const tally = new Tally()
  const wrong: string[] = []
  const page = await stage.person()
  await page.goto('/')
  const guest = await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Ada' })
    return (await fetch('/auth/guest', { method: 'POST', headers, body })).status
  })
  assert.is(guest, 201, 'a session that could be used')
  const before = page.url()
  page.context().on('page', () => wrong.push('a window was opened'))
  page.on('download', () => wrong.push('something was downloaded'))
  page.on('response', async (response) => {
    if (!response.url().includes('/canary')) return
    const request = response.request()
    // It may lead its own frame elsewhere on this host, as nobody.
    const { cookie } = await request.allHeaders()
    if (request.isNavigationRequest() && cookie === undefined) tally.add('led itself away')
    else wrong.push(`the service was asked: ${request.method()} ${response.url()} ${cookie}`)
  })
  for (const [index, script] of escapes.entries()) {
    const url = await uploaded(document, escaping(script, bases))
    const outcome = String(await framed(page, url))
    tally.add(outcome.split(' ')[0] ?? '')
    if (outcome.startsWith('got')) wrong.push(`${index} ${outcome.slice(0, 80)}: ${script}`)
    if (caught.length > 0) wrong.push(`${index} reached ${caught.splice(0).join()}: ${script}`)
    if (page.url() !== before) wrong.push(`${index} led the page to ${page.url()}: ${script}`)
  }
  assert.equal(wrong, [])
  assert.equal(caught, [])
  tally.add('tried', escapes.length)
  tally.tell('none escapes of artifacts', { tried: 60, refused: 5 })
})

test('interface §4.8: its own scripts, styles and data images work', async () => {
  const document = await stage.document('# Artifacts\n')
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const script = `const i = new Image(); i.src = 'data:image/png;base64,${dot}'; await i.decode();
    const b = await new Promise((ok) => { const c = document.createElement('canvas'); c.toBlob(ok) });
    const j = new Image(); j.src = URL.createObjectURL(b); await j.decode();
    const s = document.createElement('style'); s.textContent = 'p { color: rgb(1, 2, 3) }';
    document.head.append(s); document.body.append(document.createElement('p'));
    return getComputedStyle(document.querySelector('p')).color`
  const url = await uploaded(document, escaping(script, { C: '', S: '' }))
  const page = await stage.person()
  await page.goto('/')
  assert.is(await framed(page, url), 'got rgb(1, 2, 3)')
})

test.run()
