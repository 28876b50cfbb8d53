/**
 * The service dies under somebody who types. What the state line said at each moment is held
 * against what was on disk then: "Saved" means that all that was typed 400 ms before is there, and
 * the number of changes is never smaller than what is missing.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { divert, makeDivertible } from './diverted.ts'
import { Stage } from './stage.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** A moment at which the state line changed, or a letter was typed. */
interface Watched {
  readonly said: readonly { readonly at: number; readonly words: string }[]
  /** When each letter was typed. */
  readonly typed: readonly number[]
  readonly now: number
}

/** Begins to write down what the page says and what is typed. */
function watch(page: Page): Promise<void> {
  return page.evaluate(() => {
    const line = document.querySelector('.state-line') as HTMLElement
    const said = [{ at: performance.now(), words: line.innerText }]
    const typed: number[] = []
    new MutationObserver(() => said.push({ at: performance.now(), words: line.innerText })).observe(
      line,
      { childList: true, characterData: true, subtree: true },
    )
    addEventListener('keydown', () => typed.push(performance.now()), { capture: true })
    Object.assign(window, { watched: { said, typed } })
  })
}

const watched = (page: Page): Promise<Watched> =>
  page.evaluate(() => {
    const { watched } = window as unknown as { watched: Omit<Watched, 'now'> }
    return { ...watched, now: performance.now() }
  })

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const letters = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => alphabet[(from + index) % 26]).join('')

/** What is mentioned late, and the time a page needs to draw. */
const graceMs = 400 + 150

test('killed while somebody types: nothing is lost, and no word of the state line untrue', async () => {
  const made = await stage.document('go\n')
  const page = await stage.person()
  await makeDivertible(page)
  await page.goto(made.shareAddress)
  await page.getByText('You now own this document').waitFor()
  await page.locator('.text').getByText('go').click()
  await page.keyboard.press('End')
  await watch(page)
  const line = page.locator('.state-line')
  let count = 0
  const type = async (more: number) => {
    await page.keyboard.type(letters(count, more), { delay: 15 })
    count += more
  }
  for (const before of [40, 73]) {
    await type(before)
    const dies = stage.kill()
    await type(10)
    await dies
    await line.getByText(/^(Reconnecting…|Offline)/).waitFor()
    await type(10)
    await divert(page, true)
    await stage.start()
    const durable = (await stage.markdown(made)).trim().slice('go'.length)
    assert.is(durable, letters(0, durable.length), 'what is on disk is what was typed')
    const { said, typed } = await watched(page)
    for (const [index, { at, words }] of said.entries()) {
      const until = said[index + 1]?.at ?? Infinity
      if (words !== 'Saved') continue
      const due = typed.filter((moment) => moment <= until - graceMs).length
      assert.ok(durable.length >= due, `"Saved" at ${at}: ${due} due, ${durable.length} on disk`)
    }
    const now = await line.innerText()
    const told = Number(/(\d+) changes? saved on this device/.exec(now)?.[1])
    assert.ok(told >= count - durable.length, `"${now}", missing ${count - durable.length}`)
    await divert(page, false)
    await line.getByText('Saved', { exact: true }).waitFor()
    assert.is((await stage.markdown(made)).trim(), `go${letters(0, count)}`)
  }
  const { said } = await watched(page)
  const kinds = new Set(said.map(({ words }) => words.replace(/ ?\d+ .*/, '')))
  assert.ok(kinds.has('Saved') && [...kinds].some((words) => /^(Offline|Reconn)/.test(words)))
})

test.run()
