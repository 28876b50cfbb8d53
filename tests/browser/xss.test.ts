/**
 * Nothing that a document holds runs in the page, whichever way it came in: no dialog, no script,
 * no violation of the page's policy, and no element or address in the text that could.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { connectEditor } from '../../bench/editor.ts'
import { Stage, type StageDocument } from './stage.ts'
import { Writer } from './writer.ts'
import { addressVectors, handlerVectors, htmlVectors, markdownVectors } from './xss-vectors.ts'

let stage: Stage
let writer: Writer
const dialogs: string[] = []

test.before(async () => {
  stage = await Stage.open()
  writer = await Writer.open(stage, await stage.document('x\n'))
  await watch(writer.page)
})
test.after(() => stage.close())

declare global {
  interface Window {
    __xss?: number
    __violations?: string[]
  }
}

async function watch(page: Page): Promise<void> {
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.addInitScript(() => {
    window.__violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      window.__violations?.push(`${violatedDirective} ${blockedURI}`)
    })
  })
}

/** Opens a document and judges what stands in it. */
async function opens(made: StageDocument, blocks: number): Promise<void> {
  const { page } = writer
  await page.goto(made.shareAddress)
  await page.waitForFunction(
    (count) => (document.querySelector('.text')?.childElementCount ?? 0) >= count,
    blocks,
  )
  await harmless(page)
}

async function harmless(page: Page): Promise<void> {
  // Whatever loads or fires late has its moment.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)))
  const found = await page.evaluate(() => {
    const wrong: string[] = []
    const text = document.querySelector('.text')
    for (const element of text?.querySelectorAll('*') ?? []) {
      const name = element.localName
      if (/^(script|iframe|object|embed|svg|math|style|link|meta|base|form|video)$/.test(name)) {
        wrong.push(element.outerHTML)
      }
      for (const { name: attribute, value } of element.attributes) {
        if (/^on|^srcdoc$|^formaction$|^ping$/.test(attribute)) wrong.push(element.outerHTML)
        if (!/^(href|src|action|data)$/.test(attribute)) continue
        const { protocol } = new URL(value, location.href)
        if (!/^(https?|mailto):$/.test(protocol)) wrong.push(element.outerHTML)
      }
    }
    return { wrong, ran: window.__xss, violations: window.__violations ?? [] }
  })
  assert.equal(found, { wrong: [], ran: undefined, violations: [] })
  assert.equal(dialogs, [])
}

/** Each attempt in a quote of its own, which ends whatever it leaves open. */
const quoted = (vectors: readonly string[]): string =>
  vectors.map((vector) => vector.replace(/^/gm, '> ')).join('\n\nBetween.\n\n')

test('there are at least 300 attempts', () => {
  assert.ok(new Set(markdownVectors).size >= 300, String(new Set(markdownVectors).size))
})

test('created with a document they run nothing', async () => {
  await opens(await stage.document(`${quoted(markdownVectors)}\n`), markdownVectors.length)
})

test('in front matter they run nothing', async () => {
  const lines = markdownVectors.map((vector, index) => `k${index}: ${JSON.stringify(vector)}`)
  const made = await stage.document(`---\n${lines.join('\n')}\n---\n\nText.\n`)
  await opens(made, 2)
  await writer.page.getByRole('button', { name: /^Front matter/ }).click()
  await harmless(writer.page)
})

test('written by PATCH they are refused or run nothing', async () => {
  const made = await stage.document('Start.\n')
  let taken = 0
  for (let from = 0; from < markdownVectors.length; from += 50) {
    const edits = markdownVectors.slice(from, from + 50).map((vector) => ({
      new_string: `Start.\n\n${vector.replace(/^/gm, '> ')}`,
      old_string: 'Start.',
    }))
    for (const edit of edits) taken += (await patched(made, edit)) ? 1 : 0
  }
  assert.ok(taken > 50, `${taken} were taken`)
  await opens(made, taken)
})

async function patched(made: StageDocument, edit: Record<string, string>): Promise<boolean> {
  const read = await stage.call('GET', `/docs/${made.slug}`, { token: made.token })
  const body = { base_revision: read['revision'], edits: [edit] }
  try {
    await stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body })
    return true
  } catch (error) {
    if (/: 4\d\d /.test(String(error))) return false
    throw error
  }
}

test('pasted as HTML and as text they run nothing', async () => {
  const made = await stage.document('x\n')
  await opens(made, 1)
  for (const html of htmlVectors) await pasteOver({ html: `<p>a</p>${html}<p>b</p>`, text: 'x' })
  for (const text of [...addressVectors.map((address) => `[x](<${address}>)`), ...handlerVectors]) {
    await pasteOver({ text: `**x**\n\n${text}\n\ny` })
  }
  await writer.page.locator('.state-line').getByText('Saved').waitFor()
  const blocks = await writer.page.locator('.text > *').count()
  assert.ok(blocks > 50, `${blocks} blocks came of the pastes`)
  await harmless(writer.page)
})

/** Pastes, looks, and takes the pasted away again within one visit of the page. */
async function pasteOver(clip: { html?: string; text: string }): Promise<void> {
  const { page } = writer
  await page.evaluate(
    (entries) => {
      const text = document.querySelector<HTMLElement>('.text')
      text?.focus()
      const clipboardData = new DataTransfer()
      for (const [type, value] of Object.entries(entries))
        clipboardData.setData(`text/${type}`, value)
      const init = { clipboardData, bubbles: true, cancelable: true }
      text?.dispatchEvent(new ClipboardEvent('paste', { ...init }))
    },
    { html: clip.html ?? '', plain: clip.text },
  )
}

test('written by a live editor straight into the shared text they run nothing', async () => {
  const made = await stage.document('Start.\n')
  const port = Number(new URL(stage.origin).port)
  const path = `/docs/${made.slug}`
  await opens(made, 1)
  const editor = await connectEditor(port, { path } as never, made.token)
  for (const [index, block] of hostileBlocks().entries()) {
    editor.ydoc.transact(() => editor.fragment.insert(editor.fragment.length, [block]))
    if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const shown = (count: number) =>
    (document.querySelector('.text')?.childElementCount ?? 0) >= count
  await writer.page.waitForFunction(shown, addressVectors.length + 3 * handlerVectors.length)
  await harmless(writer.page)
  editor.close()
  await opens(made, 1)
})

function hostileBlocks(): Y.XmlElement[] {
  const linked = addressVectors.map((address) => {
    const paragraph = new Y.XmlElement('paragraph')
    const text = new Y.XmlText()
    text.insert(0, 'linked', { link: { href: address, title: address } })
    const image = new Y.XmlElement('image')
    image.setAttribute('src', address)
    image.setAttribute('href', address)
    image.setAttribute('alt', '"><img src=x onerror=window.__xss=1>')
    paragraph.insert(0, [text, image])
    return paragraph
  })
  const opaque = handlerVectors.flatMap((source) => {
    const html = new Y.XmlElement('html_block')
    html.setAttribute('source', source)
    const code = new Y.XmlElement('code_block')
    code.setAttribute('params', source)
    code.insert(0, [new Y.XmlText(source)])
    const paragraph = new Y.XmlElement('paragraph')
    const inline = new Y.XmlElement('html_inline')
    inline.setAttribute('source', source)
    paragraph.insert(0, [new Y.XmlText(source), inline])
    return [html, code, paragraph]
  })
  return [...linked, ...opaque]
}

test('said in comments, suggested, and asked they run nothing', async () => {
  const made = await stage.document('Words.\n')
  const post = (body: Record<string, unknown>) =>
    stage.call('POST', `/docs/${made.slug}/comments`, { token: made.token, body })
  const vectors = [...handlerVectors, ...addressVectors.map((address) => `[x](<${address}>)`)]
  for (let from = 0; from < vectors.length; from += 20) {
    await post({ quote: 'Words', text: vectors.slice(from, from + 20).join('\n') })
  }
  const notify = { kind: 'decision', line: '<img src=x onerror=window.__xss=1> — ask' }
  const options = [{ label: '<svg onload=window.__xss=1>', answer: 'javascript:window.__xss=1' }]
  await post({ quote: 'Words', text: 'x', notify: { ...notify, options } })
  await post({ quote: 'Words.', suggestion: { new_string: 'See [x](/y)' }, text: vectors[0] })
  await opens(made, 1)
  const cards = writer.page.locator('.talk-card')
  await cards.nth(vectors.length / 20).waitFor()
  await cards.last().click()
  await harmless(writer.page)
  const links = await writer.page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('.margin a')].map(({ protocol }) => protocol),
  )
  assert.equal(
    [...new Set(links)].filter((protocol) => !/^https?:$/.test(protocol)),
    [],
  )
  const strange = '.margin :is(script, iframe, object, embed, img, style, form[action])'
  assert.is(await writer.page.locator(strange).count(), 0)
})

test('no page failed', () => {
  const expected = /Failed to load resource|net::ERR|Could not load an image/
  assert.equal(
    stage.complaints.filter((complaint) => !expected.test(complaint)),
    [],
  )
})

test.run()
