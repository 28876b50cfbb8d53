/**
 * Gives memory back to the system after a load. V8 collects when something allocates, so that what
 * documents cost that have left stays with a process that has nothing to do. Where much has left
 * and little is open a collection is asked for: it takes as long as what is left is large. Knows
 * nothing of documents but what they cost.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'

export interface GivingBack {
  readonly runtime: Runtime
  /** What documents cost in memory now. */
  usedBytes(): number
  collect(): void
}

/** Looks now and then, until the answer is called. */
export function giveBack({ runtime, usedBytes, collect }: GivingBack): () => void {
  let most = 0
  /** The first one frees objects, another the pages they stood on. */
  let due = 0
  let timer: Timer
  const look = () => {
    const used = usedBytes()
    most = Math.max(most, used)
    if (used <= limits.collectedMaxBytes && most - used >= limits.collectFromBytes) {
      most = used
      due = 2
    }
    if (due > 0) {
      due--
      collect()
    }
    timer = runtime.after(limits.collectEveryMs, look)
  }
  timer = runtime.after(limits.collectEveryMs, look)
  return () => timer.cancel()
}

/** V8's own collection, which node shows only to who asks for it. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
