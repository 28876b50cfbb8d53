/** The last answer that the service wants to hear of, for who reports a problem after it. */

export interface Failure {
  /** The request, as its answer named it. */
  readonly ref: string
  readonly status: number
  /** What the answer said. */
  readonly words: string
  /** When, as `performance.now` counts. */
  readonly at: number
}

let last: Failure | undefined
const listeners = new Set<() => void>()

export const lastFailure = {
  get: (): Failure | undefined => last,
  /** Calls `listener` after each change; returns how to stop. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function rememberFailure(failure: Failure | undefined): void {
  last = failure
  for (const listener of [...listeners]) listener()
}

/** It has been reported, or is not what somebody wants to report. */
export const forgetFailure = (): void => rememberFailure(undefined)
