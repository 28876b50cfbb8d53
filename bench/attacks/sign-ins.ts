/**
 * A thousand sign-ins at once, from four addresses and without a quota, beside two people who type:
 * as many are hashed as wait in line, the others are told to come again.
 */
import type { Report } from '../report.ts'
import { ms, quantile } from '../stats.ts'
import { documentOf } from '../text.ts'
import { type Pace, typists } from './loads.ts'
import type { Attack, Facts } from './order.ts'
import { Scene } from './scene.ts'
import { tell } from './telling.ts'

const sources = ['127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7']
const signIns = 1_000
const keyMaxMs = 100
const mostMs = 180_000

export async function manySignIns(report: Report, pace: Pace): Promise<void> {
  const scene = await Scene.open({ env: { RATE_LOGIN: '0' } })
  try {
    const { service } = scene
    const body = { handle: 'somebody', name: 'Somebody', password: 'correct horse' }
    await service.must('POST', '/auth/signup', { body })
    const document = await service.create(documentOf(50))
    const target = { slug: document.slug, tokens: [] }
    const many = signIns / sources.length
    const attack: Attack = { kind: 'sign-ins', target, many, seconds: pace.seconds }
    const facts: Record<string, number> = {}
    const honest = [await typists(scene, document)]
    const felt = await scene.felt({ honest, ...pace }, async () => {
      const attacks = sources.map((from) => scene.attack({ from, attacks: [attack] }, mostMs))
      for (const seen of await Promise.all(attacks)) addTo(facts, seen)
    })
    tell(report, { name: `${signIns} sign-ins at once`, facts }, felt)
    report.below('… key to another’s copy, longest', quantile(felt.keys, 1), {
      most: keyMaxMs,
      write: ms,
    })
  } finally {
    await scene.close()
  }
}

function addTo(all: Record<string, number>, seen: Facts): void {
  for (const [name, value] of Object.entries(seen)) {
    const isLongest = name.includes('longest')
    all[name] = isLongest ? Math.max(all[name] ?? 0, value) : (all[name] ?? 0) + value
  }
}
