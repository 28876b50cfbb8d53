/** A block that somebody else deletes while one is writing in it. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const text = 'First words.\n\nSecond words.\n\nThird words.\n'
const gone = [{ old_string: 'Second words. And', new_string: '' }]

/** Ada writes behind the second paragraph, and Quill deletes it. */
async function vacant(): Promise<{ page: Page; sheet: StageDocument }> {
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada')
  await page.getByText('Second words.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' And')
  await stage.reads(sheet, text.replace('words.\n\nT', 'words. And\n\nT'))
  await agentEdits(stage, sheet, [{ ...gone[0], old_string: '\n\nSecond words. And' }])
  await page.locator('.vacant-place').waitFor()
  return { page, sheet }
}

const note = (page: Page) => page.locator('.vacated-note')

test('its place is drawn and not written; what is typed is a paragraph there', async () => {
  const { page, sheet } = await vacant()
  const without = 'First words.\n\nThird words.\n'
  assert.is(await stage.markdown(sheet), without)
  await note(page).getByText('Quill deleted').waitFor()
  assert.equal(await seriousFindings(page), [])
  const [place, third] = await Promise.all([
    page.locator('.vacant-place').boundingBox(),
    page.getByText('Third words.').boundingBox(),
  ])
  assert.ok(Number(place?.y) < Number(third?.y))
  assert.is(await stage.markdown(sheet), without, 'reading writes nothing')
  // At once: keys that a busy machine parts by half a second are undone one by one.
  await page.keyboard.insertText('New words')
  assert.is(await page.locator('.vacant-place').count(), 0)
  const wanted = 'First words.\n\nNew words\n\nThird words.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, without), without)
  await page.context().close()
})

test('Restore brings it back with all that was typed, the caret where it was', async () => {
  const { page, sheet } = await vacant()
  await note(page).getByRole('button', { name: 'Restore' }).click()
  await page.keyboard.type(' more.')
  const wanted = text.replace('Second words.', 'Second words. And more.')
  assert.is(await stage.reads(sheet, wanted), wanted)
  assert.is(await note(page).count(), 0)
  await page.context().close()
})

test('Restore after writing on keeps both; Ctrl+Z at the place restores too', async () => {
  const { page, sheet } = await vacant()
  await page.keyboard.type('Went on.')
  await note(page).getByRole('button', { name: 'Restore' }).click()
  const both = text.replace('Second words.', 'Second words. And\n\nWent on.')
  assert.is(await stage.reads(sheet, both), both)
  await page.context().close()
  const second = await vacant()
  await second.page.keyboard.press('Control+z')
  const back = text.replace('Second words.', 'Second words. And')
  assert.is(await stage.reads(second.sheet, back), back)
  await second.page.context().close()
})

test('the caret goes from the place without a trace; pasting, Enter and others’ edits', async () => {
  const { page, sheet } = await vacant()
  await page.keyboard.press('ArrowDown')
  assert.is(await page.locator('.vacant-place').count(), 0)
  await page.keyboard.type('The ')
  const moved = 'First words.\n\nThe Third words.\n'
  assert.is(await stage.reads(sheet, moved), moved)
  await note(page).getByRole('button', { name: 'Dismiss' }).click()
  await note(page).waitFor({ state: 'detached' })
  await page.context().close()

  const other = await vacant()
  const insert = [{ old_string: 'First', new_string: 'Very first' }]
  await agentEdits(stage, other.sheet, insert)
  await other.page.locator('.text').getByText('Very first').waitFor()
  await other.page.keyboard.press('Enter')
  await other.page.keyboard.type('x')
  const entered = 'Very first words.\n\nx\n\nThird words.\n'
  assert.is(await stage.reads(other.sheet, entered), entered)
  await other.page.context().close()
})

test('an input method writes at the place', async () => {
  const { page, sheet } = await vacant()
  const keys = await page.context().newCDPSession(page)
  for (const said of ['k', 'ka', '漢']) {
    const end = said.length
    await keys.send('Input.imeSetComposition', {
      text: said,
      selectionStart: end,
      selectionEnd: end,
    })
    await page.waitForTimeout(30)
  }
  await keys.send('Input.insertText', { text: '漢' })
  const wanted = 'First words.\n\n漢\n\nThird words.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test('an item of a list, and a block that somebody moves, which one goes along with', async () => {
  const sheet = await stage.document('- one\n- two\n- three\n\nEnd.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.getByText('two').click()
  await page.keyboard.press('End')
  await agentEdits(stage, sheet, [{ old_string: '- two\n', new_string: '' }])
  await page.locator('.vacant-place').waitFor()
  await page.keyboard.type('2')
  const item = '- one\n- 2\n- three\n\nEnd.\n'
  assert.is(await stage.reads(sheet, item), item)
  await page.getByText('End.').click()
  await page.keyboard.press('End')
  const read = await stage.call('GET', `/docs/${sheet.slug}`, { token: sheet.token })
  const blocks = read['content_blocks'] as { readonly id: string }[]
  const edits = [{ move_block: blocks.at(-1)?.id, after_block: null }]
  const body = { edits, base_revision: read['revision'] }
  await stage.call('PATCH', `/docs/${sheet.slug}`, { token: sheet.token, body })
  await stage.reads(sheet, /^End/)
  await page.waitForFunction(() => document.querySelector('.text > p')?.textContent === 'End.')
  await page.keyboard.type(' Really.')
  const wanted = 'End. Really.\n\n- one\n- 2\n- three\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test.run()
