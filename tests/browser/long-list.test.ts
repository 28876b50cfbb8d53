/**
 * A long list: its items stand in groups as a long document's blocks do, and hands, keys, numbers
 * and eyes do not notice.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { gapsAround } from './gaps.ts'
import { Stage, type StageDocument } from './stage.ts'
import { Writer } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const count = 421
const words = (n: number) => `Item ${n}.`
const all = Array.from({ length: count }, (_, n) => words(n))
const bullets = (items: readonly string[]) => `${items.map((item) => `- ${item}`).join('\n')}\n`
const numbers = (items: readonly string[]) =>
  `${items.map((item, at) => `${at + 1}. ${item}`).join('\n')}\n`

async function opened(
  markdown: string,
): Promise<{ writer: Writer; page: Page; document: StageDocument }> {
  const document = await stage.document(markdown)
  const writer = await Writer.open(stage, document)
  await writer.page.getByText(words(count - 1)).waitFor({ state: 'attached' })
  return { writer, page: writer.page, document }
}

/** Every item of the list in a group, in order: what is wrong, or nothing. */
const wrong = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const lists = [...document.querySelectorAll('.text .items')]
    const items = lists.find(({ childElementCount }) => childElementCount > 200)
    const slots = [...(items?.shadowRoot?.querySelectorAll('slot') ?? [])]
    const slotted = slots.flatMap((slot) => slot.assignedNodes())
    const own = [...(items?.childNodes ?? [])]
    if (slots.length < 5) return `${slots.length} groups`
    const at = own.findIndex((node, index) => node !== slotted[index])
    return at < 0 && slotted.length === own.length ? '' : `item ${at} of ${own.length}`
  })

/** Of the numbered items that say where they count from: whether they stand there. */
const counted = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const items = [...document.querySelectorAll<HTMLLIElement>('.text ol li')]
    const said = items.flatMap((item, at) => (item.hasAttribute('value') ? [[item.value, at]] : []))
    const off = said.find(([value = 0, at = 0]) => value !== at + 1)
    return said.length > 4 && off === undefined ? '' : `${said.length} said, ${off}`
  })

/** The first item of the second group. */
const edge = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const slot = document.querySelector('.text .items')?.shadowRoot?.querySelectorAll('slot')[1]
    return slot?.assignedNodes()[0]?.textContent ?? ''
  })

test('items stand in groups, apart as in a short list, and are a list to a reader', async () => {
  const { page } = await opened(bullets(all))
  assert.is(await wrong(page), '')
  const first = await edge(page)
  await page.getByText(first, { exact: true }).scrollIntoViewIfNeeded()
  assert.equal(await gapsAround(page, '.text li > p', first), [4, 4, 4])
  const list = page.locator('.text').getByRole('list')
  assert.is(await list.count(), 1)
  assert.is(await list.getByRole('listitem').count(), count)
  await page.context().close()
})

test('keys do not notice the edge of a group', async () => {
  const { writer, page } = await opened(bullets(all))
  const first = await edge(page)
  const at = all.indexOf(first)
  await writer.caretAfter(all[at - 1] ?? '')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(' Down.')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Between.')
  const expected = [...all]
  expected.splice(at, 1, 'Between.', `${first} Down.`)
  assert.is(await writer.saved(bullets(expected)), bullets(expected))
  assert.is(await wrong(page), '')
  for (const key of ['Home', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Backspace']) {
    await page.keyboard.press(key)
    // The editor hears of a new selection in a task of its own.
    await page.waitForTimeout(60)
  }
  expected.splice(at - 2, 2)
  assert.is(await writer.saved(bullets(expected)), bullets(expected))
  assert.is(await wrong(page), '')
  await page.context().close()
})

test('numbers count over items that nobody has looked at', async () => {
  const { writer, page } = await opened(numbers(all))
  assert.is(await wrong(page), '')
  assert.is(await counted(page), '')
  await writer.caretAfter('Item 1.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Fresh.')
  await writer.page.waitForFunction(() => document.querySelectorAll('.text ol li').length === 422)
  assert.is(await counted(page), '')
  const expected = [...all]
  expected.splice(2, 0, 'Fresh.')
  assert.is(await writer.saved(numbers(expected)), numbers(expected))
  await page.context().close()
})

test('all of a long list is taken', async () => {
  const { writer, page } = await opened(bullets(all))
  await writer.caretAfter('Item 3.')
  await writer.selectAll()
  await writer.printerIsThere()
  assert.is((await writer.take('copy')).text.trim(), bullets(all).trim())
  await page.keyboard.press('Control+b')
  const bold = bullets(all.map((item) => `**${item}**`))
  assert.is(await writer.saved(bold), bold)
  await page.keyboard.press('Control+z')
  assert.is(await writer.saved(bullets(all)), bullets(all))
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Shift+End')
  await page.keyboard.press('Tab')
  const [first = '', ...rest] = all
  const nested = `- ${first}\n${rest.map((item) => `  - ${item}`).join('\n')}\n`
  assert.is(await writer.saved(nested), nested)
  assert.is(await wrong(page), '')
  await page.keyboard.press('Control+z')
  assert.is(await writer.saved(bullets(all)), bullets(all))
  await writer.selectAll()
  await page.keyboard.type('Nothing else.')
  assert.is(await writer.saved('Nothing else.\n'), 'Nothing else.\n')
  await page.context().close()
})

test('what became a long list at once stands in groups, also where a short one stood', async () => {
  const [first = '', ...rest] = all
  const markdown = `- ${first}\n\n${rest.join('\n\n')}\n`
  const { writer, page } = await opened(markdown)
  await writer.selectAll()
  await page.evaluate(() => {
    window.addEventListener(
      'keyup',
      () => {
        const event = new Event('beforeunload', { cancelable: true })
        document.body.dataset['stays'] = String(!window.dispatchEvent(event))
      },
      { capture: true, once: true },
    )
  })
  await page.keyboard.press('Control+Shift+8')
  assert.is(
    await page.evaluate(() => document.body.dataset['stays']),
    'true',
    'who leaves before the service was told is warned',
  )
  const loose = await writer.saved(bullets(all))
  assert.is(loose, bullets(all))
  assert.is(await wrong(page), '')
  await page.keyboard.press('Control+z')
  assert.is(await writer.saved(markdown), markdown)
  await page.keyboard.press('Control+Shift+7')
  assert.is(await writer.saved(numbers(all)), numbers(all))
  assert.is(await counted(page), '')
  await page.context().close()
})

test.run()
