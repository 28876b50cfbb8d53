/** The real clock, timers and chance: the only file of the service that reads them. */
import { randomBytes } from 'node:crypto'
import type { Runtime } from '../schema/runtime.ts'

/** Ids take a few bytes each, thousands at a time: one call to the system serves many. */
const poolBytes = 8192

/** Between two turns of long work the event loop is free so long: a key is on disk by then. */
const restMs = 1

const soonMs = 10

/** Who waits for a turn has it alone, for what goes on then lasts as long as a turn may. */
class TurnQueue {
  readonly #waiting = new Set<() => void>()

  join(callback: () => void): void {
    // Each a function of its own, so that nobody's turn is another's too.
    this.#waiting.add(() => callback())
    if (this.#waiting.size === 1) this.#schedule()
  }

  #schedule(): void {
    setTimeout(() => setImmediate(() => this.#run()), restMs)
  }

  #run(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    if (this.#waiting.size > 0) this.#schedule()
    next()
  }
}

function createRuntime(): Runtime {
  let pool = Buffer.alloc(0)
  const turns = new TurnQueue()
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    after(ms, callback) {
      if (ms <= 0) {
        const turn = setImmediate(callback)
        return {
          cancel() {
            clearImmediate(turn)
          },
        }
      }
      const timer = setTimeout(callback, ms)
      // Of what is due so soon something is under way, which nothing else may keep alive.
      if (ms > soonMs) timer.unref()
      return {
        cancel() {
          clearTimeout(timer)
        },
      }
    },
    inTurn: (callback) => turns.join(callback),
    randomBytes(count) {
      if (count > poolBytes / 8) return randomBytes(count)
      if (pool.length < count) pool = randomBytes(poolBytes)
      const taken = pool.subarray(0, count)
      pool = pool.subarray(count)
      return taken
    },
  }
}

export const systemRuntime: Runtime = createRuntime()
