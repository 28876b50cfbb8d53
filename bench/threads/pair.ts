/**
 * The service twice, with documents in worker threads and with all in the main thread. Everything is
 * measured on both in turns, so that other programs on the machine disturb both alike.
 */
import type { Report } from '../report.ts'
import { BenchService, type ServiceOptions } from '../service.ts'
import { times } from '../stats.ts'

export const variants = ['threads', 'main'] as const
export type Variant = (typeof variants)[number]
export type Both<T> = Readonly<Record<Variant, T>>

export interface Measuring {
  readonly report: Report
  readonly isQuick: boolean
  /** The core that the services may run on; undefined: all. */
  readonly core: number | undefined
}

export const environmentOf = (variant: Variant): Readonly<Record<string, string>> =>
  variant === 'main' ? { DOCUMENT_THREADS: '0' } : {}

export async function withBoth(
  options: ServiceOptions,
  measure: (services: Both<BenchService>) => Promise<void>,
): Promise<void> {
  const profile = process.env['BENCH_PROFILE']
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const start = (variant: Variant) =>
    BenchService.start({
      isProbed: false,
      node,
      ...options,
      env: environmentOf(variant),
    })
  const started: BenchService[] = []
  try {
    const threads = await start('threads')
    started.push(threads)
    const main = await start('main')
    started.push(main)
    await measure({ threads, main })
  } finally {
    await Promise.all(started.map((service) => service.stop()))
  }
}

/** The same for both, one after the other. */
export async function both<T>(make: (variant: Variant) => Promise<T>): Promise<Both<T>> {
  const threads = await make('threads')
  return { threads, main: await make('main') }
}

/** So many turns of both; which of them comes first changes. */
export async function inTurns(
  turns: number,
  measure: (variant: Variant, turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? variants : variants.toReversed()
    for (const variant of order) await measure(variant, turn)
  }
}

export interface Compared extends Both<number> {
  readonly write: (value: number) => string
  /** The ratio is at most this, */
  readonly most?: number
  /** or at least this. */
  readonly least?: number
}

/** One row: the figure with threads, without, and the first by the second. */
export function compare(report: Report, what: string, compared: Compared): void {
  const { threads, main, write, most, least } = compared
  const ratio = threads / main
  const value = `${write(threads)}, ${write(main)}: ${times(ratio)}`
  if (most !== undefined)
    report.add({ what, value, target: `≤ ${times(most)}`, met: ratio <= most })
  else if (least !== undefined)
    report.add({ what, value, target: `≥ ${times(least)}`, met: ratio >= least })
  else report.note(what, value)
}
