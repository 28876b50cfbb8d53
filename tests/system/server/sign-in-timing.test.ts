/** Extensions §2: how long sign-in takes does not tell whether a handle exists; 200 tries. */
import { test } from 'uvu'
import { assertTellsNothing } from './sign-in-timing.ts'

test('an unknown handle takes as long as a wrong password', async () => {
  await assertTellsNothing(200, 4.5)
})

test.run()
