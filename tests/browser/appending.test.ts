/** Somebody types at the end of the document, and an agent appends there at the same time. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const revision = async ({ slug, token }: StageDocument): Promise<unknown> =>
  (await stage.call('GET', `/docs/${slug}`, { token }))['revision']

const typed = 'what one types at the end stays one run whoever writes there too'
const pieces = Array.from({ length: 12 }, (_, n) => `(${n})`)

for (const [where, parting, start] of [
  ['to the paragraph of the caret', '', 'Start: '],
  ['paragraphs', '\n\n', 'Start: '],
  ['to an empty document', '', ''],
  ['paragraphs to an empty document', '\n\n', ''],
] as const) {
  test(`an agent appends ${where}: each one's words are whole and in order`, async () => {
    const sheet = await stage.document(start)
    const page = await person(stage, sheet, 'Ada')
    await page.locator('.text').focus()
    await page.keyboard.press('Control+End')
    const typing = (async () => {
      for (const letter of typed) {
        await page.keyboard.type(letter)
        await page.waitForTimeout(15)
      }
    })()
    let base: unknown
    const appending = (async () => {
      for (const [index, piece] of pieces.entries()) {
        // Now and then it knows only what was there some pieces ago.
        if (index % 3 === 0) base = await revision(sheet)
        const edits = [{ before: null, new_string: `${parting}${piece}` }]
        const body = { edits, base_revision: base }
        await stage.call('PATCH', `/docs/${sheet.slug}`, { token: sheet.token, body })
      }
    })()
    await Promise.all([typing, appending])
    const text = await stage.reads(sheet, new RegExp(typed))
    assert.ok(text.includes(typed), text)
    // The agent's are in its order, however what was typed stands between them.
    const others = text.replace(typed, '')
    assert.equal(others.match(/\(\d+\)/g), pieces, text)
    await page.keyboard.type('!')
    const wanted = new RegExp(`${typed}!`)
    assert.match(await stage.reads(sheet, wanted), wanted, 'the caret is behind what it wrote')
    const shown = await page.locator('.text').innerText()
    assert.ok(shown.includes(`${typed}!`), shown)
    assert.equal(stage.complaints, [])
    await page.context().close()
  })
}

test.run()
