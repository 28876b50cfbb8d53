/**
 * How the process stays near the memory that it was given (`MEMORY_MB`). It is an aim: V8 has a
 * bound of its own beyond it, and documents in use are never turned away for it. What is beside
 * documents (code, the young generation, caches, pages of the store that are mapped, room between
 * objects) is not known beforehand; so documents have less, the longer the process is close to the
 * aim or beyond it, and more again when it is well below.
 */
import { setFlagsFromString } from 'node:v8'
import type { Runtime, Timer } from '../schema/runtime.ts'

const mb = 1024 ** 2

/** What is beside documents in a process that has little to do. */
const besideDocumentsBytes = 280 * mb
const leastForDocumentsBytes = 64 * mb

/** So much of what a full collection left may be allocated until the next, near the aim. */
const growthPercent = 35

/** Of the aim: from here on V8 collects sooner, and documents get no more than they have. */
const nearPart = 0.8
/** From here on they get less: what comes at once, and is in use, is to find some room. */
const beyondPart = 0.9
const lookEveryMs = 1_000
/** In one look. Less that leaves is often made up for by what came meanwhile, more is a jolt. */
const stepBytes = 8 * mb

/** What documents may take of so much resident memory, where the rest is as small as can be. */
export const memoryForDocuments = (bytes: number): number =>
  Math.max(leastForDocumentsBytes, (bytes - besideDocumentsBytes) / (1 + growthPercent / 100))

export interface Bounded {
  readonly runtime: Runtime
  /** What the process is to keep resident. */
  readonly aimBytes: number
  residentBytes(): number
  /** What documents cost now. */
  usedBytes(): number
  /** Documents that nobody uses leave until the others cost no more. */
  bound(documentBytes: number): void
}

/** Looks now and then, until the answer is called. */
export function keepNear(bounded: Bounded): () => void {
  const { runtime, aimBytes } = bounded
  const most = memoryForDocuments(aimBytes)
  let forDocuments = most
  let isNear = false
  let timer: Timer
  const look = () => {
    const resident = bounded.residentBytes()
    const wasNear = isNear
    isNear = resident > nearPart * aimBytes
    if (isNear !== wasNear) growBy(isNear ? growthPercent : 0)
    if (resident > beyondPart * aimBytes) {
      const used = Math.min(forDocuments, bounded.usedBytes())
      forDocuments = Math.max(leastForDocumentsBytes, used - stepBytes)
    } else if (!isNear) forDocuments = Math.min(most, forDocuments + stepBytes)
    bounded.bound(forDocuments)
    timer = runtime.after(lookEveryMs, look)
  }
  timer = runtime.after(lookEveryMs, look)
  return () => timer.cancel()
}

/**
 * V8 by itself lets a heap become a multiple of what is in use before it looks what that is (0),
 * which costs the least; only near the aim it is to look sooner.
 */
const growBy = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)
