/** Threads over a restart of the service: what was orphaned before it stands again after it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

test('words that are gone come back with undo after a restart of the service, and open', async () => {
  const sheet = await stage.document('First words.\n\nOne two three.\n')
  const body = { quote: 'two', text: 'Why two?' }
  const made = await stage.call('POST', `/docs/${sheet.slug}/comments`, {
    token: sheet.token,
    body,
  })
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text .about').getByText('two').waitFor()
  const gone = page
    .locator('.talk-card', { hasText: 'Why two?' })
    .getByText('The commented text was deleted')
  await page.locator('.text p').last().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Delete')
  await gone.waitFor()
  const thread = async () => {
    const { threads } = await stage.call('GET', `/docs/${sheet.slug}/threads`, {
      token: sheet.token,
    })
    return (threads as Readonly<Record<string, unknown>>[])[0]
  }
  assert.is((await thread())?.['orphaned'], true)
  await stage.restart({})
  await page.locator('.state-line').getByText('Saved').waitFor()
  await page.keyboard.press('Control+z')
  await page.locator('.text').getByText('One two three.').waitFor()
  await page.locator('.text .about').getByText('two').waitFor()
  await gone.waitFor({ state: 'detached' })
  const { id, orphaned, resolved, place } = (await thread()) ?? {}
  assert.equal([id, orphaned, resolved], [made['thread_id'], false, false])
  assert.is((place as { words: string }).words, 'two')
  await page.context().close()
})

test.run()
