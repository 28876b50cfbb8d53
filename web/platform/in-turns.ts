/** Long work a step at a time, so that the page goes on meanwhile. */
import type { Steps } from '../../schema/steps.ts'

const turnMs = 12

/** Rejects once the signal is aborted. */
export async function inTurns<Result>(steps: Result, signal: AbortSignal): Promise<Result> {
  let since = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < turnMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    since = performance.now()
  }
}
