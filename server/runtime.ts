/** The real clock, timers and chance: the only file of the service that reads them. */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Runtime } from '../schema/runtime.ts'

/** Ids take a few bytes each, thousands at a time: one call to the system serves many. */
const poolBytes = 8192

const soonMs = 10

function createRuntime(): Runtime {
  let pool = Buffer.alloc(0)
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
    inTurn: (callback) => void setImmediate(callback),
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
