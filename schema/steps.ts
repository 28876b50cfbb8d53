/**
 * Work in steps: a generator that yields after each piece of long work and ends with its result, so
 * that whoever has an event loop to share can do other work in between, and others do it at once.
 */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
