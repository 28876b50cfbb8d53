/**
 * How the cost of an input grows with its size: processor time and the longest time in which
 * nothing else could run, at n, 2n and 4n. An input whose cost grows faster than it does, or holds
 * the event loop too long in one step, is reported with the numbers.
 */
import { holdsOf } from '../../longest-hold.ts'
import { pace } from '../../pace.ts'

/** Doing the work of one input once: prepared outside of what is measured. */
export type Prepare = (size: number) => Promise<() => Promise<unknown>>

export interface Cost {
  readonly size: number
  /** Milliseconds of processor time, of all threads of the process. */
  readonly cpuMs: number
  readonly holdMs: number
}

/** Less than this is noise. */
const lookedAtFromMs = 20
/** Twice the input may take so many times as long. */
const growthMax = 2.6
export const holdMaxMs = 300

async function costOf(prepare: Prepare, size: number): Promise<Cost> {
  const work = await prepare(size)
  const before = process.cpuUsage()
  const { longestMs } = await holdsOf(work)
  const { user, system } = process.cpuUsage(before)
  return { size, cpuMs: (user + system) / 1000, holdMs: longestMs }
}

const least = (a: Cost, b: Cost): Cost => ({
  size: a.size,
  cpuMs: Math.min(a.cpuMs, b.cpuMs),
  holdMs: Math.min(a.holdMs, b.holdMs),
})

export interface Growth {
  readonly costs: readonly Cost[]
  /** Undefined: it grows as it should. */
  readonly problem: string | undefined
}

/** `largest`: 4n. What looks wrong is measured three times, and the least counts. */
export async function growthOf(prepare: Prepare, largest: number): Promise<Growth> {
  let costs: readonly Cost[] = []
  for (let run = 0; run < 3; run++) {
    costs = await costsOf(prepare, largest, costs)
    if (problemOf(costs, 1) === undefined) return { costs, problem: undefined }
  }
  // A slow moment of the machine is no problem of the service.
  return { costs, problem: problemOf(costs, pace()) }
}

/** Ends with the first size that takes far too long: twice that would take minutes. */
async function costsOf(
  prepare: Prepare,
  largest: number,
  before: readonly Cost[],
): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (const [at, share] of [4, 2, 1].entries()) {
    const cost = await costOf(prepare, Math.floor(largest / share))
    const known = before[at]
    costs.push(known === undefined ? cost : least(cost, known))
    if (cost.holdMs > holdMaxMs) break
  }
  return costs
}

function problemOf(costs: readonly Cost[], slowness: number): string | undefined {
  const held = Math.max(...costs.map(({ holdMs }) => holdMs))
  if (held > holdMaxMs * slowness) return `holds the event loop for ${held.toFixed(0)} ms`
  const [a, b, c] = costs
  if (a === undefined || b === undefined || c === undefined) return undefined
  if (c.cpuMs < lookedAtFromMs * slowness) return undefined
  const [first, second] = [b.cpuMs / a.cpuMs, c.cpuMs / b.cpuMs]
  if (first <= growthMax || second <= growthMax) return undefined
  return `takes ${first.toFixed(1)} and ${second.toFixed(1)} times as long at twice the size`
}

export const shown = (costs: readonly Cost[]): string =>
  costs
    .map(({ size, cpuMs, holdMs }) => `${size}: ${cpuMs.toFixed(0)}/${holdMs.toFixed(0)}`)
    .join(', ')
