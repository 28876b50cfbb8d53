/** Emoji by name in the text. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { person } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

test('a list after two letters; keys choose; a whole name needs no list', async () => {
  const sheet = await stage.document('')
  const page = await person(stage, sheet, 'Ada')
  const list = page.getByRole('listbox', { name: 'Emoji' })
  await page.keyboard.type('Go :')
  assert.is(await list.count(), 0)
  await page.keyboard.type('rocke')
  await list.getByRole('option', { name: 'rocket' }).waitFor()
  assert.equal(await seriousFindings(page), [])
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.type(' :tada: and :smile')
  await list.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  assert.is(await stage.reads(sheet, /😄/), 'Go 🚀 🎉 and 😄\n')
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, /smile/), 'Go 🚀 🎉 and :smile\n')
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('what is no emoji stays what it is: times, ratios, code, words with a colon', async () => {
  const sheet = await stage.document('')
  const page = await person(stage, sheet, 'Ada')
  const list = page.getByRole('listbox', { name: 'Emoji' })
  await page.keyboard.type('At 10:30, a:smile, : smile, :nosuchname: and :sm')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.keyboard.type('`:smile:`')
  const wanted = 'At 10:30, a:smile, : smile, :nosuchname: and :sm\n\n`:smile:`\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test.run()
