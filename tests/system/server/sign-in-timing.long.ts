/** Extensions §2: how long sign-in takes does not tell whether a handle exists; 1,000 tries. */
import { test } from 'uvu'
import { assertTellsNothing } from './sign-in-timing.ts'

test('an unknown handle takes as long as a wrong password, over 1,000 tries', async () => {
  await assertTellsNothing(1_000, 3.5)
})

test.run()
