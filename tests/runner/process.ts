/**
 * A process that runs test files one after the other, as its parent names them; what they import
 * stays loaded, so that each further file costs little. A file is over when nothing that it began
 * keeps the event loop alive. It fails when it throws, waits for what cannot come any more, has no
 * test, or leaves changed what the next one shares with it.
 */
import { pathToFileURL } from 'node:url'
import { type Count, countLine } from './count-line.ts'
import { processorTimeMs } from './processor-time.ts'
import { changesSince, type SharedState, sharedState } from './shared-state.ts'

/** A suite as uvu collects it: what its errors say, or true where there is none. */
type Suite = () => Promise<
  readonly [errors: string | true, passed: number, skipped: number, total: number]
>

/** Told so before it is loaded, uvu leaves it to us to run what it collects. */
const collected: Suite[] = []
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [collected] })
const { test } = await import('uvu')

/** What the parent asks for. */
export interface Asked {
  readonly file: string
  /** Others come after it. */
  readonly isShared: boolean
}

interface Running {
  /** Undefined: nobody comes after it. */
  readonly before: SharedState | undefined
  isWaiting: boolean
  passed: number
  failed: number
  skipped: number
  readonly startedAtCpuMs: number
}

let running: Running | undefined

// All that is written goes one way, so that the order of things is what it was.
process.stderr.write = process.stdout.write.bind(process.stdout)

async function run(file: string, now: Running): Promise<void> {
  try {
    await import(pathToFileURL(file).href)
    for (let suite = collected.shift(); suite !== undefined; suite = collected.shift()) {
      const [errors, passed, skipped, total] = await suite()
      now.passed += passed
      now.skipped += skipped
      now.failed += total - passed
      if (errors !== true) console.log(`\n${errors}`)
      else if (passed < total) console.log('a hook of a suite threw: its tests did not run')
    }
  } catch (error) {
    console.log(error)
    // Nothing else ends what the file started before it threw.
    process.exit(1)
  }
  now.isWaiting = false
}

function judged({ before, isWaiting, startedAtCpuMs, ...counted }: Running): Count {
  const { passed, failed, skipped } = counted
  const changes = before === undefined ? [] : changesSince(before)
  const offences = changes.map((name) => `it left ${name} changed`)
  if (isWaiting) offences.push('it waits for something, and nothing is under way')
  else if (passed + failed + skipped === 0) offences.push('it ran no test')
  for (const offence of offences) console.log(offence)
  const cpuMs = processorTimeMs() - startedAtCpuMs
  return { passed, failed: failed + offences.length, skipped, cpuMs }
}

process.on('message', ({ file, isShared }: Asked) => {
  process.channel?.unref()
  const before = isShared ? sharedState() : undefined
  // A process that runs one file is charged with its own start too.
  const startedAtCpuMs = isShared ? processorTimeMs() : 0
  running = { before, isWaiting: true, passed: 0, failed: 0, skipped: 0, startedAtCpuMs }
  void run(file, running)
})

/** Nothing keeps the event loop alive: the file is over, and the next may come. */
process.on('beforeExit', () => {
  if (running === undefined) return
  process.stdout.write(countLine(judged(running)))
  // All files have one suite without a name: what was never run in it is not the next one's.
  test.run()
  collected.length = 0
  running = undefined
  process.channel?.ref()
})
process.channel?.ref()
