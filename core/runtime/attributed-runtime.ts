/**
 * A runtime that reports whose work is done: before each callback and at each look at the clock,
 * which long work takes between its steps. So it is known which document a thread worked on when
 * it hangs. Knows nothing of what the work is.
 */
import type { Runtime } from '../../schema/runtime.ts'

export function attributedRuntime(runtime: Runtime, working: () => void): Runtime {
  const attributed = (callback: () => void) => () => {
    working()
    callback()
  }
  return {
    now: () => runtime.now(),
    elapsed() {
      working()
      return runtime.elapsed()
    },
    after: (ms, callback) => runtime.after(ms, attributed(callback)),
    inTurn: (callback) => runtime.inTurn(attributed(callback)),
    isLive: () => runtime.isLive(),
    randomBytes: (count) => runtime.randomBytes(count),
  }
}
