/** Whom a comment can mention (extensions §13), and what is said of those whom it cannot reach. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** The field of a new comment on the first words. */
async function commenting(page: Page) {
  await page.locator('.text p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+Alt+m')
  const field = page.locator('textarea.composer-field').first()
  await field.waitFor()
  return field
}

const options = (page: Page) => page.getByRole('listbox', { name: 'Mention' }).getByRole('option')

async function agentEdits({ slug, token }: StageDocument): Promise<void> {
  const body = { edits: [{ old_string: 'Words', new_string: 'The words' }] }
  await stage.call('PATCH', `/docs/${slug}`, { token, body })
}

test('an agent that has only a token is named with the reason why it cannot hear', async () => {
  const made = await stage.document('Words.\n')
  await agentEdits(made)
  const page = await person(stage, made, 'Ada')
  const field = await commenting(page)
  await field.pressSequentially('@Qui')
  await options(page).filter({ hasText: 'Quill' }).getByText('cannot be mentioned').waitFor()
  await field.pressSequentially('ll look')
  await page.getByText(/^Quill will not be notified/).waitFor()
  await page.context().close()
})

test('oneself is not offered, and guests are shown by name', async () => {
  const made = await stage.document('Words.\n')
  const ada = await person(stage, made, 'Ada Guest')
  const bob = await person(stage, made, 'Bob Guest')
  const headers = { Origin: stage.origin }
  for (const page of [ada, bob]) {
    const body = { quote: 'Words', text: 'Hello' }
    const said = await page.request.post(`/docs/${made.slug}/comments`, { data: body, headers })
    assert.is(said.status(), 201, await said.text())
  }
  const field = await commenting(ada)
  await field.pressSequentially('@')
  await options(ada).filter({ hasText: 'Bob Guest' }).waitFor()
  assert.is(await options(ada).filter({ hasText: 'Ada Guest' }).count(), 0)
  assert.is(await options(ada).filter({ hasText: 'guest-' }).count(), 0)
  await options(ada).filter({ hasText: 'Bob Guest' }).click()
  await field.press('Control+Enter')
  await ada.locator('.mentioned').getByText('@Bob Guest').waitFor()
  for (const page of [ada, bob]) await page.context().close()
})

test.run()
