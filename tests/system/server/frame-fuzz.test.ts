/** Law 5 in the gate: 2,000 frames over real sockets. */
import { test } from 'uvu'
import { assertUnharmed, fuzzFrames } from './frame-fuzz.ts'

const seed = 501
const mebibyte = 1024 * 1024

test('law 5: hostile frames end their own socket at most', async () => {
  assertUnharmed(seed, await fuzzFrames(seed, 2_000), 48 * mebibyte)
})

test.run()
