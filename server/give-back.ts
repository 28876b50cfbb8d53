/**
 * Gives memory back to the system after a load. V8 collects when something allocates, so that what
 * documents cost that have left stays with a process that has little to do. Where much has left
 * and little is open a collection is asked for: it takes as long as what is left is large, on a
 * slow machine longer, so that what one took decides whether more are asked for. A busy process is
 * left to V8, which collects in small pieces. Knows nothing of documents but what they cost.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'

export interface GivingBack {
  readonly runtime: Runtime
  /** What documents cost in memory now. */
  usedBytes(): number
  /** Whether the event loop had little to do since this was last asked. */
  isAtLeisure(): boolean
  collect(): void
}

/** One after the other. */
const collections = 4

/** Looks now and then, until the answer is called. */
export function giveBack({ runtime, usedBytes, isAtLeisure, collect }: GivingBack): () => void {
  let most = 0
  /** The first one frees objects, others the pages they stood on, some only in the next look. */
  let due = 0
  let mostLeft = limits.collectedMaxBytes
  let timer: Timer
  const look = () => {
    const used = usedBytes()
    most = Math.max(most, used)
    if (used <= mostLeft && most - used >= limits.collectFromBytes) {
      most = used
      due = collections
    }
    if (isAtLeisure() && due > 0) {
      due--
      const since = runtime.elapsed()
      collect()
      if (runtime.elapsed() - since > limits.collectHoldMs) {
        due = 0
        mostLeft = used / 2
      }
    }
    timer = runtime.after(limits.collectEveryMs, look)
  }
  timer = runtime.after(limits.collectEveryMs, look)
  return () => timer.cancel()
}

/** Tells of the time between two questions. */
export function leisure(): () => boolean {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization < busyShare
  }
}

/** Of the time that the event loop had. */
const busyShare = 0.25

/** V8's own collection, which node shows only to who asks for it. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
