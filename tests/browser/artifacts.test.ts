/**
 * Artifacts in the page (interface §4.8): a card until one runs it, one at a time, with a way out
 * for keys; and what a malicious one tries, none of which reaches a server, a cookie or the page.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ElementHandle, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { attacks, departures } from './artifact-attacks.ts'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

let stage: Stage
let sheet: StageDocument
let ada: Page

test.before(async () => {
  stage = await Stage.open()
  sheet = await stage.document('# Lab\n\nCards.\n')
  ada = await person(stage, sheet, 'Ada')
})
test.after(() => stage.close())

async function upload(body: string): Promise<string> {
  const answer = await fetch(`${stage.origin}/docs/${sheet.slug}/artifacts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sheet.token}`, 'Content-Type': 'text/html' },
    body,
  })
  assert.is(answer.status, 201)
  return ((await answer.json()) as { url: string }).url
}

const fence = (address: string): string => `\`\`\`artifact\n${address}\n\`\`\``

/** The document from here on: these fences, in order. */
async function write(addresses: readonly string[]): Promise<void> {
  const read = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  const body = {
    base_revision: read['revision'],
    replace_document: ['# Lab', ...addresses.map(fence), 'End.'].join('\n\n'),
  }
  await stage.call('PATCH', `/docs/${sheet.slug}`, { token: sheet.token, body })
  await ada
    .locator('.artifact')
    .nth(addresses.length - 1)
    .waitFor()
}

const counter = (name: string): string =>
  `<!doctype html><title>${name}</title><meta name="artifact-width" content="1440">` +
  '<meta name="artifact-height" content="900">' +
  '<button onclick="this.textContent = Number(this.textContent) + 1">0</button>'

const card = (at: number) => ada.locator('.artifact').nth(at)
const act = (at: number, name: string) => card(at).getByRole('button', { name }).click()

test('a card runs on a click, scaled to the column; the next one stops it', async () => {
  const missing = `/docs/${sheet.slug}/artifacts/art_${'0'.repeat(20)}`
  await write([await upload(counter('First')), await upload(counter('Second')), missing])
  await card(0).getByText('First').waitFor()
  await card(2).getByText('This artifact is not there any more.').waitFor()
  assert.is(await ada.locator('iframe').count(), 0)
  await act(0, 'Run')
  const frame = ada.locator('.artifact iframe')
  assert.is(await frame.getAttribute('sandbox'), 'allow-scripts')
  const inside = ada.frameLocator('.artifact iframe').getByRole('button')
  await inside.click()
  assert.is(await inside.textContent(), '1')
  const { width = 0, height = 0 } = (await frame.boundingBox()) ?? {}
  assert.ok(width < 721 && Math.abs(width / height - 1.6) < 0.01, `${width} × ${height}`)
  await act(1, 'Run')
  assert.is(await frame.count(), 1)
  assert.is(await card(1).locator('iframe').count(), 1)
})

test('keys come out of a frame, and its source can be read', async () => {
  const inside = ada.frameLocator('.artifact iframe').getByRole('button')
  await inside.focus()
  await ada.keyboard.press('Tab')
  await card(1)
    .getByRole('button', { name: 'Back to the text' })
    .and(ada.locator(':focus'))
    .waitFor()
  await ada.keyboard.press('Enter')
  await ada.waitForFunction(() => document.activeElement?.matches('.text'))
  await act(1, 'Show source')
  await ada
    .getByRole('dialog', { name: 'Source of Second' })
    .getByText('this.textContent')
    .waitFor()
  await ada.keyboard.press('Escape')
  await act(1, 'Stop')
  assert.is(await ada.locator('iframe').count(), 0)
})

test('a page that is dropped becomes an artifact; what is no page is refused in words', async () => {
  await ada.evaluate(
    ([html, bad]) => {
      const text = document.querySelector('.text')
      const last = text?.lastElementChild?.getBoundingClientRect()
      for (const [name, part] of [
        ['dropped.html', html],
        ['bad.html', new Uint8Array(bad)],
      ] as const) {
        const data = new DataTransfer()
        data.items.add(new File([part], name, { type: 'text/html' }))
        const place = { clientX: (last?.left ?? 0) + 20, clientY: (last?.bottom ?? 0) - 1 }
        const init = { ...place, dataTransfer: data, bubbles: true, cancelable: true }
        text?.dispatchEvent(new DragEvent('drop', init))
      }
    },
    [counter('Dropped'), [0x3c, 0xff, 0xfe, 0x3e]] as const,
  )
  await ada.getByText('This is no HTML page in UTF-8').waitFor()
  await ada.getByRole('group', { name: 'bad.html' }).getByRole('button', { name: 'Remove' }).click()
  await ada.locator('.artifact').getByText('Dropped').waitFor()
  const wanted = /End\.\n\n```artifact\n\/docs\/\w+\/artifacts\/[\w-]+\n```/
  assert.match(await stage.reads(sheet, wanted), wanted)
})

/** Whoever connects is counted, whatever is said then. */
async function listen(): Promise<{ address: string; reached: string[]; close: () => void }> {
  const reached: string[] = []
  const server = createServer(({ url }, response) => {
    reached.push(url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').end('x')
  })
  server.on('connection', () => reached.push('a connection'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, reached, close: () => server.close() }
}

/** Until the browser shows in the frame that it took it nowhere. */
async function left(element: ElementHandle | null): Promise<void> {
  const frame = await element?.contentFrame()
  while (frame?.url().startsWith('chrome-error:') === false) await frame.waitForTimeout(50)
}

/** What the network allows nobody to see refused: only the server and the page can tell. */
const silent = 'nothing'

test('none of the attacks reaches a server, the service, a cookie or the page', async () => {
  const far = await listen()
  const scripted = (script: string) =>
    `<!doctype html><title>Evil</title><h1>x</h1><p>y</p><script>const FAR = "${far.address}", ` +
    `OWN = "${stage.origin}";${script}</script>`
  const pages = [attacks, ...departures].map(scripted)
  await write(await Promise.all(pages.map(upload)))
  const context = ada.context()
  const before = { url: ada.url(), cookies: JSON.stringify(await context.cookies()) }
  const leaks: string[] = []
  context.on('response', (response) => {
    if (response.url().includes('leak')) leaks.push(response.url())
  })
  await act(0, 'Run')
  const frame = await (await card(0).locator('iframe').elementHandle())?.contentFrame()
  assert.ok(frame)
  await frame.waitForFunction(() => 'isDone' in window)
  const outcomes = await frame.evaluate<Record<string, string>>('window.outcomes')
  const tried = Object.entries(outcomes)
  assert.ok(tried.length >= 60, `${tried.length} attacks`)
  const gained = tried.filter(([, outcome]) => outcome !== 'refused' && outcome !== silent)
  assert.equal(gained, [])
  for (const at of departures.keys()) {
    await act(at + 1, 'Run')
    await ada.waitForSelector('iframe')
    await left(await ada.locator('iframe').elementHandle())
  }
  // Whatever was on its way has come by now: the last of them is asked after all.
  await fetch(`${far.address}/last`)
  assert.equal(
    far.reached.filter((url) => url !== '/last'),
    ['a connection'],
  )
  assert.equal(leaks, [])
  assert.is(context.pages().length, 1)
  assert.is(ada.url(), before.url)
  assert.is(JSON.stringify(await context.cookies()), before.cookies)
  await ada.locator('.text').getByText('End.').click()
  await ada.keyboard.type(' Alive.')
  await stage.reads(sheet, /Alive\./)
  far.close()
})

test('a copy of the fence says when the document of its artifact is archived', async () => {
  const other = await stage.document('# Copy\n')
  const address = await upload(counter('Away'))
  const body = { edits: [{ old_string: '# Copy', new_string: `# Copy\n\n${fence(address)}` }] }
  await stage.call('PATCH', `/docs/${other.slug}`, { token: other.token, body })
  await stage.call('POST', `/docs/${sheet.slug}/archive`, { token: sheet.token })
  await ada.goto(other.shareAddress)
  await ada.getByText('This artifact belongs to an archived document.').waitFor()
})

test.run()
