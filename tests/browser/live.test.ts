/**
 * Writing live in the browser page: names of guests, the state line, and two people and an agent on
 * one document.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { setAccess } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { nothingUnsaved } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const text = (page: Page) => page.locator('.text')
const field = (page: Page) => page.getByRole('textbox', { name: 'Your name' })
const state = (page: Page) => page.locator('.state-line')
const says = (page: Page, words: string) =>
  state(page)
    .getByText(words, { exact: true })
    .waitFor()
    .catch(async () => assert.is(await state(page).innerText(), words))

const until = (isSo: () => Promise<boolean>) => becomes(isSo, 30_000)

/** A page of a new person on a document that somebody else owns already. */
async function guest(made: StageDocument): Promise<Page> {
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await says(page, 'Saved')
  return page
}

/** A document whose first visitor has claimed it. */
async function owned(markdown: string): Promise<{ made: StageDocument; owner: Page }> {
  const made = await stage.document(markdown)
  const owner = await guest(made)
  await owner.getByText('You now own this document').waitFor()
  return { made, owner }
}

test('the first to open a share address owns the document, under a name made up', async () => {
  const { made, owner } = await owned('# Plan\n')
  await text(owner).getByText('Plan').click()
  await owner.keyboard.press('End')
  await owner.keyboard.type(' B')
  await says(owner, 'Saved')
  assert.is(await field(owner).count(), 0)
  const me = await owner.evaluate(() => fetch('/auth/me').then((answer) => answer.json()))
  assert.match(me.name, /^[A-Z][a-z]+ [A-Z][a-z]+$/)
  const again = await owner.evaluate(
    (slug) => fetch(`/docs/${slug}/claim`, { method: 'POST' }).then((answer) => answer.json()),
    made.slug,
  )
  assert.is(again.your_role, 'owner')
})

/** No name until `unroute`; counts how often one was asked for. */
async function holdName(page: Page): Promise<{ readonly count: number }> {
  const asked = { count: 0 }
  await page.route('**/guest', (route) => {
    asked.count++
    return route.fulfill({ status: 429, json: { error: 'Later.', code: 'RATE_LIMITED' } })
  })
  return asked
}
const chip = (page: Page) => page.getByRole('status').filter({ hasText: 'You are writing as' })

test('a guest writes at once, under a made-up name that can be changed', async () => {
  const { made, owner } = await owned('# Plan\n\nFirst line.\n')
  await chip(owner).waitFor()
  await owner.getByRole('button', { name: 'Keep this name' }).click()
  await chip(owner).waitFor({ state: 'detached' })
  const page = await guest(made)
  assert.is(await chip(page).count(), 0, 'who reads has no name')
  await text(page).getByText('First line.').click()
  await page.keyboard.press('End')
  const words = ' Typed without a pause while the name is found, and nothing is asked in between.'
  await page.keyboard.type(words, { delay: 25 })
  await says(page, 'Saved')
  assert.is((await stage.markdown(made)).trim(), `# Plan\n\nFirst line.${words}`)
  assert.match(await chip(page).innerText(), /You are writing as [A-Z][a-z]+ [A-Z][a-z]+/)
  await chip(page).getByRole('button', { name: 'Change' }).click()
  await field(page).fill('Ada Byron')
  await page.keyboard.press('Enter')
  await chip(page).waitFor({ state: 'detached' })
  await owner.getByTitle('Ada Byron').waitFor()
})

test('where the service gives no name the words wait, and are saved once it does', async () => {
  const { made } = await owned('Kept.\n')
  const page = await guest(made)
  const asked = await holdName(page)
  await text(page).getByText('Kept.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Mine.', { delay: 100 })
  await says(page, 'Not saved yet')
  assert.ok(asked.count <= 2, `asked ${asked.count} times while six keys were typed`)
  assert.is((await stage.markdown(made)).trim(), 'Kept.')
  await page.unroute('**/guest')
  await says(page, 'Saved')
  assert.is((await stage.markdown(made)).trim(), 'Kept. Mine.')
})

test('two people and an agent write at once, and each sees who is here', async () => {
  const { made, owner } = await owned('# Shared\n\nOne.\n\nTwo.\n\nThree.\n')
  const page = await guest(made)
  await text(page).getByText('Two.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' T')
  await chip(page).getByRole('button', { name: 'Change' }).click()
  await field(page).fill('Ada Byron')
  await page.keyboard.press('Enter')
  await owner.getByTitle('Ada Byron').waitFor()
  // The guest came back on another socket, on which nothing of the owner is new.
  const { name } = await owner.evaluate(() => fetch('/auth/me').then((answer) => answer.json()))
  await page.getByTitle(name).waitFor()
  await text(owner).getByText('One.').click()
  await owner.keyboard.press('End')
  await Promise.all([
    owner.keyboard.type(' By the owner.', { delay: 10 }),
    page.keyboard.type('wice.', { delay: 10 }),
    stage.call('PATCH', `/docs/${made.slug}`, {
      token: made.token,
      body: { edits: [{ old_string: 'Three.', new_string: 'Three, by an agent.' }] },
    }),
  ])
  const whole = '# Shared\n\nOne. By the owner.\n\nTwo. Twice.\n\nThree, by an agent.'
  await until(async () => (await stage.markdown(made)).trim() === whole)
  for (const reader of [owner, page]) {
    await text(reader).getByText('Three, by an agent.').waitFor()
    await text(reader).getByText('Two. Twice.').waitFor()
    await says(reader, 'Saved')
    await reader.getByTitle('Quill').waitFor()
  }
  await page.getByRole('button', { name: /^People here/ }).click()
  await page.getByRole('menuitem', { name: 'Change your name' }).click()
  await field(page).fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await owner.getByTitle('Ada Lovelace').waitFor()
  await page.getByRole('button', { name: /^People here/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await owner.getByTitle('Ada Lovelace').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'People here: You and 1 more' }).waitFor()
  const me = await page.evaluate(() => fetch('/auth/me').then(({ status }) => status))
  assert.is(me, 401)
})

/** Opens the document by its short link, at the role that general access gives. */
async function byLink(owner: Page, made: StageDocument, role: string): Promise<Page> {
  await setAccess(owner, made, role)
  const url = await owner.evaluate(
    async (slug) =>
      (await (await fetch(`/docs/${slug}/share-link`, { method: 'POST' })).json()).url,
    made.slug,
  )
  const page = await stage.person()
  await page.goto(url)
  return page
}

for (const role of ['viewer', 'commenter']) {
  const said = role === 'viewer' ? 'View only' : 'You can comment and suggest'
  test(`a ${role} link says what one may do; a new role is told and counts`, async () => {
    const { made, owner } = await owned('Words.\n')
    const page = await byLink(owner, made, role)
    await says(page, said)
    if (role === 'viewer') {
      assert.is(await page.locator('.text[contenteditable=true]').count(), 0)
    }
    await setAccess(owner, made, 'editor')
    await page.getByText('You can now edit this document.').waitFor()
    await text(page).getByText('Words.').click()
    await page.keyboard.press('End')
    await holdName(page)
    await page.keyboard.type(' More.')
    await says(page, 'Not saved yet')
    await setAccess(owner, made, role)
    await says(page, said)
    await page.getByLabel('Unsaved text').waitFor()
    assert.is(await page.getByLabel('Unsaved text').inputValue(), 'Words. More.')
    assert.is((await text(page).innerText()).trim(), 'Words.')
  })
}

test('access removed while one is there: the page says so, and comes back by itself', async () => {
  const { made, owner } = await owned('Words.\n')
  const page = await byLink(owner, made, 'editor')
  await text(page).getByText('Words.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Mine.')
  await stage.reads(made, 'Words. Mine.\n')
  await setAccess(owner, made, 'editor', 'restricted')
  const gone = page.getByRole('heading', { name: 'Your access was removed' })
  await gone.waitFor()
  assert.is(await page.getByText('Words. Mine.').count(), 0, 'what one may not read is not shown')
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true))
  await setAccess(owner, made, 'editor')
  await text(page).getByText('Words. Mine.').click()
  await page.getByText('You have access again.').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' Still.')
  assert.is(await stage.reads(made, 'Words. Mine. Still.\n'), 'Words. Mine. Still.\n')
  assert.ok(await page.evaluate(() => Reflect.get(window, 'isSamePage')), 'without a reload')
})

test('two pages of one browser write side by side', async () => {
  const { made, owner } = await owned('Left.\n\nRight.\n')
  const other = await owner.context().newPage()
  await other.goto(`/d/${made.slug}`)
  await says(other, 'Saved')
  const places = [
    [owner, 'Left.'],
    [other, 'Right.'],
  ] as const
  for (const [page, words] of places) {
    await text(page).getByText(words).click()
    await page.keyboard.press('End')
  }
  await Promise.all(places.map(([page]) => page.keyboard.type(' abcdefghij', { delay: 5 })))
  const whole = 'Left. abcdefghij\n\nRight. abcdefghij'
  await until(async () => (await stage.markdown(made)).trim() === whole)
  for (const [page] of places) {
    await page.reload()
    await says(page, 'Saved')
    assert.is((await page.locator('.text p').allInnerTexts()).join('|'), whole.replace('\n\n', '|'))
  }
})

test('leaving warns while something is not saved, and only then', async () => {
  const { made, owner } = await owned('Safe.\n')
  const asked: string[] = []
  owner.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await text(owner).getByText('Safe.').click()
  await owner.keyboard.press('End')
  await owner.keyboard.type('!')
  await until(async () => (await stage.markdown(made)).includes('Safe.!'))
  await nothingUnsaved(owner)
  await owner.reload()
  assert.equal(asked, [])
  await says(owner, 'Saved')
  await text(owner).getByText('Safe.!').click()
  await stage.kill()
  await owner.keyboard.type('?')
  await owner.reload().catch(() => undefined)
  assert.equal(asked, ['beforeunload'])
  await stage.start()
})

test.run()
