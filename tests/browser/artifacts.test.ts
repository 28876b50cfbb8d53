/**
 * Artifacts in the page (interface §4.8): a card until one runs it or sees its poster, one at a
 * time, with a way out for keys; and what a malicious one tries, none of which reaches a server, a
 * cookie or the page.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ElementHandle, Frame } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../pictures.ts'
import { attacks, departures } from './artifact-attacks.ts'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
const sheet = await stage.document('# Lab\n\nCards.\n')
// What runs by itself does so where motion is welcome.
const ada = await person(stage, sheet, 'Ada', { reducedMotion: 'no-preference' })
test.after(() => stage.close())

async function send(path: string, type: string, body: string | Buffer) {
  const answer = await fetch(stage.origin + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sheet.token}`, 'Content-Type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  assert.is(answer.status, 201)
  return (await answer.json()) as { readonly url: string }
}

const upload = async (html: string): Promise<string> =>
  (await send(`/docs/${sheet.slug}/artifacts`, 'text/html', html)).url

/** With a poster. */
async function pictured(html: string): Promise<string> {
  const address = await upload(html)
  await send(`${address}/poster`, 'image/png', png())
  return address
}

const fence = (address: string): string => `\`\`\`artifact\n${address}\n\`\`\``

/** The document from here on: these fences, in order, with so many lines behind each. */
async function write(addresses: readonly string[], lines = 0): Promise<void> {
  const read = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  const between = Array.from({ length: lines }, (_, at) => `Line ${at}.`)
  const blocks = addresses.flatMap((address) => [fence(address), ...between])
  const body = {
    base_revision: read['revision'],
    replace_document: ['# Lab', ...blocks, 'End.'].join('\n\n'),
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

/** Its own scripts, styles and images work; it shows in which colour. */
const colours = `<!doctype html><title>First</title><p>x<script>
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const drawn = async () => {
    const i = new Image(); i.src = 'data:image/png;base64,' + pixel; await i.decode()
    const made = await new Promise((resolve) => document.createElement('canvas').toBlob(resolve))
    const j = new Image(); j.src = URL.createObjectURL(made); await j.decode()
    const s = document.createElement('style'); s.textContent = 'p { color: rgb(1, 2, 3) }'
    document.head.append(s)
    document.querySelector('p').textContent = getComputedStyle(document.querySelector('p')).color
  }
  drawn()</script>`

test('a card runs on a click, scaled to the column; the next one stops it', async () => {
  const missing = `/docs/${sheet.slug}/artifacts/art_${'0'.repeat(20)}`
  await write([await upload(colours), await upload(counter('Second')), missing])
  await card(0).getByText('First').waitFor()
  await card(2).getByText('This artifact was deleted.').waitFor()
  assert.is(await ada.locator('iframe').count(), 0)
  await act(0, 'Run')
  await ada.frameLocator('.artifact iframe').getByText('rgb(1, 2, 3)').waitFor()
  await act(1, 'Run')
  const frame = ada.locator('.artifact iframe')
  assert.is(await frame.count(), 1)
  assert.is(await card(1).locator('iframe').count(), 1)
  assert.is(await frame.getAttribute('sandbox'), 'allow-scripts')
  const inside = ada.frameLocator('.artifact iframe').getByRole('button')
  await inside.click()
  assert.is(await inside.textContent(), '1')
  const { width = 0, height = 0 } = (await frame.boundingBox()) ?? {}
  assert.ok(width < 721 && Math.abs(width / height - 1.6) < 0.01, `${width} × ${height}`)
})

test('full screen is all of the window, and Escape goes back', async () => {
  await act(1, 'Full screen')
  await ada.waitForFunction(() => document.fullscreenElement?.matches('.artifact-stage'))
  const frame = ada.locator('.artifact iframe')
  await ada.waitForFunction(() => {
    const { width = 0, height = 0 } =
      document.querySelector('.artifact iframe')?.getBoundingClientRect() ?? {}
    return Math.abs(width - innerWidth) < 2 || Math.abs(height - innerHeight) < 2
  })
  const inside = ada.frameLocator('.artifact iframe').getByRole('button')
  await inside.click()
  assert.is(await inside.textContent(), '2', 'as it was')
  // Playwright's keys do not reach the browser's own.
  await ada.evaluate(() => document.exitFullscreen())
  await ada.waitForFunction(() => document.fullscreenElement === null)
  await ada.waitForFunction(() => {
    const { width = 0 } = document.querySelector('.artifact iframe')?.getBoundingClientRect() ?? {}
    return width < 721
  })
  assert.is(await frame.count(), 1)
})

test('keys come out of a frame, and its source can be read', async () => {
  const inside = ada.frameLocator('.artifact iframe').getByRole('button')
  const isAt = (name: string) =>
    card(1).getByRole('button', { name }).and(ada.locator(':focus')).waitFor()
  await inside.focus()
  await ada.keyboard.press('Shift+Tab')
  await isAt('Skip the artifact')
  await ada.keyboard.press('Enter')
  await isAt('Back to the document')
  await inside.focus()
  await ada.keyboard.press('Tab')
  await isAt('Back to the document')
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

/** It wants all keys for itself. */
const greedy =
  '<!doctype html><title>Greedy</title><input><script>' +
  'setInterval(() => { window.focus(); document.querySelector("input").focus() }, 10)</script>'

const notes = async (): Promise<readonly string[]> =>
  JSON.parse(
    (await ada.evaluate(() => localStorage.getItem('artifacts-not-by-themselves'))) ?? '[]',
  )
const typeAtTop = async (words: string) => {
  await ada.locator('.text h1').click()
  await ada.keyboard.press('End')
  await ada.keyboard.type(words)
  const wanted = new RegExp(`# Lab.*${words}\n`)
  assert.match(await stage.reads(sheet, wanted), wanted)
}

test('one whose poster is seen runs by itself until it is out of sight', async () => {
  await write([await pictured(counter('By itself'))], 40)
  await card(0).locator('iframe[inert]').waitFor()
  await typeAtTop(' is open')
  const frame = await (await card(0).locator('iframe').elementHandle())?.contentFrame()
  await frame?.evaluate('window.mark = 1')
  // Somebody asks for it: it goes on as it is, with the focus.
  await card(0).locator('.artifact-stage').click()
  await ada.waitForFunction(() => document.activeElement?.matches('iframe:not([inert])'))
  assert.is(await frame?.evaluate('window.mark'), 1)
  await act(0, 'Stop')
  await write([await pictured(counter('Out of sight'))], 40)
  await ada.evaluate(() => window.scrollTo(0, 0))
  await card(0).locator('iframe[inert]').waitFor()
  await ada.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await ada.locator('.artifact iframe').waitFor({ state: 'detached' })
  assert.equal(await notes(), [], 'nothing is held against them')
})

test('one that takes the focus is stopped, whether it began by itself or was asked for', async () => {
  await ada.locator('.text').focus()
  const address = await pictured(greedy)
  await write([address])
  await ada.evaluate(() => window.scrollTo(0, 0))
  await ada.waitForFunction(
    (one) => localStorage.getItem('artifacts-not-by-themselves')?.includes(one),
    address,
  )
  await card(0).locator('.artifact-poster').waitFor()
  assert.equal(await notes(), [address], 'it does not begin by itself again')
  await typeAtTop(' for keys')
  await act(0, 'Run')
  await ada.waitForFunction(() => document.activeElement?.matches('iframe'))
  await ada.locator('.text h1').click()
  await ada.getByText('“Greedy” took the keyboard focus, so it was stopped.').waitFor()
  assert.is(await ada.locator('iframe').count(), 0)
  assert.ok(await ada.evaluate(() => document.activeElement?.matches('.text')))
  await typeAtTop(' of all')
})

test('of two that are seen one runs; none where rest is wanted, or it held up a page before', async () => {
  const small = (name: string) => pictured(counter(name).replace('"900"', '"200"'))
  const addresses = await Promise.all([small('One'), small('Two')])
  await write(addresses)
  await ada.evaluate(() => window.scrollTo(0, 0))
  const running = ada.locator('.artifact iframe')
  await running.waitFor()
  assert.is(await running.count(), 1)
  const [first, second] = await Promise.all([0, 1].map((at) => card(at).locator('iframe').count()))
  const noted = await notes()
  assert.ok(noted.includes(String(addresses[first === 1 ? 0 : 1])), 'while it runs')
  assert.is((first ?? 0) + (second ?? 0), 1)
  await ada.emulateMedia({ reducedMotion: 'reduce' })
  await ada.reload()
  const left = await notes()
  assert.ok(!addresses.some((one) => left.includes(one)), 'it left in peace')
  await card(1).locator('.artifact-poster').waitFor()
  await rested()
  assert.is(await running.count(), 0)
  await ada.emulateMedia({ reducedMotion: 'no-preference' })
  // As a page leaves it behind that was held for good.
  await ada.evaluate(
    (all) => localStorage.setItem('artifacts-not-by-themselves', JSON.stringify(all)),
    addresses.slice(0, 1),
  )
  await ada.reload()
  await card(1).locator('iframe').waitFor()
  assert.is(await card(0).locator('iframe').count(), 0)
})

/** A poster has been in sight for longer than one has to be. */
async function rested(): Promise<void> {
  await ada.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const poster = document.querySelector('.artifact-poster')
        if (poster === null) throw new Error('no poster')
        new IntersectionObserver(([entry]) => {
          if (entry?.isIntersecting) setTimeout(resolve, 1_500)
        }).observe(poster)
      }),
  )
}

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
  await ada.getByText('not a valid HTML page in UTF-8').waitFor()
  await ada.getByRole('group', { name: 'bad.html' }).getByRole('button', { name: 'Remove' }).click()
  await ada.locator('.artifact').getByText('Dropped').waitFor()
  const wanted = /End\.\n\n```artifact\n\/docs\/\w+\/artifacts\/[\w-]+\n```/
  assert.match(await stage.reads(sheet, wanted), wanted)
})

test('a page of the device is chosen from the slash menu', async () => {
  await ada.locator('.text').getByText('End.').click()
  await ada.keyboard.press('End')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('/artifact')
  await ada.getByRole('option', { name: 'Artifact' }).waitFor()
  const choosing = ada.waitForEvent('filechooser')
  await ada.keyboard.press('Enter')
  const chooser = await choosing
  const buffer = Buffer.from(counter('Chosen'))
  await chooser.setFiles({ name: 'chosen.html', mimeType: 'text/html', buffer })
  await ada.locator('.artifact').getByText('Chosen').waitFor()
  const wanted = /End\.\n\n```artifact\n\/docs\/\w+\/artifacts\/[\w-]+\n```/
  assert.match(await stage.reads(sheet, wanted), wanted)
  assert.is(await ada.locator('body > input').count(), 0)
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

/** What the attacks in this frame came to that is more than nothing. */
async function gainedIn(frame: Frame | null | undefined): Promise<readonly unknown[]> {
  assert.ok(frame)
  await frame.waitForFunction(() => 'isDone' in window)
  const outcomes = await frame.evaluate<Record<string, string>>('window.outcomes')
  const tried = Object.entries(outcomes)
  assert.ok(tried.length >= 100, `${tried.length} attacks`)
  return tried.filter(([, outcome]) => outcome !== 'refused' && outcome !== silent)
}

test('none of the attacks reaches a server, the service, a cookie or the page', async () => {
  const far = await listen()
  const scripted = (script: string) =>
    `<!doctype html><title>Evil</title><h1>x</h1><p>y</p><script>const FAR = "${far.address}", ` +
    `OWN = "${stage.origin}";${script}</script>`
  const addresses = await Promise.all([attacks, ...departures].map(scripted).map(upload))
  await write(addresses)
  const context = ada.context()
  const before = { url: ada.url(), cookies: JSON.stringify(await context.cookies()) }
  const leaks: string[] = []
  context.on('response', (response) => {
    if (response.url().includes('leak')) leaks.push(response.url())
  })
  const opened: string[] = []
  context.on('page', (page) => opened.push(page.url()))
  ada.on('download', (download) => opened.push(download.url()))
  await act(0, 'Run')
  const run = await (await card(0).locator('iframe').elementHandle())?.contentFrame()
  assert.equal(await gainedIn(run), [])
  for (const at of departures.keys()) {
    await act(at + 1, 'Run')
    await ada.waitForSelector('iframe')
    await left(await ada.locator('iframe').elementHandle())
  }
  // In a frame that says nothing of a sandbox the policy alone stands in their way.
  const bare = await ada.evaluateHandle((address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
    return frame
  }, String(addresses[0]))
  assert.equal(await gainedIn(await bare.contentFrame()), [])
  // Whatever was on its way has come by now: the last of them is asked after all.
  await fetch(`${far.address}/last`)
  assert.equal(
    far.reached.filter((url) => url !== '/last'),
    ['a connection'],
  )
  assert.equal([leaks, opened], [[], []])
  assert.is(context.pages().length, 1)
  assert.is(ada.url(), before.url)
  assert.is(JSON.stringify(await context.cookies()), before.cookies)
  await bare.evaluate((frame) => frame.remove())
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
