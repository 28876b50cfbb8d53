/**
 * Text under composition (an input method's) while others write in the same paragraph and the
 * service corrects marks in it: what is composed stays in one piece and arrives whole.
 */
import type { CDPSession } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage, type StageDocument } from './stage.ts'
import { Writer } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

interface Composing {
  readonly made: StageDocument
  readonly writer: Writer
  readonly other: Writer
  readonly keys: CDPSession
  /** What has been composed so far. */
  compose(text: string): Promise<void>
  commit(text: string): Promise<void>
}

async function composing(markdown: string): Promise<Composing> {
  const made = await stage.document(markdown)
  const writer = await Writer.open(stage, made)
  const other = await Writer.open(stage, made, 'Ben')
  const keys = await writer.page.context().newCDPSession(writer.page)
  return {
    made,
    writer,
    other,
    keys,
    async compose(text) {
      await keys.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
      await writer.page.waitForTimeout(30)
    },
    commit: async (text) => void (await keys.send('Input.insertText', { text })),
  }
}

async function patch(made: StageDocument, old_string: string, new_string: string): Promise<void> {
  const { token, slug } = made
  const { revision } = await stage.call('GET', `/docs/${slug}`, { token })
  const body = { base_revision: revision, edits: [{ old_string, new_string }] }
  await stage.call('PATCH', `/docs/${slug}`, { token, body })
}

const text = ({ page }: Writer) => page.locator('.text').innerText()
const shows = ({ page }: Writer, words: string) =>
  page.locator('.text p', { hasText: words }).first().waitFor()

/** What another page shows has reached this one too. */
async function arrived(other: Writer, words: string): Promise<void> {
  await shows(other, words)
  await other.page.waitForTimeout(100)
}

/** Keeps what the page shows as a person's from now on, whenever it draws something. */
async function watchPersons({ page }: Writer): Promise<() => Promise<string[]>> {
  await page.evaluate((selector) => {
    const seen = new Set<string>()
    Reflect.set(window, 'seen', seen)
    const observer = new MutationObserver(() => {
      for (const span of document.querySelectorAll(selector)) seen.add(span.textContent ?? '')
    })
    const text = document.querySelector('.text')
    if (text) observer.observe(text, { subtree: true, childList: true, characterData: true })
  }, persons)
  return () => page.evaluate(() => [...(Reflect.get(window, 'seen') as Set<string>)])
}

const persons = '.text [data-by^="human"]'

/** Behind the first characters of the first paragraph. */
async function caretBehind(writer: Writer, start: string): Promise<void> {
  await writer.clickInto(writer.page.locator('.text p'))
  await writer.page.keyboard.press('Home')
  for (const _ of start) await writer.page.keyboard.press('ArrowRight')
  await writer.page.waitForTimeout(60)
}

test('a composition amid another’s words is stamped and saved once', async () => {
  const { writer, compose, commit } = await composing('Before after.\n')
  await caretBehind(writer, 'Before ')
  const seen = await watchPersons(writer)
  for (const part of ['n', 'ni', 'nih', '日']) await compose(part)
  await commit('日本')
  const expected = 'Before 日本after.\n'
  assert.is(await writer.saved(expected), expected)
  // The text stays in the element it was composed in until the input method lets go of it.
  await writer.page.locator(persons).getByText('日本', { exact: true }).waitFor()
  assert.equal(await writer.page.locator(persons).allTextContents(), ['日本'])
  assert.equal(await seen(), ['日本'])
})

test('a composition amid another’s formatted words leaves them as they are', async () => {
  const { writer, compose, commit } = await composing('A [**bold** *word*](https://x.y) end.\n')
  await caretBehind(writer, 'A bo')
  const seen = await watchPersons(writer)
  for (const part of ['n', 'ni', '日']) await compose(part)
  await commit('日本')
  const expected = 'A [**bo日本ld** *word*](https://x.y) end.\n'
  assert.is(await writer.saved(expected), expected)
  await writer.page.locator(persons).getByText('日本', { exact: true }).waitFor()
  assert.equal(await seen(), ['日本'])
})

test('others’ words before, behind and elsewhere do not break a composition', async () => {
  const { made, writer, other, compose, commit } = await composing('One two three.\n\nFar.\n')
  await writer.caretAfter('One two')
  await compose('k')
  await patch(made, 'One', 'Zero one')
  await arrived(other, 'Zero one')
  await compose('ka')
  await other.caretAfter('Far.')
  await other.page.keyboard.type(' Away.')
  await shows(writer, 'Away.')
  await compose('かん')
  await patch(made, 'Zero one', '0')
  await arrived(other, '0 two')
  await compose('漢')
  await commit('漢字')
  const expected = '0 two three.漢字\n\nFar. Away.\n'
  assert.is(await writer.saved(expected), expected)
  // What waited is shown once the composition has ended.
  await shows(writer, '0 two three.漢字')
  assert.is(await text(writer), await text(other))
})

test('a correction of marks around a composition leaves it whole', async () => {
  const { made, writer, other, compose, commit } = await composing('Words of an agent.\n')
  await writer.caretAfter('Words')
  await compose('t')
  await compose('to')
  await patch(made, 'Words of an agent.', '**Words** of *an agent*.')
  await other.page.locator('.text strong').waitFor()
  await writer.page.waitForTimeout(100)
  await compose('tok')
  await commit('時')
  const expected = '**Words** of *an agent*.時\n'
  assert.is(await writer.saved(expected), expected)
  await writer.page.locator('.text strong').waitFor()
})

test('undo takes a composition back in one step', async () => {
  const { writer, compose, commit } = await composing('Start.\n')
  await writer.caretAfter('Start.')
  for (const part of ['a', 'ab', 'abc']) await compose(part)
  await commit('字')
  assert.is(await writer.saved('Start.字\n'), 'Start.字\n')
  await writer.page.keyboard.press('Control+z')
  assert.is(await writer.saved('Start.\n'), 'Start.\n')
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
