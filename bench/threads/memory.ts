/** What stays resident with documents open, and the time from a start until the service is ready. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchService, freePort } from '../service.ts'
import { readyMs } from '../start.ts'
import { digits, mb, median, ms } from '../stats.ts'
import { documentOf } from '../text.ts'
import { Wire } from '../wire.ts'
import { both, compare, environmentOf, inTurns, type Measuring, withBoth } from './pair.ts'

const counts = [1, 100, 500]
const oneMost = 210 * 1024 ** 2
const readyMostMs = 1_000
const settleMs = 2_000
/** Sync, step 1, of somebody who has nothing. */
const stepOne = new Uint8Array([0, 0, 1, 0])

export async function measureMemory({ report, core }: Measuring): Promise<void> {
  await withBoth({ ...(core !== undefined && { core }) }, async (services) => {
    const resident = async (what: string) => {
      await new Promise((resolve) => setTimeout(resolve, settleMs))
      const bytes = await both(async (variant) => services[variant].process.residentBytes())
      compare(report, `resident: ${what}`, { ...bytes, write: mb })
      return bytes.threads
    }
    await resident('after a start')
    const wires: Wire[] = []
    try {
      let open = 0
      for (const count of counts) {
        for (; open < count; open++) {
          await both(async (variant) => wires.push(await openDocument(services[variant])))
        }
        const what = count === 1 ? 'one document' : `${digits(count)} documents`
        const threads = await resident(`${what} of 10 KB edited and open`)
        if (count > 1) continue
        report.below('… with threads', threads, { most: oneMost, write: mb })
      }
    } finally {
      for (const wire of wires) wire.close()
    }
  })
}

/** A document with an editor in it, and one word replaced. */
async function openDocument(service: BenchService): Promise<Wire> {
  const { path, owner } = await service.create(documentOf(100))
  const { token } = owner
  const wire = new Wire({
    port: service.port,
    path: `${path}/live`,
    protocols: ['yjs', `bearer.${token}`],
    onMessage() {},
    onClose() {},
  })
  await wire.open()
  wire.send(stepOne)
  const body = { edits: [{ old_string: 'word1.', new_string: 'first.' }] }
  await service.must('PATCH', path, { token, body })
  return wire
}

export async function measureReady({ report, isQuick }: Measuring): Promise<void> {
  const starts = await both(async (variant) => {
    const directory = mkdtempSync(join(tmpdir(), 'scriptorium-start-'))
    const port = await freePort()
    const parts = { PORT: String(port), DATA_DIR: directory, LOG_LEVEL: 'error' }
    return { directory, port, env: { ...parts, ...environmentOf(variant) } }
  })
  const taken = { threads: [] as number[], main: [] as number[] }
  try {
    await inTurns(isQuick ? 4 : 10, async (variant, turn) => {
      const { port, env } = starts[variant]
      const ready = await readyMs(port, env)
      // The first one makes the store.
      if (turn > 0) taken[variant].push(ready)
    })
  } finally {
    for (const { directory } of Object.values(starts)) {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  const [threads, main] = [median(taken.threads), median(taken.main)]
  compare(report, '`npm start` until it is ready', { threads, main, write: ms })
  report.below('… with threads', threads, { most: readyMostMs, write: ms })
}
