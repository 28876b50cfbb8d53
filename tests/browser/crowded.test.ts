/** Extensions §5 on the page: who others are by the service's word, and how many there are. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person, stopTypists, Typist } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(async () => {
  stopTypists()
  await stage.close()
})

const markdown = '# Plan\n\nWe meet on Monday.\n'
const people = (page: Page) => page.getByRole('button', { name: /^People here/ })

test('nobody is seen under a name that is not theirs, in the bar, in the menu or at a caret', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  const eve = await Typist.open(stage, sheet, 'Eve')
  eve.say('user', { actor: 'human:alice', actor_id: 'human:alice', name: 'Alice Real' })
  eve.point('on Monday')
  await page.locator('.caret', { hasText: 'Eve' }).waitFor({ state: 'attached' })
  await page.getByTitle('Eve', { exact: true }).waitFor()
  await people(page).click()
  await page.getByRole('menuitem', { name: 'Eve' }).waitFor()
  assert.is(await page.getByText('Alice Real').count(), 0)
  assert.not((await page.content()).includes('Alice Real'))
  eve.stop()
  await page.context().close()
})

test('hostile states leave the page and what is said to it whole', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  const eve = await Typist.open(stage, sheet, 'Eve')
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)])
  const place = { tname: 'prosemirror' }
  const hostile: unknown[] = [
    {},
    { anchor: 1, head: [] },
    { anchor: place, head: { item: { client: eve.ydoc.clientID, clock: -1 } } },
    { anchor: place, head: { tname: 'evil' } },
    deep(1_000),
  ]
  for (const cursor of hostile) eve.say('cursor', cursor)
  eve.say('cursor', null)
  eve.point('on Monday')
  await page.locator('.caret', { hasText: 'Eve' }).waitFor({ state: 'attached' })
  eve.type('on Monday', ' or later')
  await page.getByText('on Monday or later').waitFor()
  assert.equal(stage.complaints, [])
  eve.stop()
  await page.context().close()
})

test('a crowded document: 200 are shown, and the button says how many more there are', async () => {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  const readers: Typist[] = []
  while (readers.length < 203) {
    const more = Array.from({ length: 7 }, (_, n) =>
      Typist.open(stage, sheet, `Reader ${readers.length + n}`),
    )
    readers.push(...(await Promise.all(more)))
  }
  // The page itself has a place: 203 readers and Ada are 204, of whom 200 are shown.
  await page.getByRole('button', { name: 'People here: You and 203 more' }).waitFor()
  await page.locator('.people-more', { hasText: '+198 more' }).waitFor()
  await people(page).click()
  await page.getByText('+4 more', { exact: true }).waitFor()
  assert.is(await page.getByRole('menuitem', { name: /^Reader \d+$/ }).count(), 199)
  for (const reader of readers.splice(0, 100)) reader.stop()
  await page.getByText('+4 more', { exact: true }).waitFor({ state: 'detached' })
  await page.context().close()
  assert.equal(stage.complaints, [])
})

test.run()
