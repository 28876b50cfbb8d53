/** The real clock, timers and chance: the only file of the service that reads them. */
import { randomBytes } from 'node:crypto'
import type { Runtime } from '../schema/runtime.ts'

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    if (ms <= 0) {
      const turn = setImmediate(callback)
      return { cancel: () => clearImmediate(turn) }
    }
    const timer = setTimeout(callback, ms)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
  randomBytes: (count) => randomBytes(count),
}
