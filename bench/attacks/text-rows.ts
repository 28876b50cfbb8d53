/**
 * Markdown that is small and long to read, as a new document and as a dry run: how long each holds
 * the event loop, and what many of them leave in memory.
 */
import type { Report } from '../report.ts'
import { digits, ms, quantile } from '../stats.ts'
import { documentOf } from '../text.ts'
import { bounds } from './bounds.ts'
import { type Pace, typists } from './loads.ts'
import type { Attack, Facts } from './order.ts'
import { addresses, Scene } from './scene.ts'
import { tell } from './telling.ts'
import { longTexts } from './texts.ts'

const textMost = 120_000
const manyMost = 600_000
const many = 66

export async function longToRead(report: Report, pace: Pace): Promise<void> {
  for (const text of longTexts) {
    for (const kind of ['creates', 'dry-runs'] as const) await one(report, pace, { text, kind })
  }
  await oneAfterTheOther(report, pace)
}

interface Reading {
  readonly text: (typeof longTexts)[number]
  readonly kind: 'creates' | 'dry-runs'
}

/** Of each text only what it did to others, in two lines. */
async function one(report: Report, pace: Pace, { text, kind }: Reading): Promise<void> {
  const scene = await Scene.open()
  try {
    const own = await scene.service.create(documentOf(50))
    const honest = [await typists(scene, own)]
    const still = await scene.service.create('# Nobody writes here\n')
    const target = { slug: still.slug, tokens: await scene.tokens(still, 1) }
    const attack: Attack = { kind, target, many: 1, seconds: 0, bodies: [text] }
    let facts: Facts = {}
    const felt = await scene.felt({ honest, ...pace, restMs: 0 }, async () => {
      facts = await scene.attack({ from: addresses.attacker, attacks: [attack] }, textMost)
    })
    const status = Object.keys(facts).find((name) => name.includes('status'))
    const took = ms(facts[`${kind}: longest ms`] ?? Number.NaN)
    const how = kind === 'creates' ? 'created' : 'dry run'
    report.add({
      what: `${text.name} ${how} (${status?.split(' ').at(-1) ?? 'none'} after ${took}): hold`,
      value: felt.ended === undefined ? ms(felt.holdMs) : `ended: ${felt.ended}`,
      target: `< ${ms(bounds.holdMs)}`,
      met: felt.ended === undefined && felt.holdMs < bounds.holdMs,
    })
    report.below('… key to another’s copy p99', quantile(felt.keys, 0.99), {
      most: bounds.keyP99Ms,
      write: ms,
    })
  } finally {
    await scene.close()
  }
}

async function oneAfterTheOther(report: Report, pace: Pace): Promise<void> {
  const scene = await Scene.open()
  try {
    const own = await scene.service.create(documentOf(50))
    const honest = [await typists(scene, own)]
    const bodies = Array.from({ length: many }, (_, index) => longTexts[index % longTexts.length])
    const attack: Attack = {
      kind: 'creates',
      target: { slug: own.slug, tokens: [] },
      many: 1,
      seconds: 0,
      bodies: bodies.flatMap((text) => text ?? []),
    }
    let facts: Facts = {}
    const felt = await scene.felt({ honest, ...pace }, async () => {
      facts = await scene.attack({ from: addresses.attacker, attacks: [attack] }, manyMost)
    })
    const name = `${digits(many)} such texts one after the other`
    tell(report, { name, facts, mustGiveBack: true }, felt)
  } finally {
    await scene.close()
  }
}
