/** Many typists on each store, and on two nodes, at rates that are the same for all. */
import { MeasuredProcess } from '../process.ts'
import type { Report } from '../report.ts'
import { digits, ms, times } from '../stats.ts'
import type { DriverOrder, Room, Stage, StageResult } from '../typists.ts'
import { databaseCpuMs, type Installation, install, kinds } from './installation.ts'

interface Crowd {
  readonly name: string
  readonly rooms: number
  readonly seats: number
  /** Keys a second of all typists, rising; the first one warms up too. */
  readonly rates: readonly number[]
}

const stageSeconds = 4
/** Documents that are prepared at the same time. */
const madeAtOnce = 12
/** Of a stage, the second before it is measured. */
const warmSeconds = 1

const crowdsOf = (isQuick: boolean): readonly Crowd[] => {
  const rooms = isQuick ? 100 : 500
  return [
    { name: `2 clients, ${rooms} documents`, rooms, seats: 2, rates: [300, 1_000, 3_000] },
    { name: '100 clients, 1 document', rooms: 1, seats: 100, rates: [50, 200, 800] },
  ]
}

async function roomsOf({ first }: Installation, { rooms, seats }: Crowd): Promise<Room[]> {
  const made: Room[] = []
  let begun = 0
  const make = async () => {
    while (begun++ < rooms) {
      const document = await first.create('# Together\n')
      const people = []
      for (let seat = 0; seat < seats; seat++) {
        people.push(await first.join(document, `Typist ${seat}`))
      }
      made.push({ name: document.slug, seats: people })
    }
  }
  await Promise.all(Array.from({ length: madeAtOnce }, make))
  return made
}

interface AtRate extends StageResult {
  /** Milliseconds of all nodes and the database for each key written. */
  readonly cpuPerKey: number
}

async function measure(installation: Installation, crowd: Crowd): Promise<AtRate[]> {
  const { nodes, first, database } = installation
  const driver = new MeasuredProcess({ args: ['--import', 'tsx', 'bench/typists.ts'] })
  const used = async () => {
    const ofNodes = nodes.reduce((sum, { process }) => sum + process.cpuMs(), 0)
    return ofNodes + (database === undefined ? 0 : await databaseCpuMs(database))
  }
  try {
    const ports = nodes.map(({ port }) => port)
    const rooms = await roomsOf(installation, crowd)
    const order = { protocol: 'ours', port: first.port, ports, rooms } as const
    await driver.ask(order satisfies DriverOrder)
    const stage = (rate: number) =>
      driver.ask<StageResult>({ rate, seconds: stageSeconds } satisfies Stage)
    await stage(crowd.rates[0] ?? 1)
    const results: AtRate[] = []
    for (const rate of crowd.rates) {
      // Paragraphs are begun in a stage without keys too.
      const [begun, , between] = [await used(), await stage(1), await used()]
      const result = await stage(rate)
      const cpu = (await used()) - between - (between - begun)
      results.push({ ...result, cpuPerKey: cpu / (rate * (stageSeconds + warmSeconds)) })
    }
    return results
  } finally {
    await driver.stop()
  }
}

export async function measureTyping(report: Report, isQuick: boolean): Promise<void> {
  for (const crowd of crowdsOf(isQuick)) {
    let onLevelDb: readonly AtRate[] | undefined
    for (const kind of kinds) {
      const installation = await install(kind)
      try {
        const results = await measure(installation, crowd)
        onLevelDb ??= results
        for (const [at, result] of results.entries()) {
          const base = onLevelDb[at]
          note(report, { crowd, kind, rate: crowd.rates[at] ?? 0, result, base })
        }
      } finally {
        await installation.stop()
      }
    }
  }
}

interface Noted {
  readonly crowd: Crowd
  readonly kind: string
  readonly rate: number
  readonly result: AtRate
  readonly base: AtRate | undefined
}

function note(report: Report, { crowd, kind, rate, result, base }: Noted): void {
  const { delivered, p50, p99, cpuPerKey, isComplete, closed, why } = result
  const what = `${crowd.name}, ${digits(rate)} keys/s: ${kind}: heard/s, p50, p99, processor a key`
  // Nobody comes back here, so what the rest hear says nothing.
  if (closed > 0) {
    report.note(what, `not measured: ${closed} closed, the last by ${why}`)
    return
  }
  const heard = `${digits(delivered)}, ${ms(p50)}, ${ms(p99)}`
  // What was left of the stage is in the next one's processor time.
  if (!isComplete) {
    report.note(what, `${heard}, –; not all within 3 s`)
    return
  }
  const isRatio = base !== undefined && base !== result && base.isComplete
  const ratio = isRatio ? ` (${times(cpuPerKey / base.cpuPerKey)})` : ''
  report.note(what, `${heard}, ${ms(cpuPerKey)}${ratio}`)
}
