/**
 * A runtime whose clock does not jump: for what ends after a time. A clock that is set by mistake
 * and set right again ends nothing early, does nothing twice, and takes nothing from the store.
 * Invariant: `now()` goes on as `elapsed()` does until the clock has said otherwise for
 * `clockJumpTrustedAfterMs`. Knows nothing of what ends.
 */
import type { Runtime } from '../../schema/runtime.ts'

/** How long it has to differ until that counts for what ends after a time. */
export const clockJumpTrustedAfterMs = 3 * 3_600_000

/** A clock that differs by more at once was set; by less, it is followed. */
export const clockDriftMaxMs = 60_000

export function steadyRuntime(runtime: Runtime): Runtime {
  const clock = new SteadyClock(runtime)
  return {
    now: () => clock.now(),
    elapsed: () => runtime.elapsed(),
    after: (ms, callback) => runtime.after(ms, callback),
    inTurn: (callback) => runtime.inTurn(callback),
    randomBytes: (count) => runtime.randomBytes(count),
  }
}

class SteadyClock {
  readonly #runtime: Runtime
  /** What the clock is ahead of the time elapsed. */
  #ahead: number
  /** Since when it has been seen to say otherwise, in time elapsed. */
  #doubtedSince: number | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#ahead = runtime.now() - runtime.elapsed()
  }

  now(): number {
    const elapsed = this.#runtime.elapsed()
    const ahead = this.#runtime.now() - elapsed
    const isJump = Math.abs(ahead - this.#ahead) > clockDriftMaxMs
    if (!isJump) this.#doubtedSince = undefined
    else this.#doubtedSince ??= elapsed
    const doubtedFor = elapsed - (this.#doubtedSince ?? elapsed)
    if (!isJump || doubtedFor >= clockJumpTrustedAfterMs) {
      this.#ahead = ahead
      this.#doubtedSince = undefined
    }
    return Math.round(elapsed + this.#ahead)
  }
}

/** Does this and tells how many milliseconds it took, also where it throws. */
export function timed<Result>(
  runtime: Runtime,
  tell: (ms: number) => void,
  work: () => Result,
): Result {
  const since = runtime.elapsed()
  try {
    return work()
  } finally {
    tell(runtime.elapsed() - since)
  }
}
