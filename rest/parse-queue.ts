/**
 * A bounded queue before large parses: one at a time, so that small requests are answered in
 * between, and no more in line than can be served soon. Past that it is better to say "later" at
 * once.
 */
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

export interface ParseQueue {
  /** Runs the job, in turn when `bytes` is large. Refuses UNAVAILABLE when the line is full. */
  run<T>(bytes: number, job: () => Promise<T>): Promise<T>
}

export function createParseQueue(): ParseQueue {
  let jobs = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run(bytes, job) {
      if (bytes < limits.parseQueueFromBytes) return job()
      if (jobs >= limits.parseQueueMaxJobs) throw new Refusal('UNAVAILABLE', { retry_after: 1 })
      jobs += 1
      const turn = last.then(job)
      last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        jobs -= 1
      }
    },
  }
}
