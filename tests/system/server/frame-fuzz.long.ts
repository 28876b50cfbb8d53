/** Law 5 at length: a million frames over real sockets, on four documents. */
import { test } from 'uvu'
import { assertUnharmed, fuzzFrames } from './frame-fuzz.ts'

const mebibyte = 1024 * 1024

for (const seed of [511, 512, 513, 514]) {
  test(`law 5: hostile frames end their own socket at most (seed ${seed})`, async () => {
    assertUnharmed(seed, await fuzzFrames(seed, 250_000), 96 * mebibyte)
  })
}

test.run()
