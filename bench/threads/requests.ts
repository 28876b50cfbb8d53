/** What one caller waits for, and the processor time of it: PATCH, GET and create. */
import type { Answer, BenchService, Created } from '../service.ts'
import { median, ms, quantile } from '../stats.ts'
import { documentOf, sizes } from '../text.ts'
import { Words } from '../words.ts'
import {
  type Both,
  both,
  compare,
  inTurns,
  type Measuring,
  type Variant,
  withBoth,
} from './pair.ts'

const warmUps = 60
const largest = 10_000
const settleMs = 2_000

interface Taken {
  readonly wait: Both<number[]>
  /** Processor time of all requests together, milliseconds. */
  readonly cpu: Record<Variant, number>
}

/** Runs a request in turns and keeps what each took. */
async function takenBy(
  services: Both<BenchService>,
  turns: number,
  request: (variant: Variant) => Promise<Answer>,
): Promise<Taken> {
  const wait = { threads: [] as number[], main: [] as number[] }
  const before = { threads: services.threads.process.cpuMs(), main: services.main.process.cpuMs() }
  await inTurns(turns, async (variant) => {
    wait[variant].push((await request(variant)).ms)
  })
  const used = (variant: Variant) => services[variant].process.cpuMs() - before[variant]
  return { wait, cpu: { threads: used('threads') / turns, main: used('main') / turns } }
}

const at = ({ threads, main }: Both<number[]>, share: number): Both<number> => ({
  threads: quantile(threads, share),
  main: quantile(main, share),
})

export async function measureRequests(measuring: Measuring): Promise<void> {
  const { core } = measuring
  await withBoth({ ...(core !== undefined && { core }) }, async (services) => {
    await patches(measuring, services)
    await openReads(measuring, services)
    const made = await creates(measuring, services)
    await storedReads(measuring, services, made)
  })
}

async function patches({ report, isQuick }: Measuring, services: Both<BenchService>) {
  const turns = isQuick ? 100 : 300
  for (const { name, blocks } of sizes) {
    const documents = await both((variant) => services[variant].create(documentOf(blocks)))
    const words = { threads: new Words(blocks), main: new Words(blocks) }
    const patch = (variant: Variant) => {
      const { path, owner } = documents[variant]
      const body = { edits: [words[variant].next()] }
      return services[variant].must('PATCH', path, { token: owner.token, body })
    }
    await takenBy(services, warmUps, patch)
    const { wait, cpu } = await takenBy(services, turns, patch)
    compare(report, `PATCH ${name}, p50`, { ...at(wait, 0.5), write: ms, most: 1.3 })
    compare(report, '… p95', { ...at(wait, 0.95), write: ms })
    compare(report, '… processor time', { ...cpu, write: ms })
  }
}

async function openReads({ report, isQuick }: Measuring, services: Both<BenchService>) {
  const documents = await both((variant) => services[variant].create(documentOf(largest)))
  const words = { threads: new Words(largest), main: new Words(largest) }
  const read = (variant: Variant) => {
    const { path, owner } = documents[variant]
    return services[variant].must('GET', path, { token: owner.token })
  }
  /** Who has been edited is open, and its text is not what was last sent. */
  const readChanged = async (variant: Variant) => {
    const { path, owner } = documents[variant]
    const body = { edits: [words[variant].next()] }
    const { token } = owner
    await services[variant].must('PATCH', path, { token, body })
    return read(variant)
  }
  const turns = isQuick ? 40 : 100
  await takenBy(services, 10, readChanged)
  const { wait, cpu } = await takenBy(services, turns, read)
  compare(report, 'GET 1 MB, open, p50', { ...at(wait, 0.5), write: ms })
  compare(report, '… processor time', { ...cpu, write: ms })
  const changed = await takenBy(services, turns, readChanged)
  compare(report, 'GET 1 MB, just after a PATCH, p50', { ...at(changed.wait, 0.5), write: ms })
  compare(report, '… processor time with the PATCH', { ...changed.cpu, write: ms })
}

async function creates({ report, isQuick }: Measuring, services: Both<BenchService>) {
  const markdown = documentOf(largest)
  const made: Record<Variant, Created[]> = { threads: [], main: [] }
  const create = (variant: Variant) =>
    services[variant].must('POST', '/docs', { body: { markdown } })
  await takenBy(services, 2, create)
  const { wait, cpu } = await takenBy(services, isQuick ? 4 : 10, create)
  compare(report, 'create 1 MB, p50', { ...at(wait, 0.5), write: ms })
  compare(report, '… processor time', { ...cpu, write: ms })
  await inTurns(isQuick ? 4 : 10, async (variant) => {
    made[variant].push(await services[variant].create(markdown))
  })
  return made
}

/** Each document is read once after a start, which does not open it. */
async function storedReads(
  { report }: Measuring,
  services: Both<BenchService>,
  made: Both<Created[]>,
) {
  await Promise.all([services.threads.restart(), services.main.restart()])
  // What a process does once it is ready is not the reads'.
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const turns = made.main.length
  const rest = { threads: [...made.threads], main: [...made.main] }
  const next = (variant: Variant) => rest[variant].pop() as Created
  const read = (variant: Variant) => {
    const { path, owner } = next(variant)
    return services[variant].must('GET', path, { token: owner.token })
  }
  await takenBy(services, 1, read)
  const { wait, cpu } = await takenBy(services, turns - 1, read)
  const p50 = { threads: median(wait.threads), main: median(wait.main) }
  compare(report, 'GET 1 MB, stored, p50', { ...p50, write: ms })
  compare(report, '… processor time', { ...cpu, write: ms })
}
