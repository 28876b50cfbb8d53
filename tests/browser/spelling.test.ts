/**
 * A page on a document that is written in other ways than the canonical one: whoever looks at it,
 * switches views or types in one block changes the bytes of that block alone (interface §4.5).
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits } from './company.ts'
import { dropFile } from './dropped-file.ts'
import { Stage, type StageDocument } from './stage.ts'
import { showAs } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const spelled = `Title
=====

A __strong__ and _soft_ word, see [the page][home] and [home].


* one
* two
    * nested

1) first
1) second

| a    | b    |
|------|:----:|
| cell | more |

~~~js
let x = 1
~~~

    indented code

> quoted
lazily

* * *

Two blanks  
break, and \\. an escape.

Last words

[home]: https://example.org/home 'Home'
`

const words = (page: Page, text: string) => page.locator('.text').getByText(text, { exact: true })

/** The service has the text that is wanted, in the end. */
async function stands(sheet: StageDocument, wanted: string): Promise<void> {
  assert.is(await stage.reads(sheet, wanted), wanted)
}

async function opened(): Promise<{ sheet: StageDocument; page: Page }> {
  const sheet = await stage.document(spelled)
  assert.is(await stage.markdown(sheet), spelled)
  const page = await stage.person()
  await page.goto(sheet.shareAddress)
  await words(page, 'Last words').waitFor()
  return { sheet, page }
}

test('looking, and switching between page and source, changes no byte', async () => {
  const { sheet, page } = await opened()
  for (const view of ['Source', 'Page and source', 'Page'] as const) await showAs(page, view)
  await words(page, 'Last words').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await stands(sheet, spelled.replace('Last words', 'Last words!'))
  await page.keyboard.press('ControlOrMeta+z')
  await stands(sheet, spelled)
  await page.context().close()
})

test('a new item and a new row take the spelling of their place', async () => {
  const { sheet, page } = await opened()
  await words(page, 'one').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('new')
  let wanted = spelled.replace('* one\n', '* one\n* new\n')
  await stands(sheet, wanted)
  await words(page, 'second').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('third')
  wanted = wanted.replace('1) second\n', '1) second\n1) third\n')
  await stands(sheet, wanted)
  await page.context().close()
})

test('typing in a block keeps how the rest of it is written', async () => {
  const { sheet, page } = await opened()
  await words(page, 'soft').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await stands(sheet, spelled.replace('[home].\n', '[home]. more\n'))
  await page.context().close()
})

test('what is moved, duplicated, divided and joined keeps how it is written', async () => {
  const { sheet, page } = await opened()
  const title = words(page, 'Title')
  await title.click()
  await page.keyboard.press('Alt+ArrowDown')
  const [head = '', second = '', ...others] = spelled.split('\n\n')
  const rest = others.join('\n\n')
  await stands(sheet, `${second}\n\n${head}\n\n${rest}`)
  await page.keyboard.press('Alt+ArrowUp')
  await stands(sheet, spelled)
  await page.keyboard.press('ControlOrMeta+d')
  await stands(sheet, `${head}\n\n${spelled}`)
  await page.keyboard.press('ControlOrMeta+z')
  await stands(sheet, spelled)
  await words(page, 'soft').click()
  await page.keyboard.press('Home')
  for (let step = 0; step < 'A strong'.length; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await stands(sheet, spelled.replace('A __strong__ and', 'A __strong__\n\nand'))
  await page.keyboard.press('Backspace')
  await stands(sheet, spelled)
  await words(page, 'Last words').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await stands(sheet, spelled)
  await page.context().close()
})

test('a file that is dropped keeps how it is written', async () => {
  const sheet = await stage.document('One.\n\nTwo.\n')
  const page = await stage.person()
  await page.goto(sheet.shareAddress)
  await words(page, 'One.').waitFor()
  await dropFile(page, 'One.', { name: 'more.md', bytes: [...Buffer.from(spelled)] })
  await stands(sheet, `One.\n\n${spelled}\nTwo.\n`)
  await page.context().close()
})

test('an accepted suggestion changes its words alone', async () => {
  const { sheet, page } = await opened()
  const body = { quote: 'lazily', suggestion: { new_string: 'eagerly' } }
  const { token, slug } = sheet
  const made = await stage.call('POST', `/docs/${slug}/comments`, { token, body })
  const path = `/docs/${slug}/comments/${String(made['comment_id'])}/accept`
  await stage.call('POST', path, { token, body: {} })
  await stands(sheet, spelled.replace('lazily', 'eagerly'))
  await page.context().close()
})

test('a definition is shown, and links follow it when an agent changes its address', async () => {
  const { sheet, page } = await opened()
  const definition = page.locator('.link-definition')
  assert.is(await definition.getAttribute('contenteditable'), 'false')
  await definition.click()
  await page.keyboard.type('x')
  const [old_string, new_string] = ['https://example.org/home', 'https://examples.org/house']
  await agentEdits(stage, sheet, [{ old_string, new_string }])
  await page.locator('.text a[href="https://examples.org/house"]').first().waitFor()
  await stands(sheet, spelled.replace(old_string, new_string))
  await page.context().close()
})

test.run()
