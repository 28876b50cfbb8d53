/**
 * Many typists at once, beside two peers and a relay that knows nothing. Each server is a process of
 * its own, and so is the driver; the offered rate is raised until the 99th percentile of the latency
 * passes 100 ms or keys are lost.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MeasuredProcess, root } from './process.ts'
import { Report, type Section } from './report.ts'
import { BenchService } from './service.ts'
import { digits, ms, times } from './stats.ts'
import type { DriverOrder, Protocol, Room, Stage, StageResult } from './typists.ts'

interface Scenario {
  readonly name: string
  readonly rooms: number
  readonly seats: number
  /** Keys a second of all typists, where every server is at ease. */
  readonly easyRate: number
  /** And where a server of one core has much to do. */
  readonly busyRate: number
}

const scenarios: readonly Scenario[] = [
  { name: '100 clients, 1 document', rooms: 1, seats: 100, easyRate: 200, busyRate: 1_000 },
  { name: '500 clients, 1 document', rooms: 1, seats: 500, easyRate: 100, busyRate: 300 },
  { name: '2 clients, 500 documents', rooms: 500, seats: 2, easyRate: 500, busyRate: 2_500 },
]

/** Each server is bound to one core, and the driver to another. */
const serverCore = 0
const driverCore = 1

const latencyMaxMs = 100
const stageSeconds = 3
/** So many stages at the busy rate, until what is often run has been compiled. */
const warmStages = 6
/** Between the highest rate that passed and the lowest that did not. */
const precision = 1.1

interface Steady extends StageResult {
  /** Microseconds of the server's processor time for each key written. */
  readonly cpuPerKey: number
}

interface AtRates {
  readonly easy: Steady
  readonly busy: Steady
}

interface Outcome {
  /** Right after the start, as who comes first meets it. */
  readonly fresh: AtRates
  readonly warm: AtRates
  /** Keys heard a second at the highest rate that passed, warm; undefined: not looked for. */
  readonly best: number | undefined
}

interface Running {
  readonly order: DriverOrder
  readonly process: MeasuredProcess
  stop(): Promise<void>
}

const node22 = join(root, 'bench/peers/node_modules/node/bin/node')

const peers: Readonly<Record<Exclude<Protocol, 'ours'>, string>> = {
  'y-websocket': 'y-websocket-server.mjs',
  hocuspocus: 'hocuspocus.mjs',
  relay: 'relay.mjs',
}

async function startOurs({ rooms, seats }: Scenario): Promise<Running> {
  const profile = process.env['BENCH_PROFILE']
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const service = await BenchService.start({ node, core: serverCore })
  const made: Room[] = []
  for (let room = 0; room < rooms; room++) {
    const document = await service.create('# Together\n')
    const people = []
    for (let seat = 0; seat < seats; seat++) {
      people.push(await service.join(document, `Typist ${seat}`))
    }
    made.push({ name: document.slug, seats: people })
  }
  const order = { protocol: 'ours', port: service.port, rooms: made } as const
  return { order, process: service.process, stop: () => service.stop() }
}

async function startPeer(
  protocol: keyof typeof peers,
  { rooms, seats }: Scenario,
): Promise<Running> {
  const needs22 = protocol === 'hocuspocus'
  const server = new MeasuredProcess({
    ...(needs22 && { command: node22 }),
    args: [`bench/peers/${peers[protocol]}`],
    core: serverCore,
  })
  const { port } = await server.message<{ port: number }>()
  const made = Array.from({ length: rooms }, (_, room) => ({
    name: `room${room}`,
    seats: Array.from({ length: seats }, (_, seat) => ({ actor: `ai:${seat}`, token: '' })),
  }))
  return {
    order: { protocol, port, rooms: made },
    process: server,
    stop: () => server.stop(),
  }
}

async function measure(
  protocol: Protocol,
  scenario: Scenario,
  isRamped: boolean,
): Promise<Outcome> {
  const running = await (protocol === 'ours' ? startOurs(scenario) : startPeer(protocol, scenario))
  const driver = new MeasuredProcess({
    args: ['--import', 'tsx', 'bench/typists.ts'],
    core: driverCore,
  })
  try {
    await driver.ask(running.order)
    const stage = (rate: number) =>
      driver.ask<StageResult>({ rate, seconds: stageSeconds } satisfies Stage)
    const steady = async (rate: number, still: number): Promise<Steady> => {
      const before = running.process.cpuMs()
      const result = await stage(rate)
      const cpu = running.process.cpuMs() - before - still
      return { ...result, cpuPerKey: (Math.max(0, cpu) * 1000) / (rate * (stageSeconds + 1)) }
    }
    const atRates = async (): Promise<AtRates> => {
      const begun = running.process.cpuMs()
      await stage(1)
      const still = running.process.cpuMs() - begun
      const easy = await steady(scenario.easyRate, still)
      return { easy, busy: await steady(scenario.busyRate, still) }
    }
    // Beginning the paragraphs is not typing; the first time it is dearer than it will be.
    await stage(1)
    const fresh = await atRates()
    for (let turn = 0; turn < warmStages; turn++) await stage(scenario.busyRate)
    const warm = await atRates()
    return { fresh, warm, best: isRamped ? await ramp(scenario, stage) : undefined }
  } finally {
    await driver.stop()
    await running.stop()
  }
}

const passes = ({ isComplete, p99 }: StageResult): boolean => isComplete && p99 < latencyMaxMs

/** Doubles the rate until it does not pass, then looks between. */
async function ramp(
  { easyRate }: Scenario,
  stage: (rate: number) => Promise<StageResult>,
): Promise<number> {
  let best = 0
  let passed = 0
  let failed = 0
  let rate = easyRate * 2
  for (let turn = 0; turn < 12; turn++) {
    let result = await stage(rate)
    // Once more: a neighbour on the machine is no limit of the server.
    if (!passes(result) && result.closed === 0) result = await stage(rate)
    const isMet = passes(result)
    if (process.env['BENCH_STAGES'] !== undefined) console.log(rate, result)
    if (isMet) {
      passed = rate
      best = Math.max(best, result.delivered)
    } else failed = rate
    if (result.closed > 0) break
    if (failed > 0 && failed / Math.max(passed, 1) < precision) break
    rate = failed === 0 ? rate * 2 : Math.round(Math.sqrt(Math.max(passed, easyRate) * failed))
  }
  return best
}

const names: Readonly<Record<Protocol, string>> = {
  ours: 'Scriptorium (durable, attributed)',
  'y-websocket': '@y/websocket-server 0.1.1 (memory)',
  hocuspocus: '@hocuspocus/server 4.7.0 (memory)',
  relay: 'relay of frames',
}

export async function measureFanout(only: readonly string[]): Promise<Section> {
  const report = new Report()
  const all = ['ours', 'y-websocket', 'hocuspocus', 'relay'] as const
  const protocols = all.filter((name) => only.length === 0 || only.includes(name))
  for (const scenario of scenarios) {
    const isOff = only.some((word) => /^\d+x\d+$/.test(word))
    if (isOff && !only.includes(`${scenario.rooms}x${scenario.seats}`)) continue
    const outcomes = new Map<Protocol, Outcome>()
    for (const protocol of protocols) {
      if (protocol === 'hocuspocus' && !existsSync(node22)) continue
      const outcome = await measure(protocol, scenario, !only.includes('steady'))
      outcomes.set(protocol, outcome)
      const { fresh, warm, best } = outcome
      const heard = best === undefined ? '' : digits(best)
      report.note(`${scenario.name}: ${names[protocol]}, keys heard/s`, heard)
      noteSteady(report, `${digits(scenario.easyRate)} keys/s, fresh`, fresh.easy)
      noteSteady(report, `${digits(scenario.busyRate)} keys/s, fresh`, fresh.busy)
      noteSteady(report, `${digits(scenario.easyRate)} keys/s, warm`, warm.easy)
      noteSteady(report, `${digits(scenario.busyRate)} keys/s, warm`, warm.busy)
    }
    compare(report, scenario, outcomes)
  }
  return {
    title: 'Many typists',
    how:
      'Keys heard by sockets a second, at the highest offered rate with a 99th percentile under ' +
      '100 ms and no key lost; all frames read by one driver process. The peers keep nothing.',
    rows: report.rows,
  }
}

function noteSteady(report: Report, at: string, steady: Steady): void {
  const { p50, p99, cpuPerKey, closed, why } = steady
  const ended = closed > 0 ? `; ${closed} closed, the last by ${why}` : ''
  const told = `${ms(p50)}, ${ms(p99)}, ${digits(cpuPerKey)} µs${ended}`
  report.note(`… at ${at}: p50, p99, processor time a key`, told)
}

function compare(
  report: Report,
  scenario: Scenario,
  outcomes: ReadonlyMap<Protocol, Outcome>,
): void {
  const ours = outcomes.get('ours')
  const others = (['y-websocket', 'hocuspocus'] as const).flatMap((name) => {
    const outcome = outcomes.get(name)
    return outcome?.best === undefined ? [] : [outcome.best]
  })
  if (ours?.best === undefined || others.length === 0) return
  const ratio = ours.best / Math.max(...others)
  const least = scenario.rooms === 1 ? 1 : 0.5
  report.above(`${scenario.name}: ours by the better peer`, ratio, { least, write: times })
  for (const [state, { easy, busy }] of [
    ['fresh', ours.fresh],
    ['warm', ours.warm],
  ] as const) {
    if (scenario.rooms > 1) {
      report.below(`${scenario.name}: our p50 at ease, ${state}`, easy.p50, { most: 3, write: ms })
      // Each key is heard twice.
      const heard = digits(scenario.busyRate * 2)
      report.below(`… and at ${heard} keys heard/s`, busy.p50, { most: 8, write: ms })
    } else if (scenario.seats === 100) {
      report.below(`${scenario.name}: our p99 at ease, ${state}`, easy.p99, { most: 10, write: ms })
    }
  }
}
