/**
 * The page's frame in a real browser: home, a new document, the link and the agent's prompt (as a
 * shell runs it), appearance before the first paint, phones, and what axe-core finds.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { Stage } from './stage.ts'
import { chooseLook, doFromShare } from './view-menu.ts'

const run = promisify(execFile)

const stage = await Stage.open()
test.after(() => stage.close())

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const clipboardText = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())

const opened = (page: Page) => page.waitForSelector('main[data-synced="true"]')

test('home: "New document" opens an empty document and its maker owns it', async () => {
  const page = await stage.person()
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).click()
  await page.waitForURL(/\/d\/[^/?]+$/)
  await opened(page)
  await page.waitForSelector('.text:focus')
  await page.keyboard.type('# Minutes')
  await page.getByText('Saved').waitFor()
  assert.match(await page.title(), /^Minutes/)
  assert.is(
    await page.getByText('You are now the owner of this document').count(),
    0,
    'who made it knows',
  )
  await page.goto('/')
  await page.getByRole('link', { name: /Minutes/ }).click()
  await page.getByRole('heading', { name: 'Minutes' }).waitFor()
  await page.context().close()
})

test('arrow down and a click below lead out of a last block that has no end of its own', async () => {
  const page = await stage.person()
  const document = await stage.document('```js\nlet a\n```')
  await page.goto(document.shareAddress)
  await opened(page)
  await page.locator('.text code').click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('/table')
  await page.keyboard.press('Enter')
  await page.locator('.text table').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('> quoted')
  const quote = await page.locator('.text blockquote').boundingBox()
  if (quote === null) throw new Error('there is no quote')
  await page.mouse.click(quote.x + 40, quote.y + quote.height + 60)
  await page.keyboard.type('after all')
  const wanted = /let a\n```\n\n\|.*\|\n\n> quoted\n\nafter all/s
  assert.match(await stage.reads(document, wanted), wanted)
  await page.context().close()
})

/** The prompt's commands, one a line, for a document that has OLD TEXT. */
async function promptCommands(page: Page, address: string, role?: string): Promise<string[]> {
  await page.goto(address)
  await opened(page)
  await doFromShare(page, 'Invite an agent')
  const dialog = page.getByRole('dialog', { name: 'Invite an agent' })
  if (role !== undefined) {
    await dialog.getByRole('button', { name: /Agent’s role/ }).click()
    await page.getByRole('menuitemradio', { name: role }).click()
  }
  await dialog.getByRole('button', { name: 'Copy prompt' }).click()
  await page.getByText('Prompt copied').last().waitFor()
  const prompt = await clipboardText(page)
  assert.is(await dialog.getByLabel('Prompt for the agent').inputValue(), prompt)
  assert.not.match(prompt, /shr_|dtk_|as_|token=[\w-]{8}/, 'no secret in the prompt')
  return prompt.split('\n').filter((line) => /^(umask|curl)\b/.test(line))
}

const inShell = async (command: string, cwd: string): Promise<string> =>
  (await run('sh', ['-ec', command], { cwd })).stdout

test('the prompt for an agent works in a shell exactly as it is written', async () => {
  const page = await stage.person(clipboard)
  const wayOf: Record<string, (commands: string[], cwd: string) => Promise<string>> = {
    'in one script': (commands, cwd) => inShell(commands.join('\n'), cwd),
    'in a shell of its own each': async (commands, cwd) => {
      let said = ''
      for (const command of commands) said += await inShell(command, cwd)
      return said
    },
  }
  for (const [way, follow] of Object.entries(wayOf)) {
    const document = await stage.document('# Plan\n\nBring OLD TEXT along.\n')
    const commands = await promptCommands(page, document.shareAddress)
    assert.is(commands.length, 6, commands.join('\n'))
    // What stands for a secret on a command line is one there once the shell has filled it in.
    for (const command of commands) assert.not.match(command, /\$[({\w]|`/, command)
    const directory = await mkdtemp(join(tmpdir(), 'agent-'))
    const wait = commands.pop() ?? ''
    const said = await follow(commands, directory)
    for (const file of ['auth.txt', 'link.json']) {
      assert.is((await stat(join(directory, file))).mode & 0o077, 0, `${file} is one's own`)
    }
    const handle = /"handle":"(your-name[\w-]*)"/.exec(said)?.[1]
    assert.ok(handle, said)
    assert.is(await stage.markdown(document), '# Plan\n\nBring NEW TEXT along.\n', way)
    await page.getByText('Bring NEW TEXT along.').waitFor()
    // It can be mentioned, and hears of it.
    const { slug, token } = document
    const notify = { kind: 'done', line: 'It is done — look' }
    const body = { quote: 'NEW TEXT', text: `@${handle} look`, notify }
    await stage.call('POST', `/docs/${slug}/comments`, { token, body })
    assert.match(await inShell(wait, directory), /"event":"mention"/, way)
    await rm(directory, { recursive: true })
  }
  await page.context().close()
})

test('an agent that may comment is told how, and may do no more', async () => {
  const page = await stage.person(clipboard)
  const document = await stage.document('# Plan\n\nBring OLD TEXT along.\n')
  const commands = await promptCommands(page, document.shareAddress, 'Can comment')
  const directory = await mkdtemp(join(tmpdir(), 'agent-'))
  const said = await inShell(commands.slice(0, -1).join('\n'), directory)
  await rm(directory, { recursive: true })
  assert.match(said, /"your_role":"commenter"/)
  assert.match(said, /"comment_id"/)
  assert.is(await stage.markdown(document), '# Plan\n\nBring OLD TEXT along.\n')
  await page.getByRole('button', { name: 'Done' }).last().click()
  const share = page.getByRole('dialog', { name: /^Share / })
  await share.getByText('More links').click()
  const line = share.getByRole('listitem').filter({ hasText: 'Agent link' })
  await line.getByText(/^Can comment/).waitFor()
  await page.context().close()
})

test('the copied link opens the document for somebody else', async () => {
  const document = await stage.document('# Shared\n')
  const page = await stage.person(clipboard)
  await page.goto(document.shareAddress)
  await opened(page)
  const owned = page.getByText('You now own this document')
  await owned.waitFor()
  await doFromShare(page, 'Copy link')
  await page.getByText('Link copied').waitFor()
  assert.is(await owned.count(), 1, 'one notice does not take the place of another')
  const link = await clipboardText(page)
  assert.match(link, /\/s\/[\w-]+$/)
  const friend = await stage.person()
  await friend.goto(link)
  await friend.getByRole('heading', { name: 'Shared' }).waitFor()
  assert.match(friend.url(), /\/d\/[^/?]+$/, 'no secret stays in the address')
  await friend.context().close()
  await page.context().close()
})

test('a guest who owns documents is told what goes before signing out', async () => {
  const document = await stage.document('# My plan\n')
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await page.getByText('You now own this document').waitFor()
  const leave = async () => {
    await page.getByRole('button', { name: /^People here/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const account = () => page.evaluate(() => fetch('/auth/me').then(({ status }) => status))
  const dialog = page.getByRole('dialog', { name: 'Sign out and give up your documents?' })
  await leave()
  await dialog.getByRole('listitem').getByText('My plan').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.is(await account(), 200)
  await leave()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'People here: You', exact: true }).waitFor()
  assert.is(await account(), 401)
  await page.getByRole('button', { name: /^People here/ }).click()
  assert.is(await page.locator('.people-menu .picture-badge').count(), 0, 'nobody is no robot')
  const kept = await page.evaluate(() => localStorage.getItem('recent-documents') ?? '')
  assert.match(kept, /My plan/)
  assert.not.match(kept, /"isOwn":true/, 'the next guest here does not own them')
  await page.context().close()
})

test('the chosen appearance is there at the first paint', async () => {
  const page = await stage.person({ colorScheme: 'light' })
  const document = await stage.document('# Dark\n')
  await page.goto(document.shareAddress)
  await opened(page)
  await chooseLook(page, 'Theme', 'Dark')
  const ground = () =>
    page.evaluate(() => getComputedStyle(globalThis.document.documentElement).backgroundColor)
  const dark = await ground()
  await page.goto(`/d/${document.slug}`, { waitUntil: 'commit' })
  assert.is(await page.getAttribute('html', 'data-theme'), 'dark', 'written by the service')
  await opened(page)
  assert.is(await ground(), dark)
  await page.context().close()
})

test('somebody without a link is told what to do', async () => {
  const page = await stage.person()
  await page.goto('/d/nosuchdocument00000')
  await page.getByRole('heading', { name: 'Document not found' }).waitFor()
  await page.context().close()
})

for (const [name, options] of [
  ['desk', {}],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing serious: ${name}, ${colorScheme}`, async () => {
      const document = await stage.document(
        '# Plan\n\nSome *text* with a [link](https://example.org).\n\n- [ ] task\n\n```js\nlet a\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n',
      )
      const page = await stage.person({ ...options, colorScheme })
      await page.goto('/')
      assert.equal(await seriousFindings(page), [])
      await page.goto(document.shareAddress)
      await opened(page)
      assert.equal(await seriousFindings(page), [])
      const overflow = await page.evaluate(
        () => globalThis.document.documentElement.scrollWidth - innerWidth,
      )
      assert.ok(overflow <= 0, `the page is ${overflow} px too wide`)
      await page.context().close()
    })
  }
}

test('no page complained', () => {
  const unexpected = stage.complaints.filter(
    (text) => !/status of 40[14]|WebSocket connection to/.test(text),
  )
  assert.equal(unexpected, [])
})

test.run()
