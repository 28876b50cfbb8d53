/** What axe-core finds on each face of the page, with what stands open there. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person, setAccess } from './company.ts'
import { Stage } from './stage.ts'
import { selects } from './thread-page.ts'
import { openMenu, openShare, showAs, toggleAuthors } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const wide = 'wide '.repeat(60).trim()
const text = [
  '# Plan',
  'Some *text* with a [link](https://example.org) and an ![image](https://example.org/a.png).',
  '## Tasks',
  '- [ ] task',
  `\`\`\`js\nlet a = "${wide}"\n\`\`\``,
  `| ${'a | '.repeat(14)}\n| ${'--- | '.repeat(14)}\n| ${'word | '.repeat(14)}`,
  'Words.\n\n'.repeat(40),
].join('\n\n')

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const nothing = async (page: Page, where: string) =>
  assert.equal(await seriousFindings(page), [], where)

test('home, a page that is not there, and a bad link', async () => {
  const page = await stage.person()
  for (const address of ['/', '/d/nosuchdocument00000', '/s/no-such-link']) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await nothing(page, address)
  }
  await page.context().close()
})

for (const [device, options] of [
  ['desk', {}],
  ['phone', phone],
] as const) {
  test(`a document, its views and menus: ${device}`, async () => {
    const sheet = await stage.document(text)
    const page = await person(stage, sheet, 'Ada', options)
    await nothing(page, 'document')
    for (const menu of ['View', 'More'] as const) {
      await openMenu(page, menu)
      await nothing(page, `${menu} open`)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    const share = await openShare(page)
    await share.getByText('Who has access').waitFor()
    await nothing(page, 'Share open')
    for (const part of ['More links', 'Tokens for programs', 'Transfer ownership']) {
      await share.getByText(part).click()
    }
    await share.getByRole('button', { name: 'New link' }).click()
    await share.getByRole('button', { name: 'New token' }).click()
    await nothing(page, 'all of Share open')
    await share.getByRole('button', { name: /^Role of Quill/ }).click()
    await page.getByRole('menu').waitFor()
    await nothing(page, 'a role open')
    await page.getByRole('menuitem', { name: 'Remove access' }).click()
    await share.getByRole('button', { name: 'Remove Quill' }).waitFor()
    await nothing(page, 'asked before somebody is removed')
    await share.getByRole('button', { name: 'Close' }).click()
    await share.waitFor({ state: 'detached' })
    await agentEdits(stage, sheet, [{ old_string: '## Tasks', new_string: '## The tasks' }])
    await page.getByRole('button', { name: /^People here: You and/ }).click()
    await page.getByRole('menu').waitFor()
    await nothing(page, 'people open')
    await page.keyboard.press('Escape')
    await toggleAuthors(page)
    await page.getByRole('complementary', { name: 'Authors' }).waitFor()
    await nothing(page, 'authors')
    await page.keyboard.press('Control+h')
    await page.getByRole('textbox', { name: 'Replace with' }).waitFor()
    await nothing(page, 'find')
    await page.keyboard.press('Escape')
    await showAs(page, 'Source')
    await page.locator('.source .cm-content').waitFor()
    await nothing(page, 'source')
    if (device === 'desk') {
      await showAs(page, 'Page and source')
      await page.locator('.text h1').waitFor()
      await nothing(page, 'page and source')
    }
    await page.context().close()
  })

  test(`an empty document, and one without a title: ${device}`, async () => {
    for (const markdown of ['', 'Only words.\n', '## Second\n\nWords.\n']) {
      const page = await person(stage, await stage.document(markdown), 'Ada', options)
      await nothing(page, JSON.stringify(markdown))
      await showAs(page, 'Source')
      await page.locator('.source .cm-content').waitFor()
      await nothing(page, `${JSON.stringify(markdown)} as source`)
      await page.context().close()
    }
  })
}

for (const [device, options] of [
  ['desk', {}],
  ['phone', phone],
] as const) {
  test(`the discussion: ${device}`, async () => {
    const sheet = await stage.document('# Plan\n\nSome words of a text.\n\nGone.\n')
    const say = (body: Record<string, unknown>) =>
      stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
    await say({ quote: 'words', text: 'Which? See https://example.org/x and `code`.' })
    await say({ quote: 'text', text: 'Shorter.', suggestion: { new_string: 'book' } })
    const choices = [{ label: 'Yes', answer: 'Yes.' }]
    const asked = { kind: 'decision', line: 'Plan — go on?', options: choices }
    await say({ quote: 'Plan', text: 'Go on?', notify: asked })
    const lost = await say({ quote: 'Gone', text: 'What?' })
    const { revision } = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
    const outcome = { id: lost['comment_id'], action: 'keep' }
    const edits = [{ old_string: 'Gone.', new_string: 'Here.' }]
    const body = { base_revision: revision, edits, comment_outcomes: [outcome] }
    await stage.call('PATCH', `/docs/${sheet.slug}`, { token: sheet.token, body })
    const page = await person(stage, sheet, 'Ada', options)
    if (device === 'phone') {
      await page.getByRole('button', { name: '2 comments' }).click()
      await page.getByRole('complementary', { name: 'Comments' }).waitFor()
      await nothing(page, 'sheet')
      await page.getByRole('button', { name: 'All comments' }).click()
      await nothing(page, 'all in the sheet')
    } else {
      await page.locator('.talk-card', { hasText: 'Which?' }).click()
      await page.getByRole('textbox', { name: 'Reply' }).fill('x')
      await nothing(page, 'margin')
      await page.getByRole('button', { name: 'Comment options' }).click()
      await nothing(page, 'menu of a comment')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Open/ }).click()
      await nothing(page, 'filters')
    }
    await page.context().close()
  })
}

test('for who only reads', async () => {
  const sheet = await stage.document(text)
  const reader = await stage.person()
  const owner = await person(stage, sheet, 'Ada')
  await owner.getByRole('banner').getByRole('button', { name: 'Share' }).waitFor()
  await setAccess(owner, sheet, 'viewer')
  const link = await owner.evaluate(async (slug) => {
    const made = await fetch(`/docs/${slug}/share-link`, { method: 'POST' })
    return ((await made.json()) as { url: string }).url
  }, sheet.slug)
  await reader.goto(link)
  await reader.locator('.state-line').getByText('View only').waitFor()
  await nothing(reader, 'reader')
  const share = await openShare(reader)
  await share.getByRole('button', { name: 'Copy link' }).waitFor()
  await nothing(reader, 'Share, for a reader')
  await reader.context().close()
  await owner.context().close()
})

for (const [device, options] of [
  ['desk', {}],
  ['phone', phone],
] as const) {
  test(`history, its menu, and what is asked before a version is restored: ${device}`, async () => {
    const sheet = await stage.document(text)
    await agentEdits(stage, sheet, [{ old_string: '## Tasks', new_string: '## The tasks' }])
    const page = await person(stage, sheet, 'Ada', options)
    await page.locator('.text').getByText('task').last().click()
    await page.keyboard.type('More')
    await page.locator('.state-line').getByText('Saved').waitFor()
    await page.goto(`${page.url().split('?')[0]}?history`)
    const past = page.getByRole('dialog', { name: 'Version history' })
    await past.locator('.text').waitFor()
    await nothing(page, 'history')
    await past.locator('.revision-group-menu').first().click()
    await page.getByRole('menu').waitFor()
    await nothing(page, 'a menu in history')
    await page.keyboard.press('Escape')
    await past.locator('.revision-group-choose').last().click()
    await past.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('alertdialog').waitFor()
    await nothing(page, 'asked before a version is restored')
    await page.context().close()
  })
}

test('while one comments and decides', async () => {
  const sheet = await stage.document('# Plan\n\nSome words of a text.\n')
  const suggestion = { new_string: 'more **words**' }
  const body = { quote: 'words', text: 'Better?', suggestion }
  await stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  const other = await person(stage, sheet, 'Ben')
  await other.locator('.text').getByText('Plan').click()
  await other.keyboard.type('x')
  await other.getByRole('status').getByText('Saved').waitFor()
  await other.context().close()
  const page = await person(stage, sheet, 'Ada')
  await page.getByRole('toolbar', { name: 'Suggestions' }).waitFor()
  await nothing(page, 'review bar')
  await page.locator('.proposed').first().click()
  await page.getByRole('group', { name: 'Suggestion' }).waitFor()
  await nothing(page, 'a suggestion')
  await selects(page, 'text')
  await nothing(page, 'toolbar')
  await page.getByRole('button', { name: /^Turn into/ }).click()
  await page.getByRole('menu').waitFor()
  await nothing(page, 'menu of the toolbar')
  await page.keyboard.press('Escape')
  await selects(page, 'Some')
  await page.keyboard.press('Control+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).pressSequentially('Ask @be')
  await page.getByRole('option', { name: /^Ben/ }).waitFor()
  await nothing(page, 'mention list')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('.talk-card').first().click()
  await page.getByRole('button', { name: 'React' }).click()
  await page.getByRole('menu').waitFor()
  await nothing(page, 'reactions')
  await page.keyboard.press('Escape')
  await page.locator('.text').getByText('Some').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/')
  await page.getByRole('listbox').waitFor()
  await nothing(page, 'slash menu')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Address' }).waitFor()
  await nothing(page, 'link form')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog').waitFor()
  await nothing(page, 'shortcuts')
  await page.context().close()
})

test('home with documents, their menus, and who one is', async () => {
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.state-line').getByText('Saved').waitFor()
  await page.goto('/')
  await page.locator('a.row-link').first().waitFor()
  await nothing(page, 'home with documents')
  await page
    .getByRole('button', { name: /^Options for/ })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  await nothing(page, 'menu of a row')
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: 'You: Ada' }).click()
  await page.getByRole('menu').waitFor()
  await nothing(page, 'menu of a person')
  await page.context().close()
})

test.run()
