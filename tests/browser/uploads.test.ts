/**
 * Images that people bring: pasted, dropped and chosen, through lines that break, reloads and
 * others' edits, until they stand in the text; and how they are described and looked at there.
 */
import type { Page, Route } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person, setAccess } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
const sheet = await stage.document('# Trip\n\nFirst.\n\nLast.\n')
const ada = await person(stage, sheet, 'Ada')
test.after(async () => {
  await stage.close()
  const unexpected = stage.complaints.filter((line) => !/Failed to load resource/.test(line))
  assert.equal(unexpected, [])
})

interface Picture {
  readonly name: string
  readonly type?: string
  /** Bytes behind the picture. */
  readonly more?: number
}

/** Pictures as a clipboard or a drag has them, each of another colour. */
async function bring(
  page: Page,
  how: 'paste' | 'drop',
  pictures: readonly Picture[],
  at = '.text',
) {
  await page.evaluate(
    async ([how, pictures, at]) => {
      const data = new DataTransfer()
      for (const [at, { name, type = 'image/png', more = 0 }] of pictures.entries()) {
        const canvas = document.createElement('canvas')
        canvas.width = 240
        canvas.height = 160
        const paint = canvas.getContext('2d')
        if (paint === null) throw new Error('no canvas')
        paint.fillStyle = `hsl(${name.length * 40 + at * 90} 60% 50%)`
        paint.fillRect(0, 0, 240, 160)
        const painted = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
        const bytes = [painted ?? '', new Uint8Array(more)]
        data.items.add(new File(bytes, name, { type }))
      }
      const text = document.querySelector(at)
      const last = text?.lastElementChild?.getBoundingClientRect()
      const init = { bubbles: true, cancelable: true }
      const place = { clientX: (last?.left ?? 0) + 20, clientY: (last?.bottom ?? 0) - 2 }
      text?.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, ...place, dataTransfer: data }),
      )
    },
    [how, pictures, at] as const,
  )
}

/** Uploads wait for `go`; each goes on as it is told. */
class Gate {
  readonly waiting: Route[] = []
  static async at(page: Page): Promise<Gate> {
    const gate = new Gate()
    await page.route('**/docs/*/images', (route) => void gate.waiting.push(route))
    return gate
  }

  async next(): Promise<Route> {
    for (let at = 0; at < 600; at++) {
      const route = this.waiting.shift()
      if (route !== undefined) return route
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('nothing is sent')
  }
}

const open = (page: Page) => page.unroute('**/docs/*/images')
const caretBehind = async (page: Page, words: string) => {
  await page.locator('.text').getByText(words).click()
  await page.keyboard.press('End')
}
const address = `!\\[\\]\\(${'http://127\\.0\\.0\\.1:\\d+/docs/\\w+/images/[\\w-]+'}\\)`

test('pasted ones are drawn at once and written when the service has them, in their order', async () => {
  const gate = await Gate.at(ada)
  await caretBehind(ada, 'First.')
  await ada.keyboard.press('Enter')
  await bring(ada, 'paste', [{ name: 'a.png' }, { name: 'bb.png' }])
  const [first, second] = [await gate.next(), await gate.next()]
  const shown = ada.locator('.upload img')
  assert.is(await shown.count(), 2)
  assert.match(String(await shown.first().getAttribute('src')), /^blob:/)
  // Typing goes on, and nothing of an image is in the document.
  await caretBehind(ada, 'Last.')
  await ada.keyboard.type(' Typed.')
  await stage.reads(sheet, /Last\. Typed\./)
  assert.not.match(await stage.markdown(sheet), /!\[/)
  await second.continue()
  await ada.locator('.image').waitFor()
  await first.continue()
  const wanted = new RegExp(`First\\.\n\n${address}\n\n${address}\n\nLast\\. Typed\\.`)
  const markdown = await stage.reads(sheet, wanted)
  assert.match(markdown, wanted)
  assert.is(await ada.locator('.upload').count(), 0)
  await open(ada)
})

test('they are shown, and undone one by one', async () => {
  const sizes = () =>
    ada
      .locator('.image img')
      .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth))
  await ada.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.image img')].every(
      ({ complete }) => complete,
    ),
  )
  assert.equal(await sizes(), [240, 240])
  await ada.locator('.text').focus()
  await ada.keyboard.press('Control+z')
  const one = new RegExp(`First\\.\n\n(<br />\n\n)?${address}\n\n(<br />\n\n)?Last\\. Typed\\.`)
  assert.match(await stage.reads(sheet, one), one)
  await ada.keyboard.press('Control+Shift+z')
  const both = new RegExp(`${address}\n\n${address}`)
  assert.match(await stage.reads(sheet, both), both)
})

test('a dropped one can be taken back; one whose block others delete is not lost', async () => {
  const gate = await Gate.at(ada)
  await bring(ada, 'drop', [{ name: 'gone.png' }])
  await gate.next()
  await ada.getByRole('group', { name: 'gone.png' }).getByRole('button', { name: 'Cancel' }).click()
  assert.is(await ada.locator('.upload').count(), 0)
  await caretBehind(ada, 'Last. Typed.')
  await bring(ada, 'paste', [{ name: 'kept.png' }])
  const sent = await gate.next()
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('End.')
  await stage.reads(sheet, /End\./)
  const edits = [{ old_string: '\n\nLast. Typed.', new_string: '' }]
  await stage.call('PATCH', `/docs/${sheet.slug}`, { token: sheet.token, body: { edits } })
  await ada.locator('.text').getByText('Last. Typed.').waitFor({ state: 'detached' })
  assert.is(await ada.locator('.upload').count(), 1)
  await sent.continue()
  const wanted = new RegExp(`(${address}\n\n){3}End\\.`)
  assert.match(await stage.reads(sheet, wanted), wanted)
  await open(ada)
})

test('a line that breaks is said, and a retry goes out; a refusal says limit and size', async () => {
  const gate = await Gate.at(ada)
  await caretBehind(ada, 'End.')
  // Whenever the text goes out there is a line, and what waits for one goes out too.
  await ada.locator('.state-line').getByText('Saved', { exact: true }).waitFor()
  await bring(ada, 'paste', [{ name: 'late.png' }])
  const late = ada.getByRole('group', { name: 'late.png' })
  await (await gate.next()).abort()
  await late.getByText('Waiting for a connection').waitFor()
  await late.getByRole('button', { name: 'Retry' }).click()
  const json = { code: 'PAYLOAD_TOO_LARGE', error: '', limit: 100_000_000, size: 101_000_000 }
  await (await gate.next()).fulfill({ status: 413, json })
  await late.getByText('Images in a document are limited to 100 MB in total').waitFor()
  await late.getByRole('button', { name: 'Remove' }).click()
  assert.is(await ada.locator('.upload').count(), 0)
  await open(ada)
  const notices = ada.locator('.notices')
  await bring(ada, 'paste', [{ name: 'large.png', more: 5_000_000 }])
  await notices.getByText('“large.png” is too large: 5.1 MB').waitFor()
  await bring(ada, 'paste', [{ name: 'x.tiff', type: 'image/tiff' }])
  await notices.getByText('“x.tiff” is not a supported image').waitFor()
})

test('what is brought without a line survives a reload and goes out later', async () => {
  await ada.route('**/docs/*/images', (route) => route.abort())
  await caretBehind(ada, 'End.')
  await bring(ada, 'paste', [{ name: 'patient.png' }])
  await ada.getByText('Waiting for a connection').waitFor()
  await ada.waitForFunction(() => localStorage.getItem('uploads-waiting') !== '[]')
  await ada.reload()
  await ada.getByRole('group', { name: 'patient.png' }).waitFor()
  await open(ada)
  await ada.evaluate(() => window.dispatchEvent(new Event('online')))
  const wanted = new RegExp(`End\\.${address}`)
  assert.match(await stage.reads(sheet, wanted), wanted)
  await ada.waitForFunction(() => localStorage.getItem('uploads-waiting') === '[]')
})

test('a description is asked for under the selected image, and written once', async () => {
  await ada.locator('.image img').first().click()
  await ada.getByRole('textbox', { name: /^Description/ }).waitFor()
  await ada.keyboard.press('Tab')
  await ada.keyboard.type('A green hill')
  await ada.keyboard.press('Enter')
  assert.match(await stage.reads(sheet, /!\[A green hill\]/), /First\.\n\n!\[A green hill\]\(http/)
  // A key right after a click in words is not for the image that was selected.
  await caretBehind(ada, 'First.')
  await ada.keyboard.type(' Then.')
  assert.match(await stage.reads(sheet, /Then\./), /First\. Then\.\n\n!\[A green hill\]/)
})

test('Enter shows it large, the arrows the others, Escape gives the focus back', async () => {
  await ada.locator('.image img').first().click()
  await ada.keyboard.press('Enter')
  const large = ada.getByRole('dialog', { name: 'A green hill, 1 of 4' })
  await large.waitFor()
  await ada.keyboard.press('ArrowRight')
  await ada.getByRole('dialog', { name: 'Image, 2 of 4' }).waitFor()
  await ada.keyboard.press('Escape')
  await ada.waitForFunction(() => document.activeElement?.matches('.text'))
})

test('in Suggesting an image is part of the suggestion', async () => {
  const before = await stage.markdown(sheet)
  await ada.locator('.text').focus()
  await ada.keyboard.press('Control+Alt+Shift+x')
  await ada.locator('.mode-suggesting').waitFor()
  await caretBehind(ada, 'Then.')
  await bring(ada, 'paste', [{ name: 'offer.png' }])
  const threads = async () => {
    const read = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
    return JSON.stringify(read['threads'])
  }
  const offered = new RegExp(address.replaceAll('\\[', '\\\\?\\['))
  for (let at = 0; at < 100 && !offered.test(await threads()); at++) {
    await ada.waitForTimeout(100)
  }
  assert.match(await threads(), offered)
  assert.is(await stage.markdown(sheet), before)
})

test('a problem is reported with a picture and the request that failed', async () => {
  const json = {
    code: 'INTERNAL',
    error: 'broken',
    request_id: 'req_broken',
    feedback: `/docs/${sheet.slug}/feedback?ref=req_broken`,
  }
  await ada.route('**/docs/*/images', (route) => route.fulfill({ status: 500, json }))
  await bring(ada, 'paste', [{ name: 'fails.png' }])
  await ada.getByRole('button', { name: 'Report…' }).click()
  await open(ada)
  const dialog = ada.getByRole('dialog', { name: 'Report a problem' })
  await dialog.getByText('req_broken: broken').waitFor()
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('It broke.')
  await bring(ada, 'paste', [{ name: 'shot.png' }], '.report textarea')
  await dialog.getByRole('button', { name: 'Remove shot.png' }).waitFor()
  const sent = ada.waitForRequest(/\/feedback\?/)
  await dialog.getByRole('button', { name: 'Send' }).click()
  const request = await sent
  assert.match(request.url(), /ref=req_broken$/)
  const report = request.postDataJSON()
  assert.is(report.message, 'It broke.')
  assert.match(report.image_urls[0], /^\/docs\/\w+\/feedback\/images\/[\w-]+$/)
  await ada.getByText('Report sent. Thank you.').waitFor()
  assert.is((await request.response())?.status(), 201)
})

test('who may not upload is told why, and who reads sees and enlarges what is there', async () => {
  await setAccess(ada, sheet, 'viewer')
  const answer = await ada.request.post(`/docs/${sheet.slug}/access`, {
    data: { role: 'commenter' },
    headers: { Origin: stage.origin },
  })
  const { access_token: token } = await answer.json()
  const bob = await stage.person()
  await bob.goto(`/d/${sheet.slug}`)
  await bob.locator('.text[contenteditable="false"] .image img').nth(1).click()
  await bob.getByRole('dialog', { name: 'Image, 2 of 4' }).waitFor()
  await bob.keyboard.press('Escape')
  await bring(bob, 'drop', [{ name: 'no.png' }])
  await bob.getByText('You need an editor link to add images.').waitFor()
  await bob.goto(`/d/${sheet.slug}?token=${token}`)
  await bob.locator('.text[contenteditable="true"]').waitFor()
  await bring(bob, 'paste', [{ name: 'no.png' }])
  await bob.getByText('You can only comment and suggest. To add images').waitFor()
  await bob.context().close()
})

/** On another document, as one begins. */
async function anew(markdown: string): Promise<StageDocument> {
  const made = await stage.document(markdown)
  await ada.goto(made.shareAddress)
  await ada.waitForSelector('#text[data-synced="true"] .text[contenteditable="true"]')
  return made
}

const painted = async (): Promise<Buffer> => {
  const url = await ada.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 30
    canvas.height = 20
    return canvas.toDataURL()
  })
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

test('images of the device are chosen from the slash menu, several at once, and stand there', async () => {
  const made = await anew('# Chosen\n\nBefore.\n')
  await caretBehind(ada, 'Before.')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('/image')
  await ada.getByRole('option', { name: 'Image' }).waitFor()
  await ada.keyboard.press('Enter')
  const choosing = ada.waitForEvent('filechooser')
  await ada.getByRole('button', { name: 'Upload from this device' }).click()
  const chooser = await choosing
  assert.ok(chooser.isMultiple())
  const buffer = await painted()
  const files = ['one.png', 'two.png'].map((name) => ({ name, mimeType: 'image/png', buffer }))
  await chooser.setFiles(files)
  const wanted = new RegExp(`Before\\.\n\n${address}\n\n${address}`)
  assert.match(await stage.reads(made, wanted), wanted)
  await ada.waitForFunction(() => document.activeElement?.matches('.text'))
})

test('what is read stays where it is when the image takes the place of its upload', async () => {
  await anew('# Still\n\nFirst.\n\nLast.\n')
  const gate = await Gate.at(ada)
  await caretBehind(ada, 'First.')
  await bring(ada, 'paste', [{ name: 'in-words.png' }])
  await bring(ada, 'drop', [{ name: 'between.png' }])
  const sent = [await gate.next(), await gate.next()]
  await ada.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.upload img')].every(
      (img) => img.naturalWidth,
    ),
  )
  const places = () =>
    ada.evaluate(() => {
      const blocks = [...document.querySelectorAll('.text h1, .text p')]
      const words = blocks.filter(({ textContent }) => /Still|First|Last/.test(textContent ?? ''))
      return words.map((block) => block.getBoundingClientRect().y)
    })
  const before = await places()
  const assertStill = async (when: string) => {
    const moved = (await places()).map((y, at) => Math.abs(y - (before[at] ?? 0)))
    assert.is(moved.length, 3)
    assert.ok(Math.max(...moved) < 1, `${when}: ${moved.join()}`)
  }
  // What the service has takes longer to come than anybody waits for it.
  const late: Route[] = []
  await ada.route('**/docs/*/images/*', (route) => void late.push(route))
  for (const route of sent) await route.continue()
  await ada.locator('.image img').nth(1).waitFor()
  assert.is(await ada.locator('.upload').count(), 0)
  await assertStill('before they are there')
  assert.ok(late.length > 0)
  await ada.unroute('**/docs/*/images/*')
  for (const route of late) await route.continue()
  await ada.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.image img')].every(
      (img) => img.naturalWidth > 0,
    ),
  )
  await assertStill('when they are')
  await open(ada)
})

test('what arrives while an input method is at work waits until that is done', async () => {
  const made = await anew('# Composed\n\nFirst.\n\nLast.\n')
  const gate = await Gate.at(ada)
  await caretBehind(ada, 'First.')
  const keys = await ada.context().newCDPSession(ada)
  const compose = (text: string) =>
    keys.send('Input.imeSetComposition', {
      ...{ text, selectionStart: text.length, selectionEnd: text.length },
    })
  await compose('に')
  await bring(ada, 'drop', [{ name: 'under.png' }])
  await ada.locator('.upload').waitFor()
  await compose('にほ')
  await (await gate.next()).continue()
  await ada.locator('.upload[data-stage="sent"]').waitFor()
  await compose('にほん')
  await ada.locator('.text').getByText('First.にほん').waitFor()
  assert.is(await ada.locator('.text .image').count(), 0)
  await keys.send('Input.insertText', { text: '日本' })
  const wanted = new RegExp(`First\\.日本\n\nLast\\.[^]*${address}`)
  assert.match(await stage.reads(made, wanted), wanted)
  assert.is(await ada.locator('.upload').count(), 0)
  await open(ada)
})

test.run()
