/** Callouts: quotes that begin with their kind, drawn and kept as the quotes they are. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const kinds = ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION']

test('each kind is drawn, what only looks like one is a quote, and reading writes nothing', async () => {
  const text = `${kinds.map((kind) => `> [!${kind}]\n> Words.\n`).join('\n')}\n> [!NOTES] x\n\nEnd.\n`
  const sheet = await stage.document(text)
  const page = await person(stage, sheet, 'Ada')
  const drawn = await page
    .locator('[data-callout]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-callout')))
  assert.equal(
    drawn,
    kinds.map((kind) => kind.toLowerCase()),
  )
  assert.is(await page.locator('blockquote:not([data-callout])').count(), 1)
  assert.equal(await seriousFindings(page), [])
  assert.is(await stage.markdown(sheet), text)
  await page.context().close()
})

test('one is made by the slash menu, and by typing its first line in a quote', async () => {
  const sheet = await stage.document('Before.\n')
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text').getByText('Before.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/note')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Mind the gap.')
  const wanted = 'Before.\n\n> [!NOTE]\n>\n> Mind the gap.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.locator('[data-callout="note"]').getByText('Mind the gap.').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('> [!tip]')
  await page.locator('[data-callout="tip"]').waitFor()
  await page.keyboard.press('Backspace')
  await page.locator('[data-callout="tip"]').waitFor({ state: 'detached' })
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test.run()
