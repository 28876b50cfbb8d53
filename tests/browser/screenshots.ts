/**
 * Writes the pictures of docs/screenshots/ from a running page: `npm run screenshots`. Each scene is
 * what two people and an agent see on one document, light, dark and on a phone.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { comesToRest } from './axe.ts'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { toggleAuthors } from './view-menu.ts'

const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))

const sample = [
  '# Field notes: the reading room',
  '',
  'The reading room opens in **October**. Everybody sees who wrote what.',
  '',
  '## Before we open',
  '',
  '- [x] Shelves for the first two rooms',
  '- [x] Lamps, quiet ones',
  '- [ ] A sign for the door',
  '- [ ] Ask the [city archive](https://example.org/archive) for the old maps',
  '',
  '> A room is quiet when nobody has to be told.',
  '',
  '| Room | Seats | Opens |',
  '| :--- | ---: | :--- |',
  '| North | 24 | 3 October |',
  '| South | 18 | 10 October |',
  '| Garden | 12 | in spring |',
  '',
  '```ts',
  'const seats = rooms.reduce((sum, room) => sum + room.seats, 0)',
  '```',
  '',
  'The first visitors come on the third.',
].join('\n')

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}

mkdirSync(folder, { recursive: true })
const stage = await Stage.open()
/** From the document's beginning; `settled`: once nothing moves any more. */
const shoot = async (page: Page, name: string, { settled = false } = {}) => {
  await page.evaluate(() => window.scrollTo(0, 0))
  if (settled) await comesToRest(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
const text = (page: Page) => page.getByRole('textbox', { name: 'Document text' })

async function visitor(document: StageDocument, options: BrowserContextOptions = {}) {
  const page = await stage.person(options)
  await page.goto(await linkTo(document))
  await page.waitForSelector('main[data-synced="true"]')
  return page
}

async function linkTo(document: StageDocument): Promise<string> {
  const { url } = await stage.call('POST', `/docs/${document.slug}/share-link`, {
    token: document.token,
  })
  return String(url)
}

/** A line at the end. */
async function say(page: Page, line: string): Promise<void> {
  await text(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(line)
  await page.getByText('Saved').waitFor()
}

async function scene(colorScheme: 'light' | 'dark'): Promise<void> {
  const document = await stage.document(sample)
  const ann = await person(stage, document, 'Ann', { colorScheme })
  const ben = await person(stage, document, 'Ben')
  await say(ann, ' Ann counts the chairs on Monday.')
  await say(ben, ' Ben brings the maps.')
  await stage.call('PATCH', `/docs/${document.slug}`, {
    token: document.token,
    body: { edits: [{ old_string: 'in spring', new_string: '2 April' }] },
  })
  await shoot(ann, `document-${colorScheme}`)
  await toggleAuthors(ann)
  await shoot(ann, `authors-${colorScheme}`, { settled: true })
  await toggleAuthors(ann)
  await text(ann).click()
  await ann.keyboard.press('ControlOrMeta+End')
  await ann.keyboard.press('Enter')
  await ann.keyboard.type('/')
  await shoot(ann, `slash-menu-${colorScheme}`)
  await ann.keyboard.press('Escape')
  await ann.keyboard.press('Backspace')
  await ann.context().close()
  await ben.context().close()
  const pocket = await visitor(document, { ...phone, colorScheme })
  await shoot(pocket, `phone-${colorScheme}`)
  await pocket.context().close()
}

/** A talk beside the text, and what an agent suggests in it. */
async function discussion(colorScheme: 'light' | 'dark'): Promise<void> {
  const document = await stage.document(sample)
  const says = (body: unknown) =>
    stage.call('POST', `/docs/${document.slug}/comments`, { token: document.token, body })
  await says({ quote: 'Everybody sees who wrote what', text: 'True for those who only read, too?' })
  const suggestion = { new_string: 'A brass sign for the door' }
  await says({ quote: 'A sign for the door', text: 'So that it lasts.', suggestion })
  const ann = await person(stage, document, 'Ann', {
    colorScheme,
    viewport: { width: 1440, height: 800 },
  })
  await ann.locator('.proposed-in').waitFor()
  await text(ann).getByText('who wrote what').click()
  await shoot(ann, `discussion-${colorScheme}`, { settled: true })
  await ann.setViewportSize({ width: 390, height: 844 })
  await shoot(ann, `discussion-phone-${colorScheme}`, { settled: true })
  await ann.context().close()
}

try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const home = await stage.person({ colorScheme })
    await home.goto('/')
    await shoot(home, `home-${colorScheme}`)
    await home.context().close()
    await scene(colorScheme)
    await discussion(colorScheme)
  }
} finally {
  await stage.close()
}
