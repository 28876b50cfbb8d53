/**
 * A long document: its blocks stand in groups that are left alone while they are out of sight. To
 * hands, keys and eyes the edges of the groups are not there.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { agentEdits } from './company.ts'
import { gapsAround } from './gaps.ts'
import { Stage, type StageDocument } from './stage.ts'
import { Writer } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const blocks = 421
const line = (n: number) => (n % 9 === 7 ? `## Part ${n}.` : `Paragraph ${n}.`)
const markdownOf = (lines: readonly string[]) => `${lines.join('\n\n')}\n`
const lines = Array.from({ length: blocks }, (_, n) => line(n))

async function opened(): Promise<{ writer: Writer; page: Page; document: StageDocument }> {
  const document = await stage.document(markdownOf(lines))
  const writer = await Writer.open(stage, document)
  await writer.page.getByText(`Paragraph ${blocks - 1}.`).waitFor({ state: 'attached' })
  return { writer, page: writer.page, document }
}

/** Every block in a group, in order: what is wrong, or nothing; and how many groups there are. */
const grouping = (page: Page): Promise<{ groups: number; wrong: string }> =>
  page.evaluate(() => {
    const text = document.querySelector('.text')
    const slots = [...(text?.shadowRoot?.querySelectorAll('slot') ?? [])]
    const slotted = slots.flatMap((slot) => slot.assignedNodes())
    const own = [...(text?.childNodes ?? [])]
    const at = own.findIndex((node, index) => node !== slotted[index])
    const isWhole = at < 0 && slotted.length === own.length
    const sizes = slots.map((slot) => slot.assignedNodes().length)
    const isEven = sizes.every((size) => size > 0 && size <= 110)
    const wrong = isWhole ? (isEven ? '' : `sizes ${sizes}`) : `block ${at}: ${sizes}`
    return { groups: slots.length, wrong }
  })

/** The first block of the second group. */
const edge = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const slot = document.querySelector('.text')?.shadowRoot?.querySelectorAll('slot')[1]
    return slot?.assignedNodes()[0]?.textContent ?? ''
  })

test('blocks stand in groups, with the same room between them at an edge as within', async () => {
  const { page } = await opened()
  const { groups, wrong } = await grouping(page)
  assert.is(wrong, '')
  assert.ok(groups > 5 && groups < 12, `${groups} groups`)
  const first = await edge(page)
  await page.getByText(first, { exact: true }).scrollIntoViewIfNeeded()
  assert.equal(await gapsAround(page, '.text > p', first), [12, 12, 12])
  await page.context().close()
})

test('typing, Enter, Backspace and arrows do not notice the edge of a group', async () => {
  const { writer, page } = await opened()
  const first = await edge(page)
  const at = lines.indexOf(first)
  const before = lines[at - 1] ?? ''
  await writer.caretAfter(before)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(' Down.')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Between.')
  assert.is((await grouping(page)).wrong, '')
  const expected = [...lines]
  expected.splice(at, 1, 'Between.', `${first} Down.`)
  assert.is(await writer.saved(markdownOf(expected)), markdownOf(expected))
  for (const _ of [' Down.', 'Enter', 'Between.']) await page.keyboard.press('Control+z')
  assert.is(await writer.saved(markdownOf(lines)), markdownOf(lines))
  await writer.clickInto(page.getByText(first, { exact: true }))
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  const joined = [...lines]
  joined.splice(at - 1, 2, `${before}${first}`)
  assert.is(await writer.saved(markdownOf(joined)), markdownOf(joined))
  assert.is((await grouping(page)).wrong, '')
  await page.context().close()
})

test('a selection goes across the edge, by keys and by mouse, and all of it is taken', async () => {
  const { writer, page } = await opened()
  const first = await edge(page)
  const at = lines.indexOf(first)
  await writer.caretAfter(lines[at - 2] ?? '')
  await page.keyboard.press('Home')
  for (const key of ['ArrowDown', 'ArrowDown', 'End']) await page.keyboard.press(`Shift+${key}`)
  const taken = await writer.take('copy')
  assert.is(taken.text.trim(), lines.slice(at - 2, at + 1).join('\n\n'))
  await page.keyboard.press('ArrowRight')
  const [from, to] = [page.getByText(lines[at - 1] ?? ''), page.getByText(first, { exact: true })]
  await to.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  assert.ok(start && end)
  await page.mouse.move(start.x + 2, start.y + 8)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + 12, { steps: 3 })
  await page.mouse.move(end.x + end.width + 40, end.y + 8, { steps: 6 })
  await page.mouse.up()
  await page.waitForFunction((words) => String(getSelection()).endsWith(words), first)
  assert.is((await writer.take('copy')).text.trim(), [lines[at - 1], first].join('\n\n'))
  await writer.selectAll()
  assert.is((await writer.take('copy')).text.trim(), markdownOf(lines).trim())
  await page.keyboard.type('Nothing else.')
  assert.is(await writer.saved('Nothing else.\n'), 'Nothing else.\n')
  assert.is((await grouping(page)).wrong, '')
  await page.keyboard.press('Control+z')
  await page.getByText(`Paragraph ${blocks - 1}.`).waitFor({ state: 'attached' })
  assert.is((await grouping(page)).wrong, '')
  await page.context().close()
})

/** How many groups are laid out wherever they are, and whether the selection ends in these. */
const awake = (page: Page): Promise<{ groups: number; holdEnds: boolean }> =>
  page.evaluate(() => {
    const text = document.querySelector('.text')
    const slots = [...(text?.shadowRoot?.querySelectorAll<HTMLSlotElement>('slot.awake') ?? [])]
    const { anchorNode = null, focusNode = null } = getSelection() ?? {}
    const holdEnds = [anchorNode, focusNode].every((end) =>
      slots.some((slot) => slot.assignedNodes().some((block) => block.contains(end))),
    )
    return { groups: slots.length, holdEnds }
  })

test('the groups that the selection reaches into are laid out, as the browser needs it, and no more', async () => {
  const { writer, page } = await opened()
  await writer.caretAfter('Paragraph 3.')
  assert.equal(await awake(page), { groups: 1, holdEnds: true })
  const { groups } = await grouping(page)
  await page.keyboard.press('Control+Shift+End')
  assert.equal(await awake(page), { groups, holdEnds: true })
  await page.keyboard.press('ArrowLeft')
  await page.waitForFunction(() => getSelection()?.isCollapsed)
  await page.waitForTimeout(60)
  assert.equal(await awake(page), { groups: 1, holdEnds: true })
  await writer.selectAll()
  assert.is((await awake(page)).groups, groups)
  const { html } = await writer.take('copy')
  await page.keyboard.press('ArrowRight')
  await writer.paste({ html })
  await page.getByText('Paragraph 3.', { exact: true }).nth(1).waitFor({ state: 'attached' })
  assert.equal(await awake(page), { groups: 1, holdEnds: true })
  assert.is((await grouping(page)).wrong, '')
  await page.keyboard.press('Control+z')
  await page.getByText('Paragraph 3.', { exact: true }).nth(1).waitFor({ state: 'detached' })
  assert.equal(await awake(page), { groups: 1, holdEnds: true })
  assert.is(await writer.saved(markdownOf(lines)), markdownOf(lines))
  await page.context().close()
})

test('others write while all is selected, and all of it is taken', async () => {
  const { writer, page, document } = await opened()
  await writer.caretAfter('Paragraph 3.')
  await writer.selectAll()
  await agentEdits(stage, document, [
    { old_string: 'Paragraph 213.', new_string: 'Paragraph 213, by an agent.' },
  ])
  await page.getByText('Paragraph 213, by an agent.').waitFor({ state: 'attached' })
  const all = markdownOf(lines).replace('Paragraph 213.', 'Paragraph 213, by an agent.').trim()
  assert.is((await writer.take('copy')).text.trim(), all)
  await page.keyboard.press('Shift+ArrowLeft')
  assert.is((await writer.take('copy')).text.trim(), all.slice(0, -1))
  await page.context().close()
})

/** In the page: keeps the words of each block in which a selection was put while it slept. */
const watchSelections = `(() => {
  window.given = 0
  window.asleep = []
  for (const [name, into] of [['collapse', 0], ['extend', 0], ['setBaseAndExtent', 2]]) {
    const own = Selection.prototype[name]
    Selection.prototype[name] = function (...ends) {
      const block = [...document.querySelector('.text').children].find((one) => one.contains(ends[into]))
      window.given++
      if (block && !block.assignedSlot?.matches('.awake')) window.asleep.push(block.textContent)
      return own.apply(this, ends)
    }
  }
})()`

test('where a selection ends is laid out before the browser is given it', async () => {
  const { writer, page } = await opened()
  await writer.caretAfter('Paragraph 3.')
  await page.evaluate(watchSelections)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).fill('Paragraph 250.')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowLeft')
  const seen = (await page.evaluate('({ given, asleep })')) as { given: number; asleep: string[] }
  assert.equal(seen.asleep, [])
  assert.ok(seen.given >= 3, `${seen.given} selections`)
  await page.context().close()
})

test('keys go on from where a long selection ends, wherever that is', async () => {
  const { writer, page } = await opened()
  // The markdown of what is copied may be there only later.
  const copied = async () => (await writer.take('copy')).text.replaceAll('## ', '').trim()
  const words = (some: readonly string[]) => some.join('\n\n').replaceAll('## ', '')
  const rest = words(lines.slice(4))
  const fromFourth = async () => {
    await page.keyboard.press('Control+Home')
    await writer.caretAfter('Paragraph 4.')
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+Shift+End')
  }
  await fromFourth()
  assert.is(await copied(), rest)
  await page.keyboard.press('Shift+ArrowLeft')
  assert.is(await copied(), rest.slice(0, -1))
  await page.keyboard.press('Shift+Home')
  const last = `Paragraph ${blocks - 1}.`
  assert.is((await copied()).replace(/\s*(?:<br \/>)?$/, ''), rest.slice(0, -last.length - 2))
  await fromFourth()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('Left. ')
  await page.keyboard.press('Control+Shift+End')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type(' Right.')
  const expected = [...lines]
  expected[4] = `Left. ${expected[4]}`
  expected[blocks - 1] += ' Right.'
  assert.is(await writer.saved(markdownOf(expected)), markdownOf(expected))
  await fromFourth()
  await page.getByText('Paragraph 210.', { exact: true }).scrollIntoViewIfNeeded()
  await page.keyboard.down('Shift')
  const place = await page.getByText('Paragraph 211.', { exact: true }).boundingBox()
  assert.ok(place)
  await page.mouse.click(place.x + place.width + 20, place.y + 8)
  await page.keyboard.up('Shift')
  assert.is(await copied(), words(expected.slice(4, 212)))
  await page.keyboard.press('Backspace')
  expected.splice(4, 208, '<br />')
  assert.is(await writer.saved(markdownOf(expected)), markdownOf(expected))
  assert.is((await grouping(page)).wrong, '')
  await page.context().close()
})

test('the ends of the document are reached, and what others write is in a group at once', async () => {
  const { writer, page, document } = await opened()
  await writer.caretAfter('Paragraph 0.')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' The end.')
  const last = page.getByText(`Paragraph ${blocks - 1}. The end.`)
  await last.waitFor()
  const box = await last.boundingBox()
  assert.ok(box !== null && box.y > 0 && box.y < 800, JSON.stringify(box))
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Start. ')
  await page.locator('.text').getByText('Start. Paragraph 0.').waitFor()
  assert.ok((await page.evaluate(() => window.scrollY)) < 50)
  const much = Array.from({ length: 90 }, (_, n) => `New ${n}.`)
  await agentEdits(stage, document, [
    { old_string: 'Paragraph 3.', new_string: `Paragraph 3.\n\n${much.join('\n\n')}` },
  ])
  await page.getByText('New 89.').waitFor({ state: 'attached' })
  assert.is((await grouping(page)).wrong, '')
  await page.getByText('New 5.', { exact: true }).waitFor()
  await page.context().close()
})

test('blocks that are moved and deleted at random leave whole groups', async () => {
  const { page } = await opened()
  const chance = new Chance(7)
  console.log('seed 7 groups: 40 changes')
  for (let round = 0; round < 40; round++) {
    const at = chance.below(12) === 0 ? 0 : chance.below(200)
    await page.evaluate((index) => {
      const block = document.querySelectorAll('.text > *')[index]
      const range = document.createRange()
      range.selectNodeContents(block ?? document.body)
      range.collapse(true)
      getSelection()?.removeAllRanges()
      getSelection()?.addRange(range)
    }, at)
    await page.waitForTimeout(20)
    const keys = ['Alt+ArrowUp', 'Alt+ArrowDown', 'Control+Shift+Backspace', 'Enter', 'Control+d']
    const key = keys[chance.below(keys.length)] ?? 'Enter'
    for (let times = 0; times <= chance.below(3); times++) await page.keyboard.press(key)
    const { wrong } = await grouping(page)
    assert.is(wrong, '', `round ${round}: ${key} at ${at}`)
  }
  await page.context().close()
})

test.run()
