/**
 * What the page asks of the view's own document, as it has drawn it: a position is told as the view
 * would add it up, in whatever order it is asked, and every selection passes by who waits for it.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, person } from './company.ts'
import { Stage } from './stage.ts'

let stage: Stage
test.before(async () => {
  stage = await Stage.open()
})
test.after(() => stage.close())

const blocks = 260
const list = Array.from({ length: 30 }, (_, n) => `- thing ${n}`).join('\n')
const markdown = Array.from({ length: blocks }, (_, n) =>
  n === 7 ? list : n % 5 === 2 ? `- item ${n}\n- other` : `Paragraph ${n}.`,
).join('\n\n')

/**
 * In the page: the first block whose position, of the document's or of the long list's, is told
 * otherwise than by adding up; '' for none.
 */
const wrongPosition = `(() => {
  const text = document.querySelector('.text').pmViewDesc
  const long = text.children.find(({ children }) => children.length > 20)
  const added = (drawn, child) => {
    let pos = drawn.posAtStart
    for (const other of drawn.children) {
      if (other === child) return pos
      pos += other.size
    }
    return undefined
  }
  for (const drawn of long === undefined ? [text] : [text, long]) {
    const { children } = drawn
    const forth = [...children]
    const odd = children.map((_, at) => children[(at * 101) % children.length])
    for (const order of [forth, forth.toReversed(), odd, forth]) {
      for (const child of order) {
        const [told, wanted] = [drawn.posBeforeChild(child), added(drawn, child)]
        if (told !== wanted) return children.indexOf(child) + ': ' + told + ', not ' + wanted
      }
    }
    let pos = drawn.posAtStart
    for (const [at, block] of drawn.node.children.entries()) {
      const told = drawn.posBeforeChild(children[at])
      if (told !== pos) return block.textContent + ': ' + told + ', not ' + pos
      pos += block.nodeSize
    }
  }
  return ''
})()`

test('positions are right after every kind of change, in any order of asking', async () => {
  const sheet = await stage.document(`${markdown}\n`)
  const page = await person(stage, sheet, 'Ada')
  const holds = async (after: string) => assert.is(await page.evaluate(wrongPosition), '', after)
  await holds('opening')
  await page.locator('.text').getByText('Paragraph 3.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await holds('typing')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A new one')
  await holds('a new block')
  await page.keyboard.press('Alt+ArrowUp')
  await holds('a block that moved')
  const edits = [{ old_string: 'Paragraph 5.\n\n', new_string: '' }]
  await agentEdits(stage, sheet, edits)
  await page.getByText('Paragraph 5.', { exact: true }).waitFor({ state: 'detached' })
  await holds('a block that somebody deleted')
  await page.locator('.text').getByText('thing 12').click()
  await page.keyboard.type('more')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Another thing')
  await holds('an item of a long list')
  await page.keyboard.press('Alt+ArrowUp')
  await holds('an item that moved')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  await holds('all blocks drawn anew')
  await page.keyboard.press('Control+z')
  await holds('all of them back')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await holds('an empty document')
  assert.equal(stage.complaints, [])
  await page.context().close()
})

/** In the page: the elements that are drawn, without who wrote what. */
const outline = `[...document.querySelectorAll('.text :is(p, h2, h3, li)')]
  .map((block) => block.nodeName + ' ' + block.textContent).join('\\n')`

test('masses that go are gone, what stays is in order, and undo draws what was there', async () => {
  const many = Array.from({ length: 620 }, (_, n) => n)
  const mixed = many.map((n) => (n % 40 === 9 ? `- item ${n}\n- other` : `Paragraph ${n}.`))
  const mixedText = `${mixed.join('\n\n')}\n`
  const listText = `${many.map((n) => `- item ${n}`).join('\n')}\n`
  for (const { markdown, select, key } of [
    { markdown: mixedText, select: ['Control+a'], key: 'Control+Alt+3' },
    { markdown: mixedText, select: ['Control+a'], key: 'Control+Shift+8' },
    {
      markdown: listText,
      select: ['Control+Home', 'ArrowDown', 'Control+Shift+End'],
      key: 'Tab',
    },
  ]) {
    const sheet = await stage.document(markdown)
    const page = await person(stage, sheet, 'Ada')
    await page.locator('.text :is(p, li)').nth(3).click()
    for (const each of select) await page.keyboard.press(each)
    const before = await page.evaluate(outline)
    await page.keyboard.press(key)
    assert.is.not(await page.evaluate(outline), before, key)
    const text = await stage.reads(
      sheet,
      /^(?:### Paragraph 0|- Paragraph 0|- item 0\n {2}- item 1)/,
    )
    assert.is(await page.evaluate(wrongPosition), '', key)
    const after = await page.evaluate(outline)
    const other = await person(stage, sheet, 'Bob')
    assert.is(await other.evaluate(outline), after, `${key}, drawn at once`)
    await other.context().close()
    await page.keyboard.press('Control+z')
    assert.is(await stage.reads(sheet, markdown), markdown, text.slice(0, 40))
    assert.is(await page.evaluate(outline), before, `undo of ${key}`)
    assert.is(await page.evaluate(wrongPosition), '', `undo of ${key}`)
    await page.context().close()
  }
  assert.equal(stage.complaints, [])
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
      if (block?.assignedSlot?.matches('.awake') === false) window.asleep.push(block.textContent)
      return own.apply(this, ends)
    }
  }
})()`

test('where a selection ends is laid out before the browser is given it', async () => {
  const sheet = await stage.document(`${markdown}\n`)
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.text').getByText('Paragraph 3.').click()
  await page.evaluate(watchSelections)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).fill('Paragraph 250.')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowLeft')
  const seen = (await page.evaluate('({ given, asleep })')) as { given: number; asleep: string[] }
  assert.equal(seen.asleep, [])
  assert.ok(seen.given >= 2, `${seen.given} selections`)
  await page.context().close()
})

test.run()
