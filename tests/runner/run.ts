/**
 * Runs the test files tier by tier, those that take long first, two at a time, of the last two
 * tiers four, and closes with one line `N passed, N failed`. Those of the units, of the laws and of
 * what asks another process share processes, but for those that measure time or play a browser;
 * every other file has its own. A file that crashes, hangs or runs no test counts as one failure.
 * `--unit`: the unit tier alone; `--long`: every `*.long.ts` too. `npm test -- word` runs the files
 * whose path has the word. Where CI is set, a file that failed runs once more, alone at the end:
 * both outputs are printed, and what passes then is called FLAKY, which is a bug to be found.
 * Tests that need PostgreSQL where there is none are skipped, which one line says.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { isCurrent, service } from '../../server/build/built.js'
import { Lane } from './lane.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isLong = args.includes('--long')
const words = args.filter((arg) => !arg.startsWith('--'))

/** In this order. What lies in none of the folders is of the first. */
const tiers = ['unit', 'laws', 'system', 'browser']

const tierOf = (file: string): number => Math.max(0, tiers.indexOf(file.split('/')[0] ?? ''))

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const has = (file: string, what: RegExp): boolean => what.test(textOf(file))

const isUnit = (file: string): boolean => tierOf(file) === 0

/** Itself, or what stands beside it and does the work of several. */
const measuresTime = (file: string): boolean =>
  [file, ...besideOf(file)].some((part) => has(part, /\/pace\.ts'/))

function besideOf(file: string): string[] {
  const named = [...textOf(file).matchAll(/'\.\/([^']+)'/g)]
  const beside = named.map(([, name]) => join(dirname(file), name ?? ''))
  return beside.filter((name) => everything.includes(name))
}

/**
 * What it measures is not to depend on what others left for the collector; a browser's names stay.
 */
const needsItsOwn = (file: string): boolean => measuresTime(file) || has(file, /\bplayBrowser\(/)

/** They ask a service that is a process of its own. */
const isAsking = (file: string): boolean => /^(?:browser|system\/acceptance)\//.test(file)

const isShared = (file: string): boolean =>
  (tierOf(file) < 2 || isAsking(file)) && !needsItsOwn(file)

const runsAgain = process.env['CI'] !== undefined

/** Each tier begins with those of its that are here, so that none runs alone at the end. */
const longest = [
  'unit/rest/notifications/webhook-retries.test.ts',
  'unit/rest/documents/purge.test.ts',
  'unit/rest/quotas/quotas.test.ts',
  'unit/server/sockets/registry.test.ts',
  'laws/core/overload.test.ts',
  'laws/doubling/doubling.test.ts',
  'laws/rest/odd-requests.test.ts',
  'laws/schema/markdown-laws.test.ts',
  'laws/core/merging.test.ts',
  'laws/web/converting-many.test.ts',
  'laws/law2.test.ts',
  'system/matrix/matrix.test.ts',
  'system/acceptance/running.test.ts',
  'system/secrets.test.ts',
  'system/flips.test.ts',
  'system/server/bursts.test.ts',
  'system/server/frame-fuzz.test.ts',
  'system/recover.test.ts',
  'system/postgres-service.test.ts',
  'system/persistence/postgres-faults.test.ts',
  'system/persistence/crash.test.ts',
  'system/kill.test.ts',
  'system/server/presence-flood.test.ts',
  'browser/live-offline.test.ts',
  'browser/account.test.ts',
  'browser/long-all.test.ts',
  'browser/find.test.ts',
  'browser/proxied.test.ts',
  'browser/carets.test.ts',
  'browser/long.test.ts',
  'browser/live.test.ts',
  'browser/axe.test.ts',
  'browser/suggesting.test.ts',
  'browser/live-refused.test.ts',
  'browser/share.test.ts',
  'browser/crowded.test.ts',
  'browser/threads.test.ts',
]
const placeOf = (file: string): number => {
  const place = longest.indexOf(file)
  return place < 0 ? longest.length : place
}

const everything = readdirSync(root, { recursive: true, encoding: 'utf8' })
const gone = longest.filter((name) => !everything.includes(name))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)

const files = everything
  .filter((name) => name.endsWith('.test.ts') || (isLong && name.endsWith('.long.ts')))
  .filter((name) => !args.includes('--unit') || isUnit(name))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort((a, b) => tierOf(a) - tierOf(b) || placeOf(a) - placeOf(b) || (a < b ? -1 : 1))

if (files.some((file) => tierOf(file) > 1) && !isCurrent(service)) {
  console.error('dist/ is not of these sources: npm run build')
  process.exit(1)
}

const parts = {
  env: { ...process.env, FORCE_COLOR: '0', NODE_ENV: 'test', ...(isLong && { LONG: '1' }) },
  fileTimeoutMs: isLong ? 3_600_000 : 300_000,
}

let passed = 0
let failed = 0
let skipped = 0
const again: string[] = []

async function run(lane: Lane, file: string, isSecondTime: boolean): Promise<void> {
  const result = await lane.run(join(root, file), isShared(file))
  const hasFailed = result.failed > 0
  const isFlaky = isSecondTime && !hasFailed
  const state = hasFailed ? 'FAIL ' : isFlaky ? 'FLAKY' : 'ok   '
  const [seconds, cpuSeconds] = [result.ms, result.cpuMs].map((ms) => (ms / 1000).toFixed(1))
  const times = `${seconds} s, processor ${cpuSeconds} s`
  console.log(`${state} ${file} (${result.passed} passed, ${times})`)
  const told = hasFailed ? result.output : result.output.match(/^seed .*$/gm)?.join('\n')
  if (told) console.log(told)
  if (hasFailed && !isSecondTime && runsAgain) again.push(file)
  else {
    passed += result.passed
    failed += result.failed
    skipped += result.skipped
  }
}

async function runAll(queue: string[], isSecondTime = false): Promise<void> {
  const lane = new Lane(parts)
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    await run(lane, file, isSecondTime)
  }
  await lane.end()
}

const lanes = Math.min(2, availableParallelism())
const isComputing = (file: string): boolean => tierOf(file) < 2
const computing = files.filter(isComputing)
const waiting = files.filter((file) => !isComputing(file))
await Promise.all(Array.from({ length: lanes }, () => runAll(computing)))
// Once, for a lane that finds it half unpacked by another takes it for a whole one.
if (waiting.some((file) => file.startsWith('browser/'))) await chromium.executablePath()
// These wait half of their time, for other processes and for what a page shows.
await Promise.all(Array.from({ length: 2 * lanes }, () => runAll(waiting)))
await runAll(again, true)
if (passed + failed === 0) failed = 1
if (skipped > 0) {
  console.log(`${skipped} skipped: they need PostgreSQL (npm ci brings it, or set DATABASE_URL)`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
