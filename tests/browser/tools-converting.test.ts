/** Turning blocks into blocks of another kind, by keys and menus in a real browser. */
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

const toolbar = () => at.page.getByRole('toolbar', { name: 'Formatting' })
const kind = (label: string) => at.page.getByRole('menuitemradio', { name: label, exact: true })

async function openKinds(): Promise<void> {
  await toolbar().waitFor()
  await toolbar().getByTitle('Turn into').click()
}

/** Of all of the text, by the menu of the toolbar. */
async function turnAllInto(label: string): Promise<void> {
  await at.press('Control+a')
  await openKinds()
  await kind(label).click()
  await at.backInText()
}

const idOf = (words: string) =>
  at.text.locator('p, h1, h2, h3, pre', { hasText: words }).first().getAttribute('data-id')

const nested = '- one\n- two\n  - deep\n- three'
const mixed = '## Head\n\n- item\n  - below\n\n> quoted\n\nlast'

test('all of a list becomes a list of another kind, as deep as it was', async () => {
  await at.write(nested)
  await turnAllInto('Task list')
  await at.reads('- [ ] one\n- [ ] two\n  - [ ] deep\n- [ ] three')
  await turnAllInto('Numbered list')
  await at.reads('1. one\n2. two\n   1. deep\n3. three')
  await turnAllInto('Bulleted list')
  await at.reads(nested)
  await at.press('Control+a', 'Control+Shift+9')
  await at.reads('- [ ] one\n- [ ] two\n  - [ ] deep\n- [ ] three')
  await at.press('Control+Shift+7')
  await at.reads('1. one\n2. two\n   1. deep\n3. three')
  await at.press('Control+z', 'Control+z')
  await at.reads(nested)
})

test('all of a list becomes text by the menu, by the key, and by its own key again', async () => {
  const text = 'one\n\ntwo\n\ndeep\n\nthree'
  await at.write(nested)
  await turnAllInto('Text')
  await at.reads(text)
  await at.press('Control+z')
  await at.reads(nested)
  await at.press('Control+a', 'Control+Alt+0')
  await at.reads(text)
  await at.press('Control+z')
  await at.reads(nested)
  await at.press('Control+a', 'Control+Shift+8')
  await at.reads(text)
  await at.press('Control+Shift+8')
  await at.reads('- one\n- two\n- deep\n- three')
})

test('a mixed selection becomes each kind, each in one step of undo', async () => {
  await at.write(mixed)
  for (const [label, wanted] of [
    ['Text', 'Head\n\nitem\n\nbelow\n\nquoted\n\nlast'],
    ['Heading 3', '### Head\n\n### item\n\n### below\n\n> ### quoted\n\n### last'],
    ['Bulleted list', '- Head\n- item\n  - below\n\n> - quoted\n\n- last'],
    ['Numbered list', '1. Head\n2. item\n   1. below\n\n> 1. quoted\n\n1. last'],
    ['Task list', '- [ ] Head\n- [ ] item\n  - [ ] below\n\n> - [ ] quoted\n\n- [ ] last'],
    ['Quote', '> ## Head\n>\n> - item\n>   - below\n>\n> quoted\n>\n> last'],
    ['Code block', '```\nHead\nitem\nbelow\nquoted\nlast\n```'],
  ] as const) {
    await turnAllInto(label)
    await at.reads(wanted)
    await at.press('Control+z')
    await at.reads(mixed)
  }
})

test('code comes back as a paragraph a line', async () => {
  await at.write(mixed)
  await at.press('Control+a', 'Control+Alt+c')
  await at.reads('```\nHead\nitem\nbelow\nquoted\nlast\n```')
  await at.press('Control+Alt+c')
  await at.reads('Head\n\nitem\n\nbelow\n\nquoted\n\nlast')
})

test('the item of the caret leaves its list, and what was below it stays a list', async () => {
  await at.write('- one\n  - deep\n    - deeper\n- two')
  await at.text.getByText('deep', { exact: true }).click()
  await at.press('Control+Alt+0')
  await at.reads('- one\n\ndeep\n\n- deeper\n- two')
  await at.press('Control+z')
  await at.reads('- one\n  - deep\n    - deeper\n- two')
})

test('blocks keep their ids and their text its authors and its selection', async () => {
  await at.write('## alpha\n\n- beta\n- gamma')
  const ids = [await idOf('alpha'), await idOf('beta'), await idOf('gamma')]
  await at.press('Control+Home')
  for (let times = 0; times < 3; times++) await at.press('ArrowRight')
  await at.press('Control+Shift+End', 'Shift+ArrowLeft', 'Shift+ArrowLeft')
  const selected = () => at.page.evaluate(() => getSelection()?.toString().replace(/\n+/g, '|'))
  const before = await selected()
  assert.is(before, 'ha|beta|gam')
  await at.press('Control+Shift+9')
  await at.reads('- [ ] alpha\n- [ ] beta\n- [ ] gamma')
  assert.is(await selected(), before)
  assert.equal([await idOf('alpha'), await idOf('beta'), await idOf('gamma')], ids)
  await at.press('Control+Alt+2')
  await at.reads('## alpha\n\n## beta\n\n## gamma')
  assert.is(await selected(), before)
  assert.equal([await idOf('alpha'), await idOf('beta'), await idOf('gamma')], ids)
  const authors = await at.text
    .locator('[data-by]')
    .evaluateAll((spans) => spans.map((span) => `${span.getAttribute('data-by')}`.slice(0, 3)))
  assert.equal(authors, ['ai:', 'ai:', 'ai:'])
})

test('the menu says the kind that all have, and the block’s menu turns a whole list', async () => {
  await at.write('- one\n- two\n\nthree')
  await at.press('Control+a')
  await openKinds()
  const checked = at.page.getByRole('menuitemradio', { checked: true })
  assert.is(await checked.count(), 0)
  await kind('Bulleted list').click()
  await at.reads('- one\n- two\n- three')
  await openKinds()
  await checked.waitFor()
  assert.is(await kind('Bulleted list').getAttribute('aria-checked'), 'true')
  await at.press('Escape')
  await checked.waitFor({ state: 'detached' })
  await at.backInText()
  await at.press('Control+a', 'Control+.')
  await at.page.getByRole('menu', { name: 'Block' }).waitFor()
  await at.press('ArrowDown', 'ArrowRight')
  await kind('Numbered list').press('Enter')
  await at.reads('1. one\n2. two\n3. three')
})

test('nobody complained', () => {
  assert.equal(at.stage.complaints, [])
})

test.run()
