/** The attacks that are a load, each on a fresh service beside honest people on a document of their own. */
import type { Report } from '../report.ts'
import type { Created } from '../service.ts'
import { digits, mb } from '../stats.ts'
import { documentOf } from '../text.ts'
import { bounds } from './bounds.ts'
import type { Attack, Facts, HonestOrder, Target } from './order.ts'
import { pause } from './outlet.ts'
import { addresses, type Felt, Scene } from './scene.ts'
import { tell, tellRestart } from './telling.ts'
import { manyBlocks } from './texts.ts'

export interface Pace {
  readonly seconds: number
  readonly restMs: number
  readonly warmMs: number
}

export const paceOf = (isQuick: boolean): Pace =>
  isQuick
    ? { seconds: 5, restMs: 3_000, warmMs: 1_500 }
    : { seconds: 20, restMs: 60_000, warmMs: 4_000 }

export const paragraphs = (count: number): string =>
  `${Array.from({ length: count }, (_, index) => `Paragraph ${index}.`).join('\n\n')}\n`

/** Two people who type on a small document. */
export async function typists(
  scene: Scene,
  document: Created,
  count = 2,
): Promise<Omit<HonestOrder, 'port'>> {
  const tokens = await scene.tokens(document, count)
  const seats = tokens.map((token) => ({ slug: document.slug, token }))
  return { from: addresses.honest, seats, keysPerSecond: 5, asksHealth: true }
}

interface Load {
  readonly name: string
  readonly kind: Attack['kind']
  readonly many: number
  readonly most: number
  readonly rate?: number
  readonly bodies?: Attack['bodies']
  /** What is attacked; undefined: the document that is typed in. */
  readonly attacked?: string
  readonly editors?: number
  /** Half way the service is killed and started again. */
  readonly isKilled?: boolean
}

/** Opens a scene, lets the attack happen, tells what was felt. */
async function suffer(report: Report, pace: Pace, load: Load): Promise<[Felt, Facts]> {
  const scene = await Scene.open()
  try {
    const own = await scene.service.create(documentOf(50))
    const honest = [await typists(scene, own)]
    const target = await targetOf(scene, own, load)
    const { kind, many, rate, bodies } = load
    const attack: Attack = {
      kind,
      target,
      many,
      seconds: pace.seconds,
      ...(rate !== undefined && { rate }),
      ...(bodies !== undefined && { bodies }),
    }
    let facts: Facts = {}
    let readyMs: number | undefined
    const felt = await scene.felt({ honest, ...pace }, async () => {
      const order = { from: addresses.attacker, attacks: [attack] }
      const attacked = scene.attack(order, load.most)
      if (load.isKilled) {
        await pause((pace.seconds * 1000) / 2)
        readyMs = await scene.service.crash()
      }
      facts = await attacked
    })
    if (readyMs === undefined) tell(report, { name: load.name, facts }, felt)
    else tellRestart(report, { name: load.name, facts, readyMs }, felt)
    return [felt, facts]
  } finally {
    await scene.close()
  }
}

async function targetOf(
  scene: Scene,
  own: Created,
  { attacked, editors = 0 }: Load,
): Promise<Target> {
  const document = attacked === undefined ? own : await scene.service.create(attacked)
  return { slug: document.slug, tokens: await scene.tokens(document, editors) }
}

const creates = (): Load => ({
  name: '30 creates at once, 69,000 blocks each',
  kind: 'creates',
  many: 30,
  bodies: [manyBlocks],
  most: 300_000,
})

const rules = (pace: Pace, editors: number): Load => ({
  name: `elements at the root of 20,000 paragraphs, ${editors} tokens`,
  kind: 'root-rules',
  many: editors,
  editors,
  attacked: paragraphs(20_000),
  rate: 10,
  most: mostOf(pace),
})

const states = (pace: Pace): Load => ({
  name: '40 sockets with 8 states of 16 KB each, beside the typists',
  kind: 'presence',
  many: 40,
  most: mostOf(pace),
})

const records = (pace: Pace): Load => ({
  name: 'one document with 200 blocks replaced again and again, and 8 editors’ small edits',
  kind: 'records',
  many: 8,
  editors: 8,
  attacked: paragraphs(1),
  most: mostOf(pace),
})

const vectors = (seconds: number): Load => ({
  name: `8 sockets ask for 1 MB with a vector never the same, ${seconds} s`,
  kind: 'step1',
  many: 8,
  attacked: documentOf(10_000),
  most: 60_000,
})

const mostOf = ({ seconds }: Pace): number => seconds * 1000 + 60_000

export async function parallelCreates(report: Report, pace: Pace): Promise<void> {
  await suffer(report, pace, creates())
}

export async function rootRules(report: Report, pace: Pace): Promise<void> {
  for (const editors of [8, 30]) await suffer(report, pace, rules(pace, editors))
}

export async function leftRecords(report: Report, pace: Pace): Promise<void> {
  await suffer(report, pace, records(pace))
}

/** Each of these again, with a kill in the midst of it. */
export async function restarts(report: Report, { seconds: most, ...pace }: Pace): Promise<void> {
  const seconds = Math.min(10, most)
  const shorter = { ...pace, seconds, restMs: 1_000 }
  const all = [creates(), rules(shorter, 8), states(shorter), vectors(seconds), records(shorter)]
  for (const load of all) await suffer(report, shorter, { ...load, isKilled: true })
}

export async function presence(report: Report, pace: Pace): Promise<void> {
  const most = mostOf(pace)
  await suffer(report, pace, states(pace))
  const asked = {
    name: '180 awareness queries of a byte',
    kind: 'queries',
    many: 180,
    most,
  } as const
  const [, facts] = await suffer(report, pace, asked)
  const back = facts['queries: answered bytes'] ?? Number.NaN
  report.below('… bytes that came back', back, { most: bounds.awarenessBytesBack, write: mb })
}

export async function step1Flood(report: Report, pace: Pace): Promise<void> {
  const seconds = Math.min(10, pace.seconds)
  const [, facts] = await suffer(report, { ...pace, seconds }, vectors(seconds))
  const back = (facts['step1: answered bytes'] ?? Number.NaN) / seconds
  const most = bounds.step1BytesBackPerSecond
  report.below('… bytes that came back, a second', back, { most, write: mb })
}

export async function slowRequests(report: Report, pace: Pace): Promise<void> {
  const load = { name: '10 each of slow requests', kind: 'slow', many: 10, most: 90_000 } as const
  const [, facts] = await suffer(report, { ...pace, seconds: 60, restMs: 1_000 }, load)
  for (const [what, seconds] of Object.entries(facts)) {
    // Bodies have five minutes, longer than this load.
    if (!what.startsWith('slow: ') || what.includes('body')) continue
    const most = bounds.slowHeadersSeconds
    report.below(`… ${what}, until it is ended`, seconds, { most, write: (s) => `${digits(s)} s` })
  }
}
