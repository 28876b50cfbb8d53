/** The same at full size: on the machine that bounds are set for, no turn is over 300 ms. */
import { test } from 'uvu'
import { assertShortTurns, longTexts } from './long-texts.ts'

for (const [name, text] of Object.entries(longTexts)) {
  test(`no turn is over 300 ms: ${name}`, async () => {
    await assertShortTurns(text, { share: 1, turnMaxMs: 300 })
  })
}

test.run()
