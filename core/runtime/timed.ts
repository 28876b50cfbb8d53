/** How long work takes. */
import type { Runtime } from '../../schema/runtime.ts'

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
