/** What each single step does to others: the process, the longest hold, a key, memory. */
import type { Report } from '../report.ts'
import { mb, ms, quantile } from '../stats.ts'
import { documentOf } from '../text.ts'
import { bounds } from './bounds.ts'
import { type Pace, typists } from './loads.ts'
import type { Facts } from './order.ts'
import { addresses, type Felt, Scene } from './scene.ts'
import { steps } from './single-steps.ts'

const most = 200_000

export async function singleSteps(report: Report, pace: Pace): Promise<void> {
  for (const step of Object.keys(steps)) {
    const scene = await Scene.open()
    try {
      const own = await scene.service.create(documentOf(50))
      const honest = [await typists(scene, own)]
      const target = { slug: own.slug, tokens: [] }
      const attacks = [{ kind: 'steps', target, many: 1, seconds: 0, step } as const]
      let facts: Facts = {}
      const felt = await scene.felt({ honest, ...pace, restMs: 0 }, async () => {
        facts = await scene.attack({ from: addresses.attacker, attacks }, most)
      })
      tellStep(report, `${step}${saw(facts)}`, felt)
    } finally {
      await scene.close()
    }
  }
}

const saw = (facts: Facts): string => {
  const told = Object.entries(facts).flatMap(([name, count]) => {
    if (name.includes('status')) return [`${count} × ${name.split(' ').at(-1)}`]
    return name.includes('longest') ? [`longest ${ms(count)}`] : []
  })
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

function tellStep(report: Report, what: string, felt: Felt): void {
  const { ended, holdMs, isHeld, lost, closedForGood, residentBefore, residentPeak } = felt
  report.add({
    what: `${what}: hold`,
    value: ended === undefined ? `${isHeld ? 'over ' : ''}${ms(holdMs)}` : `ended: ${ended}`,
    target: `< ${ms(bounds.stepHoldMs)}`,
    met: ended === undefined && !isHeld && holdMs < bounds.stepHoldMs,
  })
  report.below('… key to another’s copy p99', quantile(felt.keys, 0.99), {
    most: bounds.stepHoldMs,
    write: ms,
  })
  const grown = Math.max(0, residentPeak - residentBefore)
  report.add({
    what: '… resident memory grew by; letters lost; closed for good',
    value: `${mb(grown)}; ${lost}; ${closedForGood.length}`,
    target: `< ${mb(bounds.stepResidentBytes)}; 0; 0`,
    met: grown < bounds.stepResidentBytes && lost + closedForGood.length === 0,
  })
}
