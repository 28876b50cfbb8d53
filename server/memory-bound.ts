/**
 * How the process stays near the memory that it was given (`MEMORY_MB`). It is an aim: V8 has a
 * bound of its own beyond it, and documents in use are never turned away for it.
 */
import { setFlagsFromString } from 'node:v8'

const mb = 1024 ** 2

/**
 * Beside documents and what is allocated between collections: code, the young generation, records
 * and views that are cached.
 */
const besideDocumentsBytes = 240 * mb
const leastForDocumentsBytes = 64 * mb

/** So much of what a full collection left may be allocated until the next. */
const growthPercent = 35

/** What documents may take of so much resident memory. */
export const memoryForDocuments = (bytes: number): number =>
  Math.max(leastForDocumentsBytes, (bytes - besideDocumentsBytes) / (1 + growthPercent / 100))

/** V8 by itself lets a heap become a multiple of what is in use before it looks what that is. */
export function boundGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
