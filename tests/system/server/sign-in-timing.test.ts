/** Extensions §2: how long sign-in takes does not tell whether a handle exists; 200 tries. */
import { test } from 'uvu'
import { assertTellsNothing, signInTimes } from './sign-in-timing.ts'

test('an unknown handle takes as long as a wrong password', async () => {
  assertTellsNothing(await signInTimes(200, 1), 4.5)
})

test.run()
