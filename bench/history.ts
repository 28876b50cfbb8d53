/**
 * What it takes to read the past: a megabyte with ten thousand revisions, asked for by HTTP in a
 * process that was started after the last of them and has read nothing before.
 */
import { Report, type Section } from './report.ts'
import { BenchService, type Created } from './service.ts'
import { digits, median, ms } from './stats.ts'
import { documentOf } from './text.ts'
import { Words } from './words.ts'

const blocks = 10_000
/** Reads of the past that come at the same time. */
const crowd = 100

/** Milliseconds by the clock, and of the service's processor time. */
interface Spent {
  readonly waited: number
  readonly worked: number
}

/** One word replaced in each revision, all over the document. */
async function writeHistory(service: BenchService, revisions: number): Promise<Created> {
  const document = await service.create(documentOf(blocks))
  const words = new Words(blocks)
  const { token } = document.owner
  for (let revision = 1; revision < revisions; revision++) {
    const body = { edits: [words.next()] }
    await service.must('PATCH', document.path, { token, body })
  }
  return document
}

export async function measureHistory(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const revisions = isQuick ? 1_000 : 10_000
  const service = await BenchService.start({ env: { BENCH_HOLDS: '1' } })
  try {
    const { path, owner } = await writeHistory(service, revisions)
    const get = async (rest: string): Promise<Spent> => {
      const before = service.process.cpuMs()
      const { ms: waited } = await service.must('GET', path + rest, { token: owner.token })
      return { waited, worked: service.process.cpuMs() - before }
    }
    const row = (what: string, { waited, worked }: Spent, most: number) => {
      const value = `${ms(waited)}, ${ms(worked)}`
      report.add({ what, value, target: `< ${ms(most)}`, met: worked < most })
    }
    const former = (revision: number) => `?revision=${revision}&include=authorship`
    await service.restart()
    row('a revision with authors, the first read', await get(former(revisions - 1)), 500)
    const spread = Array.from({ length: 40 }, (_, at) => 1 + Math.floor((at * revisions) / 40))
    const taken: Spent[] = []
    for (const revision of spread) taken.push(await get(former(revision)))
    const [waits, works] = [taken.map(({ waited }) => waited), taken.map(({ worked }) => worked)]
    const slowest = { waited: Math.max(...waits), worked: Math.max(...works) }
    row('a revision with authors, slowest of 40', slowest, 500)
    row('a revision with authors, p50', { waited: median(waits), worked: median(works) }, 250)
    const half = Math.floor(revisions / 2)
    for (const [what, rest, most] of [
      ['diff of neighbours', `/diff?from=${half}&to=${half + 1}`, 500],
      ['diff of the first and the last', `/diff?from=1&to=${revisions}`, 1_000],
      ['since the revision before', `/since?revision=${revisions - 1}`, 500],
      ['since a hundred revisions ago', `/since?revision=${revisions - 100}`, 500],
      ['since the first revision', `/since?revision=1`, 1_000],
      ['a page of 50 entries with hashes', `/history?limit=50`, 500],
      ['the same in the middle', `/history?limit=50&cursor=r${half}`, 500],
    ] as const) {
      row(what, await get(rest), most)
    }
    await service.hold()
    const started = performance.now()
    await Promise.all(
      Array.from({ length: crowd }, (_, at) =>
        service.call('GET', path + former(1 + Math.floor((at * revisions) / crowd)), {
          token: owner.token,
        }),
      ),
    )
    report.note(`${crowd} revisions asked for at once`, ms(performance.now() - started))
    report.below('… longest hold of the event loop', await service.hold(), { most: 50, write: ms })
  } finally {
    await service.stop()
  }
  return {
    title: 'The past',
    how:
      `A document of 1 MB with ${digits(revisions)} revisions of one word each, read over HTTP in a ` +
      'process that was started after the last of them. The wait and the processor time of all ' +
      'threads; the targets are for the latter, which is the wait on a machine of its own.',
    rows: report.rows,
  }
}
