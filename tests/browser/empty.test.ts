/** An empty document: what one may begin it with, and files of markdown dropped on any. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { person } from './company.ts'
import { dropFile } from './dropped-file.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
})

test('Import .md brings in a file, in one step; the chips go with the first word', async () => {
  const sheet = await stage.document('')
  const page = await person(stage, sheet, 'Ada')
  const chip = page.getByRole('button', { name: 'Import .md' })
  await chip.waitFor()
  assert.equal(await seriousFindings(page), [])
  const choosing = page.waitForEvent('filechooser')
  await chip.click()
  await (await choosing).setFiles(
    file('plan.md', '---\ntitle: x\n---\r\n\r\n# Plan\n\n- one\n- two\n'),
  )
  const wanted = '---\ntitle: x\n---\n\n# Plan\n\n- one\n- two\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  assert.is(await chip.count(), 0)
  await page.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, /^$/), '')
  await chip.waitFor()
  await page.keyboard.type('a')
  await chip.waitFor({ state: 'detached' })
  assert.equal(stage.complaints, [])
  await page.context().close()
})

test('Invite an agent shows the prompt and copies it', async () => {
  const sheet = await stage.document('')
  const page = await person(stage, sheet, 'Ada', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('button', { name: 'Invite an agent' }).first().click()
  await page.getByRole('button', { name: 'Copy prompt' }).click()
  await page.getByText('Prompt copied').waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /You are invited/)
  await page.context().close()
})

test('a dropped file stands where it was let go; what is no text is refused with a word', async () => {
  const sheet = await stage.document('One.\n\nTwo.\n')
  const page = await person(stage, sheet, 'Ada')
  await dropFile(page, 'One.', { name: 'more.md', bytes: [...Buffer.from('## More\n\nWörter.\n')] })
  const wanted = 'One.\n\n## More\n\nWörter.\n\nTwo.\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await dropFile(page, 'Two.', { name: 'bad.md', bytes: [0xff, 0xfe, 0x00] })
  await page.getByText('“bad.md” is not a UTF-8 text file.').waitFor()
  assert.is(await stage.markdown(sheet), wanted)
  await page.context().close()
})

test('a dropped or pasted file with front matter keeps it as what it is', async () => {
  const sheet = await stage.document('One.\n\nTwo.\n')
  const page = await person(stage, sheet, 'Ada')
  const file = '---\ntitle: More\n---\n\nWords.\n'
  await dropFile(page, 'One.', { name: 'more.md', bytes: [...Buffer.from(file)] })
  const yaml = '```yaml\ntitle: More\n```\n\nWords.\n'
  const dropped = `One.\n\n${yaml}\nTwo.\n`
  assert.is(await stage.reads(sheet, dropped), dropped)
  await page.locator('.text').getByText('Two.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = { clipboardData, bubbles: true, cancelable: true }
    document.querySelector('.text')?.dispatchEvent(new ClipboardEvent('paste', event))
  }, file)
  const pasted = `${dropped}\n${yaml}`
  assert.is(await stage.reads(sheet, pasted), pasted)
  await page.context().close()
})

test.run()
