/**
 * The laws of the engine with real browser editors as clients: two people type, split, join, drag,
 * undo, cut and paste by hand while an agent edits over REST. Whatever they did, both pages, REST
 * and a page opened afterwards hold the same document, and every block has an id of its own.
 */
import type { Locator } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { Tally } from '../tally.ts'
import { Stage, type StageDocument } from './stage.ts'
import { nothingUnsaved, Writer } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

interface Run {
  readonly made: StageDocument
  readonly people: readonly Writer[]
  readonly chance: Chance
}

type Act = (run: Run, writer: Writer) => Promise<void>

const pick = <T>(run: Run, list: readonly T[]): T => run.chance.pick(list) as T

/** A click into some line, with the caret at its start, middle or end. */
async function place(run: Run, { page }: Writer): Promise<void> {
  const lines = page.locator('.text :is(p, h1, h2, h3, td, th, pre:not([hidden]) > code)')
  const count = await lines.count()
  if (count === 0) return
  const line = lines.nth(run.chance.below(count))
  // Others may take the line away meanwhile.
  await line.click({ timeout: 1_000, force: true }).catch(() => undefined)
  const key = pick(run, ['Home', 'End', 'ArrowLeft', 'ArrowRight'])
  await page.keyboard.press(key)
  await page.waitForTimeout(40)
}

const keys =
  (...pressed: string[]): Act =>
  async (run, writer) => {
    await place(run, writer)
    for (const key of pressed) await writer.page.keyboard.press(key)
  }

const clips = [
  { text: '## Pasted\n\n- one\n- two' },
  { text: 'plain words' },
  { html: '<p>a <b>bold</b></p><ul><li>x</li></ul>', text: 'x' },
  { text: '| a | b |\n| --- | --- |\n| 1 | 2 |' },
]

const acts: readonly Act[] = [
  ...Array.from(
    { length: 5 },
    (): Act => async (run, writer) => {
      await place(run, writer)
      await writer.page.keyboard.type(pick(run, ['word ', 'abc', ' 😀 ', '**b** ', 'über']))
    },
  ),
  keys('Enter'),
  keys('Enter', 'x'),
  keys('Home', 'Backspace'),
  keys('End', 'Delete'),
  keys('Control+z'),
  keys('Control+z', 'Control+z', 'Control+Shift+z'),
  keys('Alt+ArrowUp'),
  keys('Alt+ArrowDown'),
  keys('Tab'),
  keys('Control+Alt+2'),
  keys('Shift+End', 'Control+b'),
  async (run, writer) => {
    await place(run, writer)
    await writer.paste(pick(run, clips))
  },
  async (run, writer) => {
    await place(run, writer)
    await writer.page.keyboard.press('Shift+End')
    const clip = await writer.take('cut')
    await place(run, writer)
    if (clip.text !== '') await writer.paste(clip)
  },
  drag,
]

/** Drags the first words of a line to another line. */
async function drag(run: Run, { page }: Writer): Promise<void> {
  const lines = page.locator('.text > p')
  const count = await lines.count()
  if (count < 2) return
  const [from, to] = [lines.nth(run.chance.below(count)), lines.first()]
  await from.click({ clickCount: 2, timeout: 1_000, force: true }).catch(() => undefined)
  await page.waitForTimeout(60)
  // The other hand may have taken the line meanwhile.
  const boxOf = (line: Locator) => line.boundingBox({ timeout: 1_000 }).catch(() => null)
  const [start, end] = [await boxOf(from), await boxOf(to)]
  if (start === null || end === null) return
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 10, end.y + 10, { steps: 4 })
  await page.mouse.up()
}

async function agentEdits({ made, chance }: Run): Promise<boolean> {
  const read = await stage.call('GET', `/docs/${made.slug}`, { token: made.token })
  const words = String(read['markdown']).match(/\p{L}{3,}/gu) ?? []
  const word = chance.pick(words)
  if (word === undefined) return false
  const body = {
    base_revision: read['revision'],
    edits: [{ old_string: word, new_string: chance.happens(0.5) ? `${word}Q` : 'quill' }],
  }
  try {
    await stage.call('PATCH', `/docs/${made.slug}`, { token: made.token, body })
    return true
  } catch (error) {
    if (/: 4\d\d /.test(String(error))) return false
    throw error
  }
}

/** What a copy of everything says, once what prints it is there. */
async function copied(writer: Writer): Promise<string> {
  // Whatever a hand left open closes first.
  await writer.page.keyboard.press('Escape')
  await writer.selectAll()
  await writer.printerIsThere()
  const { text } = await writer.take('copy')
  return text === '' ? '' : `${text}\n`
}

const shape = ({ page }: Writer) =>
  page
    .locator('.text')
    .evaluate((text) =>
      [...text.querySelectorAll<HTMLElement>('[data-id], [data-by]')].map(
        ({ localName, dataset }) => [localName, dataset['id'] ?? dataset['by']],
      ),
    )

/** Once what is under way to them has arrived. */
async function shapesInTheEnd(pages: readonly Writer[]) {
  const end = Date.now() + 30_000
  for (;;) {
    const shapes = await Promise.all(pages.map(shape))
    const isSame = new Set(shapes.map((one) => JSON.stringify(one))).size === 1
    if (isSame || Date.now() > end) return shapes
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const start = `# Laws

First paragraph of some words.

Second paragraph with *emphasis* in it.

- item one
- item two
  - inner

> A quote here.

| head | other |
| --- | --- |
| cell | more |

Last paragraph.
`

async function holds(seed: number, steps: number): Promise<void> {
  const made = await stage.document(start)
  const people = [await Writer.open(stage, made, 'Ann'), await Writer.open(stage, made, 'Ben')]
  const run: Run = { made, people, chance: new Chance(seed) }
  const tally = new Tally()
  for (let step = 0; step < steps; step++) {
    const busy = people.map((writer) => pick(run, acts)(run, writer))
    await Promise.all(busy)
    tally.add('acts', busy.length)
    if (step % 4 === 0 && (await agentEdits(run))) tally.add('edits by an agent')
  }
  tally.tell(`${seed} hands on two pages`, { acts: 2 * steps, 'edits by an agent': 1 })
  for (const { page } of people) await nothingUnsaved(page)
  const markdown = await stage.markdown(made)
  assert.is.not(markdown, start)
  const fresh = await Writer.open(stage, made, 'Cleo')
  const pages = [...people, fresh]
  const shapes = await shapesInTheEnd(pages)
  for (const [index, writer] of pages.entries()) {
    assert.equal(shapes[index], shapes[0], `page ${index} of seed ${seed}`)
    assert.is(await copied(writer), markdown, `page ${index} of seed ${seed}`)
  }
  const ids = (shapes[0] ?? []).map(([, id]) => id).filter((id) => id?.startsWith('bid_'))
  assert.is(new Set(ids).size, ids.length, 'an id stands twice')
  for (const { page } of pages) await page.context().close()
}

const isLong = process.env['LONG'] !== undefined
for (const seed of isLong ? [1, 2, 3] : [1, 2]) {
  test(`hands on two pages and an agent agree, seed ${seed}`, () => holds(seed, isLong ? 200 : 20))
}

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
