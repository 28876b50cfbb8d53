/**
 * What is done to all of 10,000 blocks at once, in processor time of the page's main thread until the
 * next frame is drawn: the part of it that holds up the next key.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pace } from '../pace.ts'
import { agentEdits } from './company.ts'
import { Stage } from './stage.ts'
import { Writer } from './writer.ts'

const mostMs = 2_000
const blocks = 10_000
const lines = Array.from({ length: blocks }, (_, n) =>
  n % 20 === 7 ? `## Part ${n}.` : `Paragraph ${n} of words that are neither few nor many.`,
)

const stage = await Stage.open()
test.after(() => stage.close())

test('selecting, leaving, deleting and undoing all of 10,000 blocks, and others meanwhile', async () => {
  const sheet = await stage.document(`${lines.join('\n\n')}\n`)
  const { page } = await Writer.open(stage, sheet)
  await page.waitForFunction(
    (count) => document.querySelectorAll('.text > *').length >= count,
    blocks,
  )
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const drawn = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  const costs: string[] = []
  const cost = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    await drawn()
    const before = await worked()
    await act()
    await drawn()
    const spent = (await worked()) - before
    costs.push(`${what} ${Math.round(spent)} ms`)
    assert.ok(spent < mostMs * pace(), costs.join(', '))
  }
  const press = (key: string) => () => page.keyboard.press(key)
  await page.locator('.text > p').nth(3).click()
  await cost('Ctrl+Shift+End', press('Control+Shift+End'))
  await cost('an edit meanwhile', async () => {
    await agentEdits(stage, sheet, [{ old_string: 'Paragraph 9 of', new_string: 'The ninth of' }])
    await page.getByText('The ninth of').waitFor({ state: 'attached' })
  })
  await cost('leaving it', press('ArrowLeft'))
  await cost('Ctrl+A', press('Control+a'))
  await cost('delete', press('Delete'))
  await page.keyboard.press('Control+z')
  await page.waitForFunction(
    (count) => document.querySelectorAll('.text > *').length >= count,
    blocks,
  )
  await page.keyboard.press('Control+a')
  const place = () => page.evaluate(() => window.scrollY)
  const before = await place()
  await page.keyboard.press('Control+b')
  await cost('undo of bold', press('Control+z'))
  assert.is(await place(), before, 'what is made of all leaves the reader where they are')
  console.log(`seed none all of 10,000 blocks: ${costs.join(', ')}`)
  await page.context().close()
})

test('much of the text is pasted as it was copied, under names of its own, and elsewhere read', async () => {
  const some = lines.slice(0, 1_200).map((line) => `${line} **Bold**, [there](https://a.example/).`)
  const text = `${some.join('\n\n')}\n`
  const sheet = await stage.document(text)
  const writer = await Writer.open(stage, sheet)
  const { page } = writer
  await page.waitForFunction(
    (count) => document.querySelectorAll('.text > *').length >= count,
    some.length,
  )
  await writer.selectAll()
  await writer.printerIsThere()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  assert.is(await writer.saved(text), text, 'over itself')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+v')
  const twice = `${text}\n${text}`
  assert.is(await writer.saved(twice), twice)
  const names = await page.evaluate(() =>
    [...document.querySelectorAll('.text > [data-id]')].map((one) => one.getAttribute('data-id')),
  )
  assert.is(new Set(names).size, 2 * some.length)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+Shift+z')
  assert.is(await writer.saved(twice), twice)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  assert.is(await writer.saved(''), '')
  await page.keyboard.press('Control+v')
  assert.is(await writer.saved(twice), twice, 'what was cut')
  await page.context().close()
})

test.run()
