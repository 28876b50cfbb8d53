/**
 * Work on the same thing one after another, in the order in which it came; on different things at
 * once. A line is forgotten when nobody stands in it, and takes only so many.
 */
import { Refusal } from '../../schema/errors.ts'

interface Line {
  waiting: number
  end: Promise<unknown>
}

export class KeyedQueue {
  readonly #max: number
  readonly #lines = new Map<string, Line>()

  /** `max`: how many stand in one line. */
  constructor(max: number) {
    this.#max = max
  }

  /** Refuses BUSY where too many wait already. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { waiting: 0, end: Promise.resolve() }
    if (line.waiting >= this.#max) throw new Refusal('BUSY')
    this.#lines.set(name, line)
    line.waiting += 1
    const done = line.end.then(work)
    line.end = done.catch(() => undefined)
    try {
      return await done
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) this.#lines.delete(name)
    }
  }
}
