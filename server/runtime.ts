/** The real clock, timers and chance: the only file of the service that reads them. */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Runtime } from '../schema/runtime.ts'

/** Ids take a few bytes each, thousands at a time: one call to the system serves many. */
const poolBytes = 8192

/**
 * Between two turns of long work the event loop is free so long, while others are at work: a key is
 * on disk by then.
 */
const restMs = 1
/** What the loop does between two turns, where it is no more than this, is nobody's work. */
const noWorkMs = 0.15
/** Others are still at work so long after they were seen to be: for the disk, or for each other. */
const atWorkMs = 8
/** And so long after somebody who works live: for what comes next. */
const liveMs = 1_000

const soonMs = 10

/** Who waits for a turn has it alone, for what goes on then lasts as long as a turn may. */
class TurnQueue {
  readonly #waiting = new Set<() => void>()
  #restsUntil = Number.NEGATIVE_INFINITY

  join(callback: () => void): void {
    // Each a function of its own, so that nobody's turn is another's too.
    this.#waiting.add(() => callback())
    if (this.#waiting.size === 1) this.#schedule()
  }

  restFor(ms: number): void {
    this.#restsUntil = Math.max(this.#restsUntil, performance.now() + ms)
  }

  #schedule(): void {
    const between = performance.eventLoopUtilization()
    const run = () => this.#run(performance.eventLoopUtilization(between).active)
    if (performance.now() > this.#restsUntil) setImmediate(run)
    else setTimeout(() => setImmediate(run), restMs)
  }

  /** `workMs`: for how long the loop was at other work since the turn before. */
  #run(workMs: number): void {
    if (workMs > noWorkMs) this.restFor(atWorkMs)
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
    isLive: () => turns.restFor(liveMs),
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
