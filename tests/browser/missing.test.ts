/** An address at which there is nothing: a page for people, JSON for programs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

for (const path of [
  '/nonsense',
  '/docs/aaaaaaaaaaaaaaaaaaaa',
  '/account/more',
  '/assets/none.js',
]) {
  test(`a person who goes to ${path} sees the page’s own 404 view`, async () => {
    const page = await stage.person()
    const answer = await page.goto(path)
    assert.is(answer?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'All documents' }).click()
    await page.getByRole('button', { name: 'New document' }).waitFor()
    await page.context().close()
  })
}

test('programs get the error as JSON', async () => {
  for (const Accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5, */*']) {
    const answer = await fetch(`${stage.origin}/nonsense`, { headers: { Accept } })
    assert.is(answer.status, 404)
    assert.is((await answer.json()).code, 'NOT_FOUND', Accept)
  }
})

test.run()
