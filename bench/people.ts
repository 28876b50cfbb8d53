/** People: what it costs to know who is calling. */
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import type { RoleNumbers } from './roles.ts'
import { ms } from './stats.ts'

const roleMs = 0.1

export async function measurePeople(): Promise<Section> {
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
  return {
    title: 'From a session to a role',
    how:
      'Session, account, grant and general access of a caller on a document, each anew, on LevelDB. ' +
      'One document has 1,000 grants, one handle 10,000 documents; what is asked for in turn is read ' +
      'a second time.',
    rows: report.rows,
  }
}
