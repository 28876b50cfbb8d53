/**
 * What one attacker can do to everybody else: each attack on a fresh service, beside honest people
 * who type on a document of their own and ask `/healthz`; then all of them at once for two minutes.
 * docs/attacks.md says each in words. `BENCH_ATTACKS=creates,squat` picks some.
 */
import {
  leftRecords,
  type Pace,
  paceOf,
  parallelCreates,
  presence,
  restarts,
  rootRules,
  slowRequests,
  step1Flood,
} from './attacks/loads.ts'
import { overloads } from './attacks/overload-rows.ts'
import { Scene } from './attacks/scene.ts'
import { manySignIns } from './attacks/sign-ins.ts'
import { singleSteps } from './attacks/single-step-rows.ts'
import { sustained } from './attacks/sustained.ts'
import { longToRead } from './attacks/text-rows.ts'
import { nestedBrackets, squatting } from './attacks/wrongs.ts'
import { Report, type Section } from './report.ts'

const attacks: Readonly<Record<string, (report: Report, pace: Pace) => Promise<void>>> = {
  creates: parallelCreates,
  brackets: nestedBrackets,
  rules: rootRules,
  texts: longToRead,
  overload: overloads,
  presence,
  squat: squatting,
  step1: step1Flood,
  slow: slowRequests,
  records: leftRecords,
  restarts,
  'sign-ins': manySignIns,
  steps: singleSteps,
  sustained,
}

/** What is still open ends with the bench. */
function endWithBench(): () => void {
  const discardAll = () => Scene.discardAll()
  const end = () => {
    discardAll()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  // Also where the bench itself goes wrong.
  process.on('exit', discardAll)
  return () => {
    process.off('exit', discardAll)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end)
  }
}

export async function measureAttacks(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const only = (process.env['BENCH_ATTACKS'] ?? '').split(',').filter((word) => word !== '')
  const stopWatching = endWithBench()
  try {
    for (const [name, measure] of Object.entries(attacks)) {
      if (only.length > 0 && !only.includes(name)) continue
      await measure(report, paceOf(isQuick)).catch((error: unknown) => {
        console.error(error)
        report.add({ what: `${name}: could not be measured`, value: '–', target: '', met: false })
      })
    }
  } finally {
    stopWatching()
  }
  return {
    title: 'Attacks',
    how:
      'The service as `npm start` runs it, with its own quotas, on one core; the attacker and the ' +
      'honest people on the other, from addresses of their own. docs/attacks.md says what each is. ' +
      'What was never answered or heard counts with what it waited.',
    rows: report.rows,
  }
}
