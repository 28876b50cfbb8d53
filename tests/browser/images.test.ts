/**
 * Images and the reader's rights (extensions §3): a text that names an address of the service as an
 * image makes the page ask for nothing there, and whoever gets one loaded all the same, by way of
 * another host, takes nothing away.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { imageAddress } from '../../web/editor/node-views/image-address.ts'
import { Stage, type StageDocument } from './stage.ts'
import { showAs } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const slug = 'a'.repeat(20)
const page = `https://docs.example/d/${slug}`
const kinds: readonly (readonly [kind: string, addresses: readonly string[]])[] = [
  [
    'own',
    [
      `/docs/${slug}/images/img_1`,
      `https://docs.example/docs/${slug}/images/img_1`,
      `//docs.example/docs/${slug}/images/img_1#x`,
      `../docs/${slug}/images/img_1`,
    ],
  ],
  [
    'none',
    [
      ...[
        '/d/x?token=y',
        'x?token=y',
        '?token=y',
        '',
        '.',
        '#a',
        '/s/abc',
        '/icon.svg',
        '/metrics',
      ],
      ...['//docs.example/d/x?token=y', '\\\\docs.example/d/x', 'https:/d/x?token=y', 'https:d/x'],
      ...['https://DOCS.example/d/x', 'https://docs.example./d/x', 'http://docs.example/d/x'],
      ...[
        'https://docs.example:8443/d/x',
        'https://a:b@docs.example/d/x',
        '\thttps://docs.example',
      ],
      ...[
        'https://docs%2Eexample/d/x',
        'https://ｄｏｃｓ.example/d/x',
        'https://docs。example/d/x',
      ],
      `/docs/${slug}/images/../../../d/x?token=y`,
      `/docs/${slug}/images/%2e%2e/%2e%2e/x`,
      `/docs/${slug}/images/..%2f..%2fx`,
      `/docs/${slug}/images/img_1?token=y`,
      `/docs/${slug}/images/`,
      `/docs/${slug}/images/a/b`,
      `/docs/${slug}/live`,
      `https://a@docs.example/docs/${slug}/images/img_1`,
      `http://docs.example/docs/${slug}/images/img_1`,
      ...['javascript:1', 'data:image/png;base64,x', 'blob:x', 'file:///x', 'https://', 'http://['],
    ],
  ],
  ['elsewhere', ['https://other.example/a.png', '//other.example/a', 'http://docs.example.evil/a']],
]
for (const [kind, addresses] of kinds) {
  for (const address of addresses) {
    test(`as an image, ${JSON.stringify(address)} is ${kind}`, () =>
      assert.is(imageAddress(address, page).kind, kind))
  }
}

test('this machine has one host, whatever it is called', () => {
  const at = (address: string) => imageAddress(address, 'http://127.0.0.1:4000/d/x').kind
  const names = ['localhost', '127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '127.9.9.9']
  for (const name of [...names, 'LOCALHOST.', 'a.localhost', '0.0.0.0', '[::ffff:127.0.0.1]']) {
    assert.is(at(`http://${name}:4000/d/x?token=y`), 'none', name)
  }
})

const opened = (one: Page) => one.waitForSelector('main[data-synced="true"]')
const isEditable = (one: Page) => one.waitForSelector('.text[contenteditable="true"]')

/** The token of the document's general link, which its owner made a viewer's. */
async function weakToken(made: StageDocument): Promise<string> {
  const owner = await stage.person()
  const headers = { Origin: stage.origin }
  // Before the page opens, which would take a name of its own.
  await owner.request.post('/auth/guest', { data: { name: 'Owner' }, headers })
  await owner.goto(made.shareAddress)
  await opened(owner)
  const claim = await owner.request.post(`/docs/${made.slug}/claim`, { headers })
  assert.is(claim.status(), 200, await claim.text())
  const path = `/docs/${made.slug}/link-access`
  const set = await owner.request.patch(path, { data: { role: 'viewer' }, headers })
  assert.is(set.status(), 200, await set.text())
  await owner.context().close()
  const { code } = await stage.call('POST', `/docs/${made.slug}/share-link`, { token: made.token })
  const { confirmation_url: confirmation } = await stage.call('GET', `/s/${String(code)}`)
  const answer = await fetch(String(confirmation), { redirect: 'manual' })
  return new URL(String(answer.headers.get('location'))).searchParams.get('token') ?? ''
}

test('extensions §3: an image takes away no reader’s right, however its address is spelt', async () => {
  const made = await stage.document('Start.\n')
  const token = await weakToken(made)
  const path = `/d/${made.slug}?token=${token}`
  const { port, host } = new URL(stage.origin)
  const spellings = [
    ...[path, `.${path}`, `..${path}`, `${made.slug}?token=${token}`, `?token=${token}`],
    ...[`//${host}${path}`, `${stage.origin}${path}`, `HTTP://${host}${path}`],
    ...[`http://127.1:${port}${path}`, `http://localhost:${port}${path}`, `http:${path}`],
    `/docs/${made.slug}/images/..%2f..%2f..${path}`,
  ]
  const images = spellings.map((address) => `![seen](<${address}>)`)
  const body = {
    edits: [
      {
        old_string: 'Start.',
        new_string: [...images, '![far](https://far.test/a.png)'].join('\n\n'),
      },
    ],
  }
  await stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body })

  const reader = await stage.person()
  await reader.request.post('/auth/guest', {
    data: { name: 'Ann' },
    headers: { Origin: stage.origin },
  })
  await reader.goto(made.shareAddress)
  await isEditable(reader)
  const asked: string[] = []
  reader.context().on('request', (request) => {
    if (request.resourceType() === 'image') asked.push(request.url())
  })
  await reader
    .context()
    .route('https://far.test/**', (route) =>
      route.fulfill({ status: 302, headers: { Location: `${stage.origin}${path}` } }),
    )
  await reader.reload()
  await isEditable(reader)
  await reader.locator('.card').getByText('far.test').waitFor()
  const cards = reader.locator('.card', { hasText: 'This address cannot be shown' })
  assert.is(await cards.count(), spellings.length)
  await handled(reader)
  assert.equal(asked, [])

  await reader.getByRole('button', { name: 'Load external images' }).click()
  await reader.locator('.card').getByText('Could not load an image from far.test').waitFor()
  const through = [`${stage.origin}${path}`, `${stage.origin}/d/${made.slug}`]
  assert.equal(asked, ['https://far.test/a.png', ...through])
  await reader.reload()
  await isEditable(reader)
  stage.complaints.splice(0, stage.complaints.length)
})

/** Copies the text, pastes it and the same as foreign HTML, and looks at its source. */
async function handled(one: Page): Promise<void> {
  await one.locator('.text').focus()
  await one.keyboard.press('Control+a')
  await one.evaluate(() => {
    const text = document.querySelector<HTMLElement>('.text')
    const clipboardData = new DataTransfer()
    const init = { clipboardData, bubbles: true, cancelable: true }
    text?.dispatchEvent(new ClipboardEvent('copy', init))
    const own = clipboardData.getData('text/html')
    if (!own.includes('<img src="/d/')) throw new Error('nothing was copied')
    const foreign = own.replaceAll('data-pm-slice', 'data-x')
    for (const html of [own, foreign]) {
      const pasted = new DataTransfer()
      pasted.setData('text/html', html)
      text?.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: pasted }))
    }
  })
  const far = one.locator('.card').getByText('far.test')
  await far.nth(1).waitFor()
  await one.keyboard.press('Control+z')
  await far.nth(1).waitFor({ state: 'detached' })
  await showAs(one, 'Page and source')
  await one.locator('.source .cm-content').waitFor()
  await showAs(one, 'Page')
}

test('a link that one follows to a weaker token takes away nothing either', async () => {
  const made = await stage.document('Start.\n')
  const token = await weakToken(made)
  const reader = await stage.person()
  await reader.request.post('/auth/guest', {
    data: { name: 'Ann' },
    headers: { Origin: stage.origin },
  })
  await reader.goto(made.shareAddress)
  await isEditable(reader)
  await reader.goto(`/d/${made.slug}?token=${token}`)
  await isEditable(reader)
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
