/** What the process keeps resident with the settings it has by itself: as the system says, without any probe in it. */
import { Report, type Section } from './report.ts'
import { BenchService, type Created } from './service.ts'
import { digits, mb } from './stats.ts'
import { documentOf, sizes } from './text.ts'
import { Wire } from './wire.ts'
import { Words } from './words.ts'

const mostResident = 600 * 1024 ** 2
const mostUnderLoad = [220, 250, 330].map((one) => one * 1024 ** 2)
const loadMs = 15_000

export async function measureResident(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const only = process.env['BENCH_RESIDENT']
  if (only !== 'one') await manyDocuments(report, isQuick ? [1_500, 400] : [10_000, 2_000])
  if (only !== 'many') await oneOfEach(report)
  return {
    title: 'Resident memory',
    how:
      'As the system says of a process that nothing was loaded into for the bench, with `MEMORY_MB` as it is by itself (512). ' +
      'Under load: two clients that replace words and two that read, for 15 s, as fast as they are answered.',
    rows: report.rows,
  }
}

async function oneOfEach(report: Report): Promise<void> {
  for (const [index, size] of sizes.entries()) {
    await oneUnderLoad(report, size, mostUnderLoad[index] ?? 0)
  }
}

async function manyDocuments(report: Report, [count, edited]: readonly [number, number]) {
  const service = await BenchService.start({ isProbed: false })
  const peak = (what: string) => {
    report.below(what, service.process.residentPeakBytes(), { most: mostResident, write: mb })
  }
  try {
    report.note('resident after a start', mb(service.process.residentBytes()))
    const markdown = documentOf(100)
    const made: Created[] = []
    await together(4, count, async () => {
      made.push(await service.create(markdown))
    })
    peak(`${digits(count)} documents of 10 KB made: the most resident so far`)
    for (const { path, owner } of made) await service.must('GET', path, { token: owner.token })
    peak('… and read in a row')
    const wires: Wire[] = []
    await together(2, edited, async (index) => {
      const document = made[index]
      if (document === undefined) return
      const { path, owner } = document
      const protocols = ['yjs', `bearer.${owner.token}`]
      const wire = new Wire({
        port: service.port,
        path: `${path}/live`,
        protocols,
        onMessage() {},
        onClose() {},
      })
      await wire.open()
      wire.send(stepOne)
      wires.push(wire)
    })
    peak(`… and ${digits(edited)} open with one quiet editor each`)
    for (const wire of wires) wire.close()
  } finally {
    await service.stop()
  }
}

/** Sync, step 1, of who has nothing. */
const stepOne = new Uint8Array([0, 0, 1, 0])

async function oneUnderLoad(
  report: Report,
  { name, blocks }: (typeof sizes)[number],
  most: number,
): Promise<void> {
  const service = await BenchService.start({ isProbed: false })
  try {
    const { path, owner } = await service.create(documentOf(blocks))
    const { token } = owner
    const words = new Words(blocks)
    const ends = performance.now() + loadMs
    const loop = async (work: () => Promise<unknown>) => {
      while (performance.now() < ends) await work()
    }
    const edit = () => service.call('PATCH', path, { token, body: { edits: [words.next()] } })
    const read = () => service.must('GET', path, { token })
    await Promise.all([loop(edit), loop(edit), loop(read), loop(read)])
    report.below(`one document of ${name} under load`, service.process.residentPeakBytes(), {
      most,
      write: mb,
    })
  } finally {
    await service.stop()
  }
}

async function together(width: number, count: number, work: (index: number) => Promise<void>) {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, one))
}
