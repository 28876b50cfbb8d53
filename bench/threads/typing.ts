/**
 * Many typists on both variants: what a key waits and costs at a fixed rate, and the highest rate
 * at which the 99th percentile of the wait stays below 100 ms. Each variant has a driver process;
 * all drivers run on one core, and their processor time is reported.
 */
import { MeasuredProcess } from '../process.ts'
import type { BenchService } from '../service.ts'
import { digits, median, ms } from '../stats.ts'
import type { DriverOrder, Room, Stage, StageResult } from '../typists.ts'
import { type Both, both, compare, inTurns, type Measuring, withBoth } from './pair.ts'

export interface Crowd {
  readonly name: string
  readonly rooms: number
  readonly seats: number
  /** Keys a second of all typists at which both are compared. */
  readonly rate: number
  /** Bounds of the ratios. */
  readonly p99Most?: number
  readonly bestLeast: number
  readonly cpuMost?: number
}

const driverCore = 1
const latencyMaxMs = 100
/** Between the highest rate that passed and the lowest that did not. */
const precision = 1.05

export const crowdsOf = (isQuick: boolean): readonly Crowd[] => {
  const rooms = isQuick ? 100 : 500
  const name = `${rooms} documents, 2 people each`
  return [
    { name: 'one document, 100 people', rooms: 1, seats: 100, rate: 500, bestLeast: 0.95 },
    { name: 'one document, 500 people', rooms: 1, seats: 500, rate: 100, bestLeast: 0.95 },
    { name, rooms, seats: 2, rate: 3_000, bestLeast: 1.4, p99Most: 0.5, cpuMost: 1.15 },
  ]
}

export async function measureTyping(measuring: Measuring, crowd: Crowd): Promise<void> {
  const { core } = measuring
  await withBoth({ ...(core !== undefined && { core }) }, async (services) => {
    const drivers: MeasuredProcess[] = []
    try {
      const bench = await both(async (variant) => {
        const service = services[variant]
        const driver = new MeasuredProcess({
          args: ['--import', 'tsx', 'bench/typists.ts'],
          core: driverCore,
        })
        drivers.push(driver)
        const rooms = await seats(service, crowd)
        const order: DriverOrder = { protocol: 'ours', port: service.port, rooms }
        await driver.ask(order)
        return new Typing(service, driver)
      })
      await atFixedRate(measuring, crowd, bench)
      await highestRate(measuring, crowd, bench)
    } finally {
      await Promise.all(drivers.map((driver) => driver.stop()))
    }
  })
}

async function seats(service: BenchService, crowd: Crowd): Promise<Room[]> {
  const made: Room[] = []
  for (let room = 0; room < crowd.rooms; room++) {
    const document = await service.create('# Together\n')
    const people = []
    for (let seat = 0; seat < crowd.seats; seat++) {
      people.push(await service.join(document, `Typist ${seat}`))
    }
    made.push({ name: document.slug, seats: people })
  }
  return made
}

interface Typed extends StageResult {
  /** Microseconds of processor time for each key: all threads of the service, its main thread, the driver. */
  readonly all: number
  readonly main: number
  readonly driver: number
}

class Typing {
  readonly #service: BenchService
  readonly #driver: MeasuredProcess
  /** Of a stage in which hardly anybody types. */
  #still = { all: 0, main: 0, driver: 0 }

  constructor(service: BenchService, driver: MeasuredProcess) {
    this.#service = service
    this.#driver = driver
  }

  get #used() {
    const { process } = this.#service
    return { all: process.cpuMs(), main: process.mainCpuMs(), driver: this.#driver.cpuMs() }
  }

  async rest(seconds: number): Promise<void> {
    const before = this.#used
    await this.#driver.ask<StageResult>({ rate: 1, seconds } satisfies Stage)
    const { all, main, driver } = this.#used
    this.#still = {
      all: all - before.all,
      main: main - before.main,
      driver: driver - before.driver,
    }
  }

  async stage(rate: number, seconds: number): Promise<Typed> {
    const before = this.#used
    const result = await this.#driver.ask<StageResult>({ rate, seconds } satisfies Stage)
    const after = this.#used
    // The driver types for one more second before it measures.
    const keys = rate * (seconds + 1)
    const each = (of: keyof typeof after) =>
      (Math.max(0, after[of] - before[of] - this.#still[of]) * 1000) / keys
    return { ...result, all: each('all'), main: each('main'), driver: each('driver') }
  }
}

async function atFixedRate(
  { report, isQuick }: Measuring,
  crowd: Crowd,
  bench: Both<Typing>,
): Promise<void> {
  const { name, rate, p99Most, cpuMost } = crowd
  const seconds = isQuick ? 2 : 4
  const typed: Both<Typed[]> = { threads: [], main: [] }
  await inTurns(isQuick ? 2 : 4, async (variant) => {
    await bench[variant].stage(rate, seconds)
  })
  await inTurns(1, (variant) => bench[variant].rest(seconds))
  await inTurns(isQuick ? 3 : 7, async (variant) => {
    typed[variant].push(await bench[variant].stage(rate, seconds))
  })
  const of = (read: (one: Typed) => number): Both<number> => ({
    threads: median(typed.threads.map(read)),
    main: median(typed.main.map(read)),
  })
  const micros = (value: number) => `${digits(value)} µs`
  const at = `${name}, ${digits(rate)} keys/s`
  const bounded = p99Most === undefined ? {} : { most: p99Most }
  const priced = cpuMost === undefined ? {} : { most: cpuMost }
  compare(report, `${at}: p50`, { ...of(({ p50 }) => p50), write: ms })
  compare(report, '… p99', { ...of(({ p99 }) => p99), write: ms, ...bounded })
  compare(report, '… processor time a key', { ...of(({ all }) => all), write: micros, ...priced })
  compare(report, '… of which the main thread', { ...of(({ main }) => main), write: micros })
  compare(report, '… the driver beside it', { ...of(({ driver }) => driver), write: micros })
}

async function highestRate(
  { report, isQuick }: Measuring,
  crowd: Crowd,
  bench: Both<Typing>,
): Promise<void> {
  const searches = { threads: new Search(crowd.rate), main: new Search(crowd.rate) }
  await inTurns(isQuick ? 6 : 12, async (variant) => {
    const search = searches[variant]
    if (search.isOver) return
    const stage = () => bench[variant].stage(search.rate, isQuick ? 2 : 3)
    let typed = await stage()
    // Once more: what other programs do is no limit of the service.
    if (!passes(typed)) typed = await stage()
    if (process.env['BENCH_STAGES'] !== undefined) console.log(variant, search.rate, typed)
    search.take(passes(typed))
  })
  const rates = { threads: searches.threads.passed, main: searches.main.passed }
  const write = (rate: number) => `${digits(rate)} keys/s`
  const what = `${crowd.name}: highest rate with p99 < ${latencyMaxMs} ms`
  compare(report, what, { ...rates, write, least: crowd.bestLeast })
}

const passes = ({ isComplete, p99 }: StageResult): boolean => isComplete && p99 < latencyMaxMs

/** Goes up or down by steps until one rate passed and one did not, then looks between. */
class Search {
  rate: number
  passed = 0
  #failed = Number.POSITIVE_INFINITY

  constructor(rate: number) {
    this.rate = rate
  }

  get isOver(): boolean {
    return this.#failed / this.passed < precision
  }

  take(hasPassed: boolean): void {
    if (hasPassed) this.passed = this.rate
    else this.#failed = this.rate
    if (this.passed === 0) this.rate = Math.round(this.rate / 2)
    else if (this.#failed === Number.POSITIVE_INFINITY) this.rate = Math.round(this.rate * 1.6)
    else this.rate = Math.round(Math.sqrt(this.passed * this.#failed))
  }
}
