/**
 * Documents in worker threads beside all documents in the main thread: two services in one run,
 * measured in turns, on all cores and on one. `BENCH_THREADS` picks parts and cores.
 */
import { Report, type Section } from './report.ts'
import { measureMemory, measureReady } from './threads/memory.ts'
import type { Measuring } from './threads/pair.ts'
import { measureRequests } from './threads/requests.ts'
import { crowdsOf, measureTyping } from './threads/typing.ts'

type Part = readonly [name: string, measure: (measuring: Measuring) => Promise<void>]

const partsOf = (isQuick: boolean): readonly Part[] => [
  ['requests', measureRequests],
  ...crowdsOf(isQuick).map(
    (crowd): Part => [
      `${crowd.rooms}x${crowd.seats}`,
      (measuring) => measureTyping(measuring, crowd),
    ],
  ),
  ['memory', measureMemory],
  ['start', measureReady],
]

/** The drivers of the typists run on the other one. */
const cores = { 'all-cores': undefined, 'one-core': 0 } as const

export async function measureThreads(isQuick: boolean, only: readonly string[]): Promise<Section> {
  const report = new Report()
  /** Those that are named, or all of them where none is. */
  const picked = <T extends readonly [string, unknown]>(all: readonly T[]): readonly T[] => {
    const named = all.filter(([name]) => only.includes(name))
    return named.length > 0 ? named : all
  }
  for (const [name, core] of picked(Object.entries(cores))) {
    report.note(name === 'one-core' ? 'both services on one core' : 'on all cores', '')
    for (const [, measure] of picked(partsOf(isQuick))) await measure({ report, isQuick, core })
  }
  return {
    title: 'Documents in worker threads',
    how:
      'The service as `npm start` runs it, with documents in worker threads (the default) and with all in the ' +
      'main thread (`DOCUMENT_THREADS=0`), measured in turns in one run: the first figure, the second, and the ' +
      'first by the second. The load comes from processes of their own, those of the typists on one core.',
    rows: report.rows,
  }
}
