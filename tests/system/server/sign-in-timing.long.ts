/** Extensions §2: how long sign-in takes does not tell whether a handle exists; 1,000 tries. */
import { test } from 'uvu'
import { assertTellsNothing, signInTimes } from './sign-in-timing.ts'

test('an unknown handle takes as long as a wrong password, over 1,000 tries', async () => {
  assertTellsNothing(await signInTimes(1_000, 2), 3.5)
})

test.run()
