/** People: what it costs to know who is calling, and what a crowd that signs in does to a typist. */
import { paceOf } from './attacks/loads.ts'
import { keyMaxMs, type SignInPair, signInPair, signIns } from './attacks/sign-ins.ts'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import type { RoleNumbers } from './roles.ts'
import { digits, median, ms, quantile } from './stats.ts'

const roleMs = 0.1

export async function measurePeople(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const child = new MeasuredProcess({ args: ['--import', 'tsx', 'bench/roles.ts'] })
  try {
    for (const { what, p50, p99, cpu } of await child.message<RoleNumbers[]>()) {
      report.below(`${what}: p50`, p50, { most: roleMs, write: ms })
      report.note('… p99, processor time', `${ms(p99)}, ${ms(cpu)}`)
    }
  } finally {
    await child.stop()
  }
  const pairs: SignInPair[] = []
  for (let turn = 0; turn < (isQuick ? 1 : 3); turn++) pairs.push(await signInPair(paceOf(true)))
  tellSignIns(report, pairs)
  return {
    title: 'From a session to a role',
    how:
      'Session, account, grant and general access of a caller on a document, each anew, on LevelDB. ' +
      'One document has 1,000 grants, one handle 10,000 documents; what is asked for in turn is read ' +
      'a second time. Sign-ins: without a quota, from four addresses, half of them by a handle that ' +
      'there is, while two people type; the service on one core, all others on the other, ten ' +
      'seconds without sign-ins before; medians of three such pairs, of what others on this machine ' +
      'make wait too.',
    rows: report.rows,
  }
}

function tellSignIns(report: Report, pairs: readonly SignInPair[]): void {
  const key = (which: 'alone' | 'beside', share: number) =>
    median(pairs.map((pair) => quantile(pair[which].keys, share)))
  const keys = (which: 'alone' | 'beside') =>
    [0.5, 0.99].map((one) => ms(key(which, one))).join(', ')
  const fact = (name: string) => median(pairs.map(({ facts }) => facts[`sign-ins: ${name}`] ?? 0))
  report.note('key to another’s copy, nobody signing in: p50, p99', keys('alone'))
  report.note('… longest', ms(key('alone', 1)))
  report.note(`… beside ${digits(signIns)} sign-ins at once: p50, p99`, keys('beside'))
  report.below('… longest', key('beside', 1), { most: keyMaxMs, write: ms })
  const hold = median(pairs.map(({ beside }) => beside.holdMs))
  report.note('… longest hold of the event loop, processor time', ms(hold))
  const answers = ['status 401', 'status 429'].map((name) => digits(fact(name))).join(', ')
  report.note('… looked at, told to come again', answers)
}
