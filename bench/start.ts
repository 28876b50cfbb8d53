/**
 * What a start costs, as a person meets it: `npm start` with everything built, on a store that holds
 * documents, until it is ready; and the very first thing that is asked of a process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import { type Answer, BenchService, freePort } from './service.ts'
import { median, ms } from './stats.ts'
import { documentOf } from './text.ts'

/** What it asks first, and how long that may take. */
interface FirstUse {
  readonly what: string
  readonly most: number
  use(service: BenchService): Promise<Answer>
}

export async function measureStart(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const repeats = isQuick ? 3 : 9
  await starts(report, repeats)
  const service = await BenchService.start({ isProbed: false })
  try {
    const large = await service.create(documentOf(10_000))
    const small = await service.create(documentOf(100))
    const read = (service: BenchService, { path, owner: { token } }: typeof large) =>
      service.must('GET', path, { token })
    const create = { markdown: documentOf(10_000) }
    const word = { base_revision: 1, edits: [{ before: null, new_string: '\n\nlast words' }] }
    const firsts: readonly FirstUse[] = [
      { what: 'first read of 10 KB', most: 30, use: (service) => read(service, small) },
      { what: 'first read of 1 MB', most: 500, use: (service) => read(service, large) },
      {
        what: 'first create of 1 MB',
        most: 600,
        use: (service) => service.must('POST', '/docs', { body: create }),
      },
      {
        what: 'first edit of 10 KB',
        most: 200,
        use: (service) =>
          service.must('PATCH', small.path, { token: small.owner.token, body: word }),
      },
    ]
    for (const { what, most, use } of firsts) {
      const taken: number[] = []
      for (let turn = 0; turn < repeats; turn++) {
        await service.restart()
        taken.push((await use(service)).ms)
      }
      report.below(`${what} after a start`, median(taken), { most, write: ms })
    }
  } finally {
    await service.stop()
  }
  return {
    title: 'Start',
    how:
      'Each figure is the median of as many processes. `npm start` with everything built, npm itself ' +
      'included, until `/readyz` answers 200; then, each time in a new process, the first request of all.',
    rows: report.rows,
  }
}

async function starts(report: Report, repeats: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'scriptorium-start-'))
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: directory, LOG_LEVEL: 'error' }
  const taken: number[] = []
  try {
    // The first one makes the store.
    for (let turn = 0; turn <= repeats; turn++) {
      const ready = await readyMs(port, env)
      if (turn > 0) taken.push(ready)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  report.below('`npm start` until it is ready', median(taken), { most: 700, write: ms })
  report.note('… the quickest', ms(Math.min(...taken)))
}

/** From `npm start` until `/readyz` answers 200; the process is stopped again. */
export async function readyMs(port: number, env: Readonly<Record<string, string>>) {
  const started = performance.now()
  const process = new MeasuredProcess({ command: 'npm', args: ['start', '--silent'], env })
  try {
    while (!(await isReady(port))) {
      if (process.ended !== undefined) throw new Error(`npm start ended: ${process.errors}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return performance.now() - started
  } finally {
    await process.stopInnermost()
  }
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}
