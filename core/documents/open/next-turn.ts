/** Lets the event loop run between the steps of long work. Resolves in its next turn. */
import type { Runtime } from '../../../schema/runtime.ts'

export const nextTurn = (runtime: Runtime): Promise<void> =>
  new Promise((resolve) => {
    runtime.after(0, resolve)
  })
