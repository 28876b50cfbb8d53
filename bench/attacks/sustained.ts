/**
 * Everything at once, from one attacker who may send 1 MB a second: ten honest typists on three
 * documents, of one of which the attacker has an editor link.
 */
import type { Report } from '../report.ts'
import { ms, quantile } from '../stats.ts'
import { documentOf } from '../text.ts'
import { bounds } from './bounds.ts'
import { type Pace, paragraphs, typists } from './loads.ts'
import type { Attack, AttackerOrder, Facts, HonestOrder } from './order.ts'
import { addresses, type Felt, Scene } from './scene.ts'
import { quantiles, tell } from './telling.ts'
import { longTexts, manyBlocks } from './texts.ts'

const bytesPerSecond = 1_000_000
const fullSeconds = 120
const quickSeconds = 20
/** Of one attack, before it begins again. */
const roundSeconds = 10
/** The attacked document has room to spare, so that what stock clients spend on it is not measured. */
const attackedParagraphs = 200
const editors = 8
const warmMs = 15_000

export async function sustained(report: Report, pace: Pace): Promise<void> {
  const isQuick = pace.restMs < 60_000
  for (const from of [addresses.honest, addresses.attacker]) {
    const seconds = isQuick ? quickSeconds : fullSeconds
    const where =
      from === addresses.attacker ? 'the attacker’s own address' : 'an address of theirs'
    const name = `all at once, 1 MB/s for ${seconds} s, honest from ${where}`
    await endure(
      report,
      { ...pace, warmMs: isQuick ? pace.warmMs : warmMs },
      { name, from, seconds },
    )
  }
}

interface Siege {
  readonly name: string
  /** Whence the honest people come. */
  readonly from: string
  readonly seconds: number
}

async function endure(report: Report, pace: Pace, { name, from, seconds }: Siege): Promise<void> {
  const scene = await Scene.open()
  try {
    const { honest, attacks } = await setting(scene, from)
    const order: Omit<AttackerOrder, 'port'> = {
      from: addresses.attacker,
      bytesPerSecond,
      attacks,
      seconds,
    }
    let facts: Facts = {}
    const felt = await scene.felt({ honest, ...pace }, async () => {
      facts = await scene.attack(order, seconds * 1000 + 60_000)
    })
    tell(report, { name, facts, mustGiveBack: true }, felt)
    tellDocuments(report, felt)
  } finally {
    await scene.close()
  }
}

interface Setting {
  readonly honest: readonly Omit<HonestOrder, 'port'>[]
  readonly attacks: readonly Attack[]
}

async function setting(scene: Scene, from: string): Promise<Setting> {
  const { service } = scene
  const attacked = await service.create(paragraphs(attackedParagraphs))
  const honest: Omit<HonestOrder, 'port'>[] = []
  for (const [index, count] of [4, 3, 3].entries()) {
    const document = index === 0 ? attacked : await service.create(documentOf(50))
    const people = await typists(scene, document, count)
    honest.push({ ...people, from, asksHealth: index > 0 })
  }
  const known = { slug: attacked.slug, tokens: await scene.tokens(attacked, editors) }
  const own = await service.create(paragraphs(20_000))
  const large = { slug: own.slug, tokens: await scene.tokens(own, editors) }
  const megabyte = { slug: (await service.create(documentOf(10_000))).slug, tokens: [] }
  const quiet = await service.create('# Nobody writes here\n')
  const still = { slug: quiet.slug, tokens: await scene.tokens(quiet, 2) }
  const round = { seconds: roundSeconds }
  const attacks: Attack[] = [
    { ...round, kind: 'creates', target: known, many: 10, bodies: [manyBlocks] },
    { ...round, kind: 'creates', target: known, many: 1, bodies: longTexts },
    { ...round, kind: 'dry-runs', target: still, many: 1, bodies: longTexts },
    { ...round, kind: 'brackets', target: known, many: 1 },
    { ...round, kind: 'root-rules', target: known, many: 4, rate: 5 },
    { ...round, kind: 'root-rules', target: large, many: editors, rate: 5 },
    { ...round, kind: 'presence', target: known, many: 10 },
    { ...round, kind: 'queries', target: known, many: 180 },
    { ...round, kind: 'step1', target: megabyte, many: 8 },
    { ...round, kind: 'squat', target: still, many: 1 },
    { ...round, kind: 'slow', target: known, many: 10 },
  ]
  return { honest, attacks }
}

function tellDocuments(report: Report, { each }: Felt): void {
  const [attacked, ...others] = each.map(({ keys }) => keys)
  const lines = [
    { what: '… on the attacked document p50, p99, longest', keys: attacked ?? [] },
    { what: '… on the two others p50, p99, longest', keys: others.flat() },
  ]
  for (const { what, keys } of lines) {
    report.add({
      what,
      value: quantiles(keys),
      target: `p99 < ${ms(bounds.keyP99Ms)}`,
      met: quantile(keys, 0.99) < bounds.keyP99Ms,
    })
  }
}
