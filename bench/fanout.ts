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
}

const scenarios: readonly Scenario[] = [
  { name: '100 clients, 1 document', rooms: 1, seats: 100, easyRate: 200 },
  { name: '500 clients, 1 document', rooms: 1, seats: 500, easyRate: 100 },
  { name: '2 clients, 500 documents', rooms: 500, seats: 2, easyRate: 500 },
]

/** Each server is bound to one core, and the driver to another. */
const serverCore = 0
const driverCore = 1

const latencyMaxMs = 100
const stageSeconds = 3
/** Between the highest rate that passed and the lowest that did not. */
const precision = 1.1

interface Outcome {
  /** Keys heard a second at the highest rate that passed. */
  readonly best: number
  readonly easy: StageResult
  /** Microseconds of the server's processor time for each key written, at ease. */
  readonly cpuPerKey: number
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

async function measure(protocol: Protocol, scenario: Scenario): Promise<Outcome> {
  const running = await (protocol === 'ours' ? startOurs(scenario) : startPeer(protocol, scenario))
  const driver = new MeasuredProcess({
    args: ['--import', 'tsx', 'bench/typists.ts'],
    core: driverCore,
  })
  try {
    await driver.ask(running.order)
    const stage = (rate: number) =>
      driver.ask<StageResult>({ rate, seconds: stageSeconds } satisfies Stage)
    const cpuOf = async (rate: number) => {
      const before = running.process.cpuMs()
      const result = await stage(rate)
      return { result, cpu: running.process.cpuMs() - before }
    }
    // Beginning the paragraphs is not typing.
    const still = await cpuOf(1)
    const { result: easy, cpu: busy } = await cpuOf(scenario.easyRate)
    const cpu = Math.max(0, busy - still.cpu)
    const keys = scenario.easyRate * (stageSeconds + 1)
    const best = await ramp(scenario, stage)
    return { best, easy, cpuPerKey: (cpu * 1000) / keys }
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
      const outcome = await measure(protocol, scenario)
      outcomes.set(protocol, outcome)
      const { best, easy, cpuPerKey } = outcome
      report.note(`${scenario.name}: ${names[protocol]}, keys heard/s`, digits(best))
      const latency = `${ms(easy.p50)}, ${ms(easy.p99)}, ${digits(cpuPerKey)} µs`
      report.note(`… at ${scenario.easyRate} keys/s: p50, p99, processor time a key`, latency)
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

function compare(
  report: Report,
  scenario: Scenario,
  outcomes: ReadonlyMap<Protocol, Outcome>,
): void {
  const ours = outcomes.get('ours')
  const others = (['y-websocket', 'hocuspocus'] as const).flatMap((name) => {
    const outcome = outcomes.get(name)
    return outcome === undefined ? [] : [outcome.best]
  })
  if (ours === undefined || others.length === 0) return
  const ratio = ours.best / Math.max(...others)
  const least = scenario.rooms === 1 ? 1 : 0.5
  report.above(`${scenario.name}: ours by the better peer`, ratio, { least, write: times })
  if (scenario.rooms > 1) {
    report.below(`${scenario.name}: our p50 at ease`, ours.easy.p50, { most: 3, write: ms })
  }
}
