/** Typing markdown and the shortcuts in a real browser, on a document of the service. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ToolsPage } from './tools-page.ts'

let at: ToolsPage

test.before(async () => {
  at = await ToolsPage.open()
})
test.after(async () => {
  await at.close()
})

test('markdown is typed, and becomes what it says', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('## Plan')
  await at.press('Enter')
  await at.type('- one')
  await at.press('Enter')
  await at.type('**two** and *three*')
  await at.press('Enter', 'Tab')
  await at.type('deeper')
  await at.press('Enter', 'Enter', 'Enter')
  await at.type('[] task')
  await at.press('Control+Enter', 'Enter', 'Enter')
  await at.type('> quoted')
  await at.press('Enter', 'Enter')
  await at.type('```js')
  await at.press('Enter')
  await at.type('let **a**')
  await at.reads(
    [
      'start\n\n## Plan\n\n- one\n- **two** and *three*\n  - deeper\n- [x] task',
      '> quoted\n\n```js\nlet **a**\n```',
    ].join('\n\n'),
  )
})

test('a year begins a sentence, not a list', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('2024. was a good year')
  await at.reads('start\n\n2024\\. was a good year')
})

test('within a word or number no mark begins: arithmetic stays what it is', async () => {
  await at.write('start')
  await at.press('Enter')
  for (const line of [
    '2*3*4',
    '2**3**4',
    'f(x)*2*y',
    'é_a_ b',
    '1~~2~~3',
    'Ann`s and Bob`s',
    'a[0](b)',
  ]) {
    await at.type(line)
    await at.press('Enter')
  }
  await at.type('中文*强调*, (*so*) and -*so*-')
  const lines = [
    '2\\*3\\*4',
    '2\\*\\*3\\*\\*4',
    'f(x)\\*2\\*y',
    'é_a\\_ b',
    '1\\~\\~2\\~\\~3',
    'Ann\\`s and Bob\\`s',
    'a[0\\](b)',
  ]
  await at.reads(['start', ...lines, '中文*强调*, (*so*) and -*so*-'].join('\n\n'))
})

test('undo goes back by some words, a line, a pause, a change of place or kind', async () => {
  await at.write('start')
  await at.press('End')
  const words = ' The first words of a paragraph that somebody types at one go'
  await at.page.keyboard.type(words, { delay: 20 })
  await at.press('Enter')
  await at.page.keyboard.type('and the next one', { delay: 20 })
  await at.reads(`start${words}\n\nand the next one`)
  await at.press('Control+z')
  await at.reads(`start${words}\n\n<br />`)
  await at.press('Control+z')
  const first = ' The first words of '
  const second = 'a paragraph that somebody '
  await at.reads(`start${first}${second}`.trimEnd())
  await at.press('Control+z')
  await at.reads(`start${first}`.trimEnd())
  await at.press('Control+y', 'Control+y', 'Control+y')
  await at.reads(`start${words}\n\nand the next one`)
  await at.page.keyboard.type(' abc')
  await at.press('Backspace', 'Backspace', 'Control+z')
  await at.reads(`start${words}\n\nand the next one abc`)
  await at.press('Home')
  await at.page.keyboard.type('x')
  await at.press('End')
  await at.page.keyboard.type('y')
  await at.press('Control+z')
  await at.reads(`start${words}\n\nxand the next one abc`)
})

test('Backspace and undo right after a rule take back just the rule', async () => {
  await at.write('start')
  await at.press('Enter')
  await at.type('# ')
  await at.text.locator('h1').waitFor()
  await at.press('Backspace')
  await at.text.locator('h1').waitFor({ state: 'detached' })
  await at.type('a')
  await at.reads('start\n\n\\# a')
  await at.press('Enter')
  await at.type('**x**')
  await at.page.locator('strong').waitFor()
  await at.press('Control+z')
  await at.reads('start\n\n\\# a\n\n\\*\\*x\\*\\*')
})

test('shortcuts change, move, double and delete blocks', async () => {
  await at.write('a\n\nb\n\nc')
  await at.press('Control+Alt+2', 'Alt+ArrowUp')
  await at.reads('a\n\n## c\n\nb')
  await at.press('Control+d')
  await at.reads('a\n\n## c\n\n## c\n\nb')
  await at.press('Control+Shift+Backspace', 'Control+Shift+8')
  await at.reads('a\n\n## c\n\n- b')
  await at.press('Control+z')
  await at.reads('a\n\n## c\n\nb')
})

test('a block that moves keeps its id', async () => {
  await at.write('first\n\nsecond')
  const before = await at.page.locator('p', { hasText: 'second' }).getAttribute('data-id')
  await at.press('Alt+ArrowUp')
  await at.reads('second\n\nfirst')
  const after = await at.page.locator('p', { hasText: 'second' }).getAttribute('data-id')
  assert.is(after, before)
  await at.type('!')
  await at.press('Alt+ArrowDown')
  await at.reads('first\n\nsecond!')
})

test('what is moved or turned into something else stays its author’s', async () => {
  await at.write('alpha\n\nbeta')
  const authors = () =>
    at.text
      .locator('[data-by]')
      .evaluateAll((spans) => spans.map((span) => `${span.getAttribute('data-by')}`.slice(0, 3)))
  assert.equal(await authors(), ['ai:', 'ai:'])
  await at.press('Alt+ArrowUp', 'Control+Alt+1', 'Control+Shift+8')
  await at.reads('- beta\n\nalpha')
  await at.page.waitForTimeout(300)
  assert.equal(await authors(), ['ai:', 'ai:'])
  await at.press('Control+z', 'Control+z', 'Control+z')
  await at.reads('alpha\n\nbeta')
  await at.page.waitForTimeout(300)
  assert.equal(await authors(), ['ai:', 'ai:'])
})

/** A second person on the page of the first, their caret behind these words. */
async function anotherBehind(words: string): Promise<ToolsPage> {
  const other = await ToolsPage.beside(at.stage)
  other.document = at.document
  await other.page.goto(String(at.document?.shareAddress))
  await other.page.waitForSelector('main[data-synced="true"]')
  await other.text.getByText(words).click()
  await other.press('End')
  return other
}

test('two who write at one spot write a run each', async () => {
  await at.write('start')
  const other = await anotherBehind('start')
  await at.press('End')
  for (const [mine, others] of ['Xq', 'Yw', 'Zv', 'Kj', 'Mz']) {
    await Promise.all([at.type(mine ?? ''), other.type(others ?? '')])
    const hasBoth = ({ page }: ToolsPage) =>
      page.waitForFunction(
        (letters) => {
          const text = document.querySelector('.text')?.textContent ?? ''
          return letters.every((letter) => text.includes(letter))
        },
        [mine ?? '', others ?? ''],
      )
    await Promise.all([hasBoth(at), hasBoth(other)])
  }
  const made = at.document
  assert.ok(made)
  const read = await at.stage.reads(made, /XYZKMqwvjz|qwvjzXYZKM/)
  assert.match(read, /^start(XYZKMqwvjz|qwvjzXYZKM)\n$/)
  const body = { edits: [{ old_string: 'start', new_string: 'start, ' }] }
  await at.stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body })
  await at.text.getByText('start, ').waitFor()
  await at.type('F')
  await at.reads(read.trim().replace('start', 'start, ').replace('XYZKM', 'XYZKMF'))
  await other.page.context().close()
})

test('a move leaves the neighbour to who writes in it', async () => {
  await at.write('first\n\nsecond')
  const other = await anotherBehind('first')
  const writing = other.type(' goes on while the other moves')
  for (const key of ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+ArrowUp']) await at.press(key)
  await writing
  await at.reads('second\n\nfirst goes on while the other moves')
  await other.page.context().close()
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
