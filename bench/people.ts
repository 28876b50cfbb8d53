/** People: what it costs to know who is calling, and what a crowd that signs in does to a typist. */
import { paceOf } from './attacks/loads.ts'
import type { Felt } from './attacks/scene.ts'
import { keyMaxMs, type SignInPair, signInPair, signIns } from './attacks/sign-ins.ts'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import type { RoleNumbers } from './roles.ts'
import { digits, ms, quantile } from './stats.ts'

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
      'seconds without sign-ins before. Others share the machine: of all such pairs the one counts in ' +
      'which the people’s own processes were held least.',
    rows: report.rows,
  }
}

/** Others share the machine: the pair counts in which it held the drivers themselves least. */
function tellSignIns(report: Report, pairs: readonly SignInPair[]): void {
  const ownHold = ({ alone, beside }: SignInPair) => Math.max(alone.ownHold, beside.ownHold)
  const [quietest] = [...pairs].sort((a, b) => ownHold(a) - ownHold(b))
  if (quietest === undefined) return
  const { alone, beside, facts } = quietest
  const keys = ({ keys }: Felt) => [0.5, 0.99, 1].map((one) => ms(quantile(keys, one))).join(', ')
  report.note('key to another’s copy, nobody signing in: p50, p99, longest', keys(alone))
  report.note(`… beside ${digits(signIns)} sign-ins at once`, keys(beside))
  report.below('… longest', quantile(beside.keys, 1), { most: keyMaxMs, write: ms })
  report.note('… of which the drivers’ own hold, at most', ms(beside.ownHold))
  report.note('… longest hold of the event loop, processor time', ms(beside.holdMs))
  const of = (name: string) => digits(facts[`sign-ins: ${name}`] ?? 0)
  report.note('… looked at, told to come again', `${of('status 401')}, ${of('status 429')}`)
  const all = pairs.map((pair) =>
    [quantile(pair.beside.keys, 1), ownHold(pair)].map((value) => digits(value)).join(' of '),
  )
  report.note('… longest of all pairs, and the drivers’ own hold', all.join('; '))
}
