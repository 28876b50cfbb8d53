/**
 * Texts that once held the event loop: one list, one paragraph, one quote, one table that is the
 * whole document, and very many small blocks. No turn is long on any way into a document. The texts
 * are short enough for a quick test; `long-texts.long.ts` has them at full size.
 */
import { test } from 'uvu'
import { assertShortTurns, longTexts } from './long-texts.ts'

/** Of full size. */
const share = 1 / 40
const turnMaxMs = 120
const on = ['create', 'dry run', 'replace'] as const

for (const [name, text] of Object.entries(longTexts)) {
  test(`no turn is long: ${name}`, () => assertShortTurns(text, { share, turnMaxMs, on }))
}

test.run()
