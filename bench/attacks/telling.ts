/** How what was felt of an attack is told: one line for each thing that an honest person minds. */
import type { Report } from '../report.ts'
import { digits, mb, ms, quantile } from '../stats.ts'
import { bounds } from './bounds.ts'
import type { Facts } from './order.ts'
import type { Felt } from './scene.ts'

export const quantiles = (values: readonly number[]): string =>
  [0.5, 0.99, 1].map((share) => ms(quantile(values, share))).join(', ')

export interface Telling {
  readonly name: string
  readonly facts?: Facts
  /** Whether resident memory is held against what it was before. Default false: only told. */
  readonly mustGiveBack?: boolean
}

export function tell(
  report: Report,
  { name, facts = {}, mustGiveBack }: Telling,
  felt: Felt,
): void {
  const { health, healthFailed, keys, ended } = felt
  report.add({
    what: `${name}: the process`,
    value: ended === undefined ? 'lives' : `ended: ${ended}`,
    target: 'lives',
    met: ended === undefined,
  })
  const healthP99 = quantile(health, 0.99)
  report.add({
    what: `… /healthz p50, p99, longest${healthFailed === 0 ? '' : ` (${healthFailed} failed)`}`,
    value: quantiles(health),
    target: `p99 < ${ms(bounds.healthP99Ms)}`,
    met: healthP99 < bounds.healthP99Ms && healthFailed === 0,
  })
  if (felt.typed > 0) tellTyping(report, keys, felt)
  const { holdMs, isHeld } = felt
  report.add({
    what: '… longest hold of the event loop, processor time',
    value: ended === undefined ? `${isHeld ? 'over ' : ''}${ms(holdMs)}` : '–',
    target: `< ${ms(bounds.holdMs)}`,
    met: ended === undefined && !isHeld && holdMs < bounds.holdMs,
  })
  tellMemory(report, felt, mustGiveBack ?? false)
  tellFacts(report, facts)
}

/** What a kill in the midst of it cost, beside the wait. */
export function tellRestart(
  report: Report,
  { name, facts, readyMs }: { name: string; facts: Facts; readyMs: number },
  { typed, lost, unlike, closedForGood, ended }: Felt,
): void {
  report.below(`${name}, killed half way: ready again after`, readyMs, {
    most: bounds.readyMs,
    write: ms,
  })
  report.add({
    what: '… closed for good; letters lost; copies unlike the text',
    value: `${closedForGood.length}; ${lost} of ${typed}; ${unlike}`,
    target: '0; 0; 0',
    met: ended === undefined && closedForGood.length + lost + unlike === 0,
  })
  tellFacts(report, facts)
}

function tellFacts(report: Report, facts: Facts): void {
  const seen = Object.entries(facts).map(([what, count]) => `${what} ${digits(count)}`)
  if (seen.length > 0) report.note('… the attacker saw', seen.join('; '))
}

function tellTyping(report: Report, keys: readonly number[], felt: Felt): void {
  const { typed, lost, unlike, closes, closedForGood, ownHold } = felt
  report.add({
    what: '… key to another’s copy p50, p99, longest',
    value: quantiles(keys),
    target: `p99 < ${ms(bounds.keyP99Ms)}`,
    met: quantile(keys, 0.99) < bounds.keyP99Ms,
  })
  report.add({
    what: '… closed for good; letters lost; copies unlike the text',
    value: `${closedForGood.length}; ${lost} of ${typed}; ${unlike}`,
    target: '0; 0; 0',
    met: closedForGood.length + lost + unlike === 0,
  })
  if (closedForGood.length > 0) report.note('… why for good', counted(closedForGood))
  if (closes.length > 0) report.note('… lines lost', counted(closes))
  if (ownHold > 50) report.note('… of which the drivers’ own hold, at most', ms(ownHold))
}

function tellMemory(report: Report, felt: Felt, mustGiveBack: boolean): void {
  const { residentBefore, residentPeak, residentAfter } = felt
  const { residentPeakBytes, residentAfter: most } = bounds
  report.add({
    what: '… resident before, peak, after the rest',
    value: [residentBefore, residentPeak, residentAfter].map(mb).join(', '),
    target: `< ${mb(residentPeakBytes)}${mustGiveBack ? `, then < ${most} ×` : ''}`,
    met:
      felt.ended === undefined &&
      residentPeak < residentPeakBytes &&
      (!mustGiveBack || residentAfter < most * residentBefore),
  })
}

/** How often each is there. */
export function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${count} × ${word}`).join(', ')
}
