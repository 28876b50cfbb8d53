/** Documents on home: renamed, duplicated, shared, sorted, and looked at while archived. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../pictures.ts'
import { becomes } from '../waiting.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const titles = (page: Page) => page.locator('.row-title').allInnerTexts()
const have = (page: Page, wanted: readonly string[]) =>
  becomes(async () => JSON.stringify(await titles(page)) === JSON.stringify(wanted), 30_000)

/** A guest's home, with documents of these texts, the first the oldest. */
async function home(...texts: readonly string[]): Promise<{ page: Page; slugs: string[] }> {
  const page = await stage.person()
  const headers = { Origin: stage.origin }
  await page.request.post('/auth/guest', { data: { name: 'Ada' }, headers })
  const slugs: string[] = []
  for (const markdown of texts) {
    const made = await page.request.post('/docs', { data: { markdown }, headers })
    slugs.push(String((await made.json()).id))
  }
  await page.goto('/')
  await page
    .locator('.row')
    .nth(texts.length - 1)
    .waitFor()
  return { page, slugs }
}

async function choose(page: Page, title: string, entry: string): Promise<void> {
  await page.getByRole('listitem').filter({ hasText: title }).hover()
  await page.getByRole('button', { name: `Options for ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const markdownOf = async (page: Page, slug = '') =>
  String((await (await page.request.get(`/docs/${slug}`)).json()).markdown)

test('a document is renamed: its heading, its first line, or a heading above the rest', async () => {
  const texts = ['---\na: 1\n---\n# Old\n\nOld\n', 'First line\n', '- item\n', '']
  const { page, slugs } = await home(...texts)
  for (const [index, old] of ['Old', 'First line', '- item', 'Untitled'].entries()) {
    await choose(page, old, 'Rename…')
    await page.getByLabel('Document title').fill(`New ${index}`)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: `New ${index}` }).waitFor()
  }
  assert.is(await markdownOf(page, slugs[0]), '---\na: 1\n---\n# New 0\n\nOld\n')
  assert.is(await markdownOf(page, slugs[1]), 'New 1\n')
  assert.is(await markdownOf(page, slugs[2]), '# New 2\n\n- item\n')
  assert.is((await markdownOf(page, slugs[3])).trim(), '# New 3')
  await page.context().close()
})

test('a document is duplicated with copies of its images', async () => {
  const { page, slugs } = await home('# Plan\n')
  const [slug = ''] = slugs
  const headers = { Origin: stage.origin, 'Content-Type': 'image/png' }
  const data = Buffer.from(png())
  const sent = await page.request.post(`/docs/${slug}/images`, { data, headers })
  const { url } = await sent.json()
  const edits = [{ before: null, new_string: `\n\n![Chart](https://old.example${url})` }]
  const edited = await page.request.patch(`/docs/${slug}`, {
    data: { edits, base_revision: 1 },
    headers: { Origin: stage.origin },
  })
  assert.is(edited.status(), 200, await edited.text())
  await choose(page, 'Plan', 'Duplicate')
  await page.getByText('Copied “Plan” to your documents.').waitFor()
  await have(page, ['Plan', 'Plan'])
  const href = await page.locator('a.row-link').first().getAttribute('href')
  const copy = href?.split('/').at(-1) ?? ''
  assert.is.not(copy, slug)
  await becomes(
    async () => (await markdownOf(page, copy)).includes(`/docs/${copy}/images/`),
    30_000,
  )
  await page.context().close()
})

test('what is shared meanwhile is there once its list is chosen again', async () => {
  const { page } = await home('# Plan\n')
  const place = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await place('Shared with me')
  await page.waitForLoadState('networkidle')
  await place('My documents')
  await have(page, ['Plan'])
  const me = await (await page.request.get('/auth/me')).json()
  const { token, slug } = await stage.document('# Shared later\n')
  const invited = await stage.call('POST', `/docs/${slug}/access`, {
    token,
    body: { handle: me.handle, role: 'editor' },
  })
  assert.is(invited['handle'], me.handle)
  await place('Shared with me')
  await have(page, ['Shared later'])
  await page.context().close()
})

test('ages on a page are all looked at anew as time goes by', async () => {
  const { page } = await home('# Plan\n')
  const age = page.locator('.row time').first()
  const before = await age.innerText()
  await page.clock.install({ time: Date.now() })
  await page.reload()
  await age.waitFor()
  await page.clock.runFor(5 * 60_000)
  await page.waitForFunction(
    (old) => document.querySelector('.row time')?.textContent !== old,
    before,
  )
  assert.match(await age.innerText(), /5|6/)
  await page.context().close()
})

test('a document is shared without being opened', async () => {
  const { page } = await home('# Plan\n')
  await choose(page, 'Plan', 'Share…')
  const dialog = page.getByRole('dialog', { name: 'Share “Plan”' })
  await dialog.getByText('Anyone with the link', { exact: true }).first().waitFor()
  assert.is(await dialog.getByText('The previous link works again').count(), 0)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/$/)
  await page.context().close()
})

test('documents are sorted by name and by the last edit, and that is remembered', async () => {
  const { page, slugs } = await home('# banana\n', '# Cherry\n', '# apple 10\n', '# apple 9\n')
  await page.getByLabel('Sort by').selectOption('Name')
  await have(page, ['apple 9', 'apple 10', 'banana', 'Cherry'])
  const edits = [{ old_string: 'Cherry', new_string: 'Cherries' }]
  const headers = { Origin: stage.origin }
  await page.request.patch(`/docs/${slugs[1]}`, { data: { edits }, headers })
  await page.getByLabel('Sort by').selectOption('Last edited')
  await page.reload()
  await page.locator('.row').nth(3).waitFor()
  assert.is((await titles(page))[0], 'Cherries')
  await page.context().close()
})

test('an archived document is looked at before it is restored', async () => {
  const { page, slugs } = await home('# Plan\n\nWords that were archived.\n')
  const headers = { Origin: stage.origin }
  await page.request.post(`/docs/${slugs[0]}/archive`, { headers })
  await page.goto('/#archived')
  await choose(page, 'Plan', 'Preview')
  await page.getByRole('heading', { name: '“Plan” was archived' }).waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Words that were archived.').waitFor()
  assert.is(await page.locator('.text[contenteditable=true]').count(), 0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.waitForSelector('.text[contenteditable="true"]')
  await page.context().close()
})

test.run()
