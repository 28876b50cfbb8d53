/** The document as a whole: locked, copied, taken along, archived, restored, deleted for good. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { doFromMenu, openMenu } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const text = '---\ntags: [a]\n---\n\n# The plan\n\nWords.\n'

/** Ada owns it, Ben edits. */
async function two(markdown = text) {
  const sheet = await stage.document(markdown)
  const ada = await person(stage, sheet, 'Ada')
  await ada.getByText('You now own this document').waitFor()
  const ben = await person(stage, sheet, 'Ben')
  return { sheet, ada, ben }
}

async function reader({ slug, token }: StageDocument): Promise<Page> {
  const body = { role: 'viewer' }
  const link = await stage.call('POST', `/docs/${slug}/links`, { token, body })
  const page = await stage.person()
  await page.goto(String(link['url']))
  await page.waitForSelector('main[data-synced="true"]')
  return page
}

async function switches(page: Page, name: RegExp): Promise<void> {
  await (await openMenu(page, 'More')).getByRole('menuitemcheckbox', { name }).click()
}

const leave = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()))

test('locked, and comments off: open pages know at once, and others cannot write', async () => {
  const { sheet, ada, ben } = await two()
  const menu = await openMenu(ben, 'More')
  assert.is(await menu.getByRole('menuitemcheckbox', { name: /^(Locked|Comments)/ }).count(), 0)
  await ben.keyboard.press('Escape')
  await switches(ada, /^Locked/)
  await ada.getByText('Document locked. Only you can edit it.').waitFor()
  await ben.getByText('The owner locked this document').waitFor()
  await ben.locator('.state-line').getByText('Locked by the owner').waitFor()
  await ben.locator('.text[contenteditable="false"]').waitFor()
  await ada.locator('.text').getByText('Words.').click()
  await ada.keyboard.press('End')
  await ada.keyboard.type(' Mine.')
  assert.match(await stage.reads(sheet, /Words\. Mine\./), /Words\. Mine\./)
  const refused = agentEdits(stage, sheet, [{ old_string: 'Words', new_string: 'x' }])
  assert.match(String(await refused.catch((error) => error)), /403 .*DOC_READ_ONLY/)
  await switches(ada, /^Comments off/)
  for (const page of [ada, ben]) await page.getByText('Comments turned off.').waitFor()
  await switches(ada, /^Locked/)
  await ben.getByText('The owner unlocked this document.').waitFor()
  await ben.locator('.text[contenteditable="true"]').waitFor()
  const read = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  assert.equal([read['read_only'], read['comments_disabled']], [false, true])
  await leave(ada, ben)
})

test('a copy is one’s own, the same to the letter, and says so; who only reads makes one too', async () => {
  const { sheet, ada, ben } = await two()
  const ed = await reader(sheet)
  await doFromMenu(ed, 'More', 'Duplicate')
  await ed.getByText('This is a copy of “The plan”.').waitFor()
  await (await openMenu(ed, 'More')).getByRole('menuitemcheckbox', { name: /^Locked/ }).waitFor()
  await ed.keyboard.press('Escape')
  const slug = new URL(ed.url()).pathname.split('/').at(-1)
  assert.is.not(slug, sheet.slug)
  const read = await ed.evaluate(async (slug) => (await fetch(`/docs/${slug}`)).json(), slug)
  assert.equal([read.markdown, read.your_role], [text, 'owner'])
  await ed.reload()
  await ed.waitForSelector('main[data-synced="true"]')
  assert.is(await ed.getByText('This is a copy of').count(), 0)
  await leave(ada, ben, ed)
})

test('a copy has images of its own', async () => {
  const sheet = await stage.document('# Trip\n\nWords.\n')
  const ada = await person(stage, sheet, 'Ada')
  const stored = await ada.evaluate(
    async ([slug, dot]) => {
      const bytes = new Blob([Uint8Array.from(atob(dot), (one) => one.charCodeAt(0))], {
        type: 'image/gif',
      })
      const sent = await fetch(`/docs/${slug}/images`, { method: 'POST', body: bytes })
      return (await sent.json()) as { url: string }
    },
    [sheet.slug, 'R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='] as const,
  )
  const image = `![A dot](${stage.origin}${stored.url})`
  await agentEdits(stage, sheet, [{ old_string: 'Words.', new_string: `${image} and ${image}` }])
  await ada.locator('.text .image img').nth(1).waitFor()
  await doFromMenu(ada, 'More', 'Duplicate')
  await ada.getByText('This is a copy of “Trip”.').waitFor()
  const slug = new URL(ada.url()).pathname.split('/').at(-1) ?? ''
  const { markdown } = await ada.evaluate(
    async (slug) => (await fetch(`/docs/${slug}`)).json(),
    slug,
  )
  const copy = String(markdown).match(/\/docs\/(\w+)\/images\/\w+/)
  assert.is(copy?.[1], slug)
  const own = `![A dot](${stage.origin}${copy?.[0]})`
  assert.is(markdown, `# Trip\n\n${own} and ${own}\n`)
  const read = await ada.evaluate(async (url) => {
    const answer = await fetch(url)
    return `${answer.status} ${answer.headers.get('content-type')}`
  }, copy?.[0] ?? '')
  assert.is(read, '200 image/gif')
  await ada.route('**/docs/*/images', (route) => route.abort())
  await doFromMenu(ada, 'More', 'Duplicate')
  await ada
    .getByText('This is a copy of “Trip”. One image is still linked to the original.')
    .waitFor()
  const said = stage.complaints.splice(0, stage.complaints.length)
  assert.is(
    said.find((words) => !/ERR_FAILED/.test(words)),
    undefined,
  )
  await leave(ada)
})

test('as a file: the markdown of the page, and the service’s OKF', async () => {
  const { sheet, ada, ben } = await two()
  const taken = async (entry: string) => {
    const [file] = await Promise.all([ada.waitForEvent('download'), doFromMenu(ada, 'More', entry)])
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')]
  }
  assert.equal(await taken('Download as Markdown'), ['The-plan.md', text])
  const headers = { Authorization: `Bearer ${sheet.token}` }
  const okf = await fetch(`${stage.origin}/docs/${sheet.slug}?format=okf`, { headers })
  assert.equal(await taken('Download as OKF'), ['The-plan.okf.md', await okf.text()])
  await leave(ada, ben)
})

test('archived by an editor: nobody has the text, and all have it again when it is restored', async () => {
  const { sheet, ada, ben } = await two()
  const only = await reader(sheet)
  const entries = await openMenu(only, 'More')
  assert.is(await entries.getByRole('menuitem', { name: 'Archive' }).count(), 0)
  await only.keyboard.press('Escape')
  await doFromMenu(ben, 'More', 'Archive…')
  const asked = ben.getByRole('dialog', { name: 'Archive “The plan”?' })
  await asked
    .getByText(/^Nobody can read or edit it while it is archived.* restore it until /)
    .waitFor()
  assert.equal(await seriousFindings(ben), [])
  await ben.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await doFromMenu(ben, 'More', 'Archive…')
  await asked.getByRole('button', { name: 'Archive' }).and(ben.locator(':focus')).waitFor()
  await ben.keyboard.press('Enter')
  for (const page of [ada, ben, only]) {
    await page.getByRole('heading', { name: '“The plan” was archived' }).waitFor()
    await page.getByText(/^Ben archived it on .* can restore it until /).waitFor()
    assert.is(await page.getByText('Words.').count(), 0)
    assert.is(await page.locator('.notice').count(), 0, 'nothing is said of what was there before')
    assert.is(await page.title(), '“The plan” was archived · Scriptorium')
  }
  await ben.locator('h1:focus').waitFor()
  assert.equal(await seriousFindings(ada), [])
  assert.is(await only.getByRole('button', { name: 'Restore' }).count(), 0)
  assert.is(await ben.getByRole('button', { name: /^Delete/ }).count(), 0)
  const read = stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  assert.match(String(await read.catch((error) => error)), /423 .*DOC_ARCHIVED/)
  await ada.reload()
  await ada.getByRole('heading', { name: '“The plan” was archived' }).waitFor()
  assert.is(await ada.getByText('Words.').count(), 0)
  await ben.getByRole('button', { name: 'Restore' }).focus()
  await ben.keyboard.press('Enter')
  for (const page of [ben, ada, only]) {
    await page.getByText('The document was restored.').waitFor()
    await page.locator('.text').getByText('Words.').waitFor()
  }
  await ben.locator('.text:focus').waitFor()
  await leave(ada, ben, only)
})

test('deleted for good by its owner, who types the title: nothing of it is left for anybody', async () => {
  const { sheet, ada, ben } = await two()
  await doFromMenu(ada, 'More', 'Archive…')
  await ada.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await ada.getByRole('button', { name: 'Delete forever…' }).click()
  const asked = ada.getByRole('dialog', { name: 'Delete “The plan” forever?' })
  const title = asked.getByLabel('To confirm, type the title')
  await title.and(ada.locator(':focus')).waitFor()
  assert.equal(await seriousFindings(ada), [])
  await ada.keyboard.type('the plan')
  await ada.keyboard.press('Enter')
  await asked.getByText('This does not match the title.').waitFor()
  await title.fill('The plan')
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Document not found' }).waitFor()
  await ben.evaluate(() => window.dispatchEvent(new Event('focus')))
  await ben.getByRole('heading', { name: 'Document not found' }).waitFor()
  const { slug, token } = sheet
  for (const path of ['', '/archive']) {
    const read = stage.call('GET', `/docs/${slug}${path}`, { token })
    assert.match(String(await read.catch((error) => error)), /404 .*DOC_NOT_FOUND/)
  }
  await leave(ada, ben)
})

test('no page complained', () => {
  const unexpected = stage.complaints.filter((said) => !/status of 4\d\d|WebSocket/.test(said))
  assert.equal(unexpected, [])
})

test.run()
