/** Folders on home in a real browser (extensions §12): made, filled, renamed, deleted. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { seriousFindings } from './axe.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const titles = (page: Page) => page.locator('.row-title').allInnerTexts()
const dialog = (page: Page) => page.getByRole('dialog')
const isClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' })

async function newDocument(page: Page, text: string): Promise<void> {
  await button(page, 'New document').click()
  await page.waitForSelector('.text:focus')
  await writes(page, text)
}

/** The line may say Saved for the first 400 ms: whether it is, the service knows. */
async function writes(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  await becomes(() =>
    page.evaluate(async () => {
      const slug = location.pathname.split('/').at(-1)
      const { markdown } = await (await fetch(`/docs/${slug}`)).json()
      return document.querySelector('.text')?.textContent === markdown.replace(/^# |\n$/g, '')
    }),
  )
}

async function newFolder(page: Page, name: string): Promise<void> {
  await button(page, 'New folder').click()
  await page.getByLabel('Folder name').fill(name)
  await page.keyboard.press('Enter')
  await isClosed(page)
  await page.getByRole('link', { name, exact: true }).waitFor()
}

/** `of`: how its button calls it. */
async function choose(page: Page, row: string, entry: string, of = row): Promise<void> {
  // By case: the initials and names of others may read alike.
  await page
    .getByRole('listitem')
    .filter({ hasText: new RegExp(row) })
    .hover()
  await button(page, `Options for ${of}`).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('a folder is made on home, gone into, and new documents are made in it', async () => {
  const page = await stage.person()
  await page.goto('/')
  await newDocument(page, '# Top')
  await page.goto('/#mine')
  await newFolder(page, 'Plans')
  assert.equal(await titles(page), ['Plans', 'Top'])
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await page.getByText('This folder is empty').waitFor()
  await newFolder(page, 'Old')
  await page.getByRole('link', { name: 'Old', exact: true }).click()
  await page.getByText('This folder is empty').waitFor()
  await button(page, 'New document').first().click()
  await page.waitForSelector('.text:focus')
  await writes(page, '# Deep')
  await page.goBack()
  await page.getByRole('link', { name: 'Deep' }).waitFor()
  const path = page.getByRole('navigation', { name: 'Folder' })
  assert.equal(await path.getByRole('link').allInnerTexts(), ['My documents', 'Plans', 'Old'])
  assert.equal(await seriousFindings(page), [])
  await path.getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('link', { name: 'Old', exact: true }).waitFor()
  await path.getByRole('link', { name: 'My documents' }).click()
  await page.getByRole('link', { name: 'Top' }).waitFor()
  // A search finds what is in folders too.
  await page.getByLabel('Search by title').fill('dee')
  await page.getByRole('status').getByText('1 found').waitFor()
  assert.equal(await titles(page), ['Deep'])
})

test('a document is put into a folder and out again, and its folder renamed', async () => {
  const page = await stage.person()
  await page.goto('/')
  await newDocument(page, '# Letter')
  await page.goto('/#mine')
  await newFolder(page, 'Post')
  await choose(page, 'Letter', 'Move to a folder…')
  await dialog(page).getByRole('button', { name: 'Post', exact: true }).click()
  await dialog(page).getByText('No subfolders.').waitFor()
  assert.equal(await seriousFindings(page), [])
  await button(page, 'Move here').click()
  await isClosed(page)
  await page.getByText('“Letter” moved to “Post”.').waitFor()
  assert.equal(await titles(page), ['Post'])
  const folder = 'folder Post'
  await choose(page, 'Post', 'Delete folder', folder)
  await page.getByText('“Post” is not empty.').waitFor()
  await page.getByRole('link', { name: 'Post', exact: true }).click()
  await page.getByRole('link', { name: 'Letter' }).waitFor()
  await choose(page, 'Letter', 'Move to a folder…')
  await button(page, 'Move here').click()
  await isClosed(page)
  await page.getByText('This folder is empty').waitFor()
  await page.goto('/#mine')
  await page.getByRole('link', { name: 'Letter' }).waitFor()
  await newFolder(page, 'Bills')
  await choose(page, 'Post', 'Rename…', folder)
  await page.getByLabel('Folder name').fill('Bills')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('A folder with this name already exists here.').waitFor()
  await page.getByLabel('Folder name').fill('Letters')
  await page.keyboard.press('Enter')
  await isClosed(page)
  await page.getByRole('link', { name: 'Letters', exact: true }).waitFor()
  await choose(page, 'Letters', 'Delete folder', 'folder Letters')
  await page.getByText('Folder “Letters” deleted.').waitFor()
  assert.equal(await titles(page), ['Bills', 'Letter'])
})

test('home shows a new title at once, also where it is open in another window', async () => {
  const page = await stage.person()
  await page.goto('/')
  await newDocument(page, '# First')
  const home = await page.context().newPage()
  await home.goto('/')
  await home.locator('.row-title', { hasText: 'First' }).waitFor()
  await page.locator('.text h1').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' name')
  await home.locator('.row-title', { hasText: 'First name' }).waitFor({ timeout: 5_000 })
  // The service cannot be told of this one before home asks it.
  await page.route('**/library**', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll('First name again', 'First name')
    await route.fulfill({ response, body: text })
  })
  await page.keyboard.type(' again')
  await page.waitForFunction(() => document.title.startsWith('First name again'))
  await page.goto('/')
  await page.locator('.row-title', { hasText: 'First name again' }).waitFor({ timeout: 5_000 })
  await page.context().close()
})

test.run()
