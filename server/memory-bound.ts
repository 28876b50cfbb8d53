/**
 * How the process stays near the memory that it was given (`MEMORY_MB`). It is an aim: V8 has a
 * bound of its own beyond it, and documents in use are never turned away for it.
 */
import { setFlagsFromString } from 'node:v8'
import type { Runtime, Timer } from '../schema/runtime.ts'

const mb = 1024 ** 2

/**
 * Beside documents and what is allocated between collections: code, the young generation, records
 * and views that are cached.
 */
const besideDocumentsBytes = 240 * mb
const leastForDocumentsBytes = 64 * mb

/** So much of what a full collection left may be allocated until the next, near the aim. */
const growthPercent = 35

/** What documents may take of so much resident memory. */
export const memoryForDocuments = (bytes: number): number =>
  Math.max(leastForDocumentsBytes, (bytes - besideDocumentsBytes) / (1 + growthPercent / 100))

/** Of the aim: from here on collections are to come sooner. */
const nearPart = 0.8
const lookEveryMs = 1_000

/**
 * V8 by itself lets a heap become a multiple of what is in use before it looks what that is, which
 * costs the least; only near the aim it is to look sooner. Looks now and then, until the answer is
 * called.
 */
export function boundGrowth(runtime: Runtime, aimBytes: number): () => void {
  let isNear = false
  let timer: Timer
  const look = () => {
    const wasNear = isNear
    isNear = process.memoryUsage.rss() > nearPart * aimBytes
    if (isNear !== wasNear) {
      setFlagsFromString(`--heap-growing-percent=${isNear ? growthPercent : 0}`)
    }
    timer = runtime.after(lookEveryMs, look)
  }
  timer = runtime.after(lookEveryMs, look)
  return () => timer.cancel()
}
