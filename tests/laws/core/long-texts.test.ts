/**
 * Texts that once held the event loop: one list, one paragraph, one quote, one table that is the
 * whole document, and very many small blocks. No turn is long where they become a document, nor
 * where they take the place of one. They are short enough for a quick test; `long-texts.long.ts`
 * has them at full size and on every way.
 */
import { test } from 'uvu'
import { Tally } from '../../tally.ts'
import { assertShortTurns, longTexts } from './long-texts.ts'

/** Of full size. */
const share = 1 / 8
const turnMaxMs = 120
const tally = new Tally()
const replacing = ['items with boxes', 'code in one paragraph', 'rows of two cells', 'rules']

for (const [name, text] of Object.entries(longTexts)) {
  test(`no turn is long: ${name}`, async () => {
    tally.add('created', await assertShortTurns(text, { share, turnMaxMs, on: ['create'] }))
  })
}

for (const name of replacing) {
  test(`no turn is long where it replaces a text: ${name}`, async () => {
    const text = longTexts[name]
    if (text === undefined) throw new TypeError(`there is no text of ${name}`)
    const asked = { share: share / 2, turnMaxMs, on: ['replace'] } as const
    tally.add('replaced', await assertShortTurns(text, asked))
  })
}

test('each of them was taken', () => {
  const created = Object.keys(longTexts).length
  tally.tell('none long texts', { created, replaced: replacing.length })
})

test.run()
