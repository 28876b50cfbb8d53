/** What is read: tables in their direction, and texts that the browser translates. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, person, setAccess } from './company.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

test('a table in right-to-left text runs right to left', async () => {
  const sheet = await stage.document(
    '| שם | גיל |\n| --- | --- |\n| נועה | 7 |\n\n| name | age |\n| --- | --- |\n| Noa | 7 |\n',
  )
  const page = await person(stage, sheet, 'Ada')
  const places = await page
    .locator('.text th')
    .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().left)))
  assert.ok((places[0] ?? 0) > (places[1] ?? 0), 'the first column is at the right')
  assert.ok((places[2] ?? 0) < (places[3] ?? 0), 'the first column is at the left')
  await page.context().close()
})

test('what is only read can be translated, and shows what comes in all the same', async () => {
  const sheet = await stage.document('First words.\n\nSecond **bold** words.\n')
  const owner = await person(stage, sheet, 'Ada')
  await setAccess(owner, sheet, 'viewer')
  const headers = { Origin: stage.origin }
  const made = await owner.request.post(`/docs/${sheet.slug}/share-link`, { data: {}, headers })
  const page = await stage.person()
  await page.goto(((await made.json()) as { url: string }).url)
  const text = page.locator('.text[contenteditable="false"]')
  await text.getByText('bold').waitFor()
  assert.is(await owner.locator('.text').getAttribute('translate'), 'no')
  assert.is(
    await text.evaluate((element) => element.closest('[translate="no"], .notranslate')),
    null,
  )
  // As browsers translate: texts give way to elements with others.
  await text.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      found.push(node as Text)
    for (const node of found) {
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = `«${node.data}»`
      outer.append(inner)
      node.replaceWith(outer)
    }
  })
  await text.getByText('«First words.»').waitFor()
  await agentEdits(stage, sheet, [{ old_string: '** words', new_string: '** and new words' }])
  await text.locator('p').nth(1).getByText('and new words').waitFor()
  assert.is(await text.locator('p').nth(1).innerText(), 'Second bold and new words.')
  assert.is(await text.locator('p').first().innerText(), '«First words.»', 'what is left alone')
  await agentEdits(stage, sheet, [{ old_string: 'Second ', new_string: 'The second ' }])
  await text.getByText('The second').waitFor()
  for (const one of [page, owner]) await one.context().close()
})

test.run()
