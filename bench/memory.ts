/** What the service keeps in memory for sockets and documents, after a collection. */
import { Report, type Section } from './report.ts'
import { BenchService, type Created } from './service.ts'
import { digits, kb, mb } from './stats.ts'
import { documentOf } from './text.ts'
import { Wire } from './wire.ts'

const idleMs = 1_500

export async function measureMemory(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const env = { BENCH_IDLE_MS: String(idleMs) }
  const service = await BenchService.start({ node: ['--expose-gc'], env })
  try {
    // Until what runs often has been compiled: machine code is no document's memory.
    await openAndLeave(service, 600)
    await sockets(report, service, isQuick ? 100 : 500)
    await openDocuments(report, service, isQuick ? 50 : 200)
    await leftDocuments(report, service, isQuick ? 200 : 1_000)
  } finally {
    await service.stop()
  }
  return {
    title: 'Memory',
    how: 'Heap in use and external bytes after a full collection; resident memory as the system says.',
    rows: report.rows,
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, idleMs * 2))

async function connected({ port }: BenchService, { path, owner }: Created): Promise<Wire> {
  const protocols = ['yjs', `bearer.${owner.token}`]
  const wire = new Wire({ port, path: `${path}/live`, protocols, onMessage() {}, onClose() {} })
  await wire.open()
  return wire
}

async function sockets(report: Report, service: BenchService, count: number): Promise<void> {
  const document = await service.create('# Together\n')
  const wires = [await connected(service, document)]
  const before = await service.memory()
  for (let index = 0; index < count; index++) wires.push(await connected(service, document))
  const after = await service.memory()
  const each = (after.used - before.used) / count
  report.below('idle socket', each, { most: 20 * 1024, write: kb })
  report.note('idle socket, resident', kb((after.resident - before.resident) / count))
  for (const wire of wires) wire.close()
  await settled()
}

/** Each is kept open by one idle socket, whose share is taken off. */
async function openDocuments(report: Report, service: BenchService, count: number): Promise<void> {
  const markdown = documentOf(100)
  const made: Created[] = []
  for (let index = 0; index < count; index++) made.push(await service.create(markdown))
  await settled()
  const before = await service.memory()
  const wires: Wire[] = []
  for (const document of made) wires.push(await connected(service, document))
  await settled()
  const after = await service.memory()
  const each = (after.used - before.used) / count
  report.below('idle open document of 10 KB, with a socket', each, {
    most: 300 * 1024,
    write: kb,
  })
  report.note('idle open document, resident', kb((after.resident - before.resident) / count))
  for (const wire of wires) wire.close()
  await settled()
}

async function openAndLeave(service: BenchService, count: number): Promise<void> {
  const markdown = documentOf(100)
  for (let index = 0; index < count; index++) {
    const { path, owner } = await service.create(markdown)
    await service.must('GET', path, { token: owner.token })
  }
  await settled()
}

async function leftDocuments(report: Report, service: BenchService, count: number): Promise<void> {
  const before = await service.memory()
  await openAndLeave(service, count)
  const after = await service.memory()
  const share = (after.used / before.used - 1) * 100
  report.below(`growth after ${digits(count)} documents were opened and left`, share, {
    most: 20,
    write: (value) => `${digits(value)} %`,
  })
  report.note('… in use before, after', `${mb(before.used)}, ${mb(after.used)}`)
  report.note('… resident before, after', `${mb(before.resident)}, ${mb(after.resident)}`)
}
