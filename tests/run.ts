/**
 * Runs every `*.test.ts` below this folder (`--long`: every `*.long.ts` too), each in its own
 * process, two at a time, and closes with one line `N passed, N failed`. A file that crashes,
 * hangs or runs no test counts as one failure. `npm test -- word` runs the files whose path has
 * the word. Where CI is set, a browser's file that failed runs once more, alone at the end: both
 * outputs are printed, and what passes then is called FLAKY, to be looked into.
 */
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const args = process.argv.slice(2)
const long = args.includes('--long')
const words = args.filter((arg) => !arg.startsWith('--'))
const fileTimeoutMs = long ? 3_600_000 : 300_000

/** A browser's own timing is not in our hands; that of everything else is. */
const mayRunAgain = (file: string): boolean =>
  process.env['CI'] !== undefined && relative(root, file).startsWith('web')

interface FileResult {
  file: string
  passed: number
  failed: number
  output: string
  ms: number
}

function runFile(file: string): Promise<FileResult> {
  const started = performance.now()
  return new Promise((resolve) => {
    const env = { ...process.env, FORCE_COLOR: '0', NODE_ENV: 'test', ...(long && { LONG: '1' }) }
    const child = startChild({ file, env })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    const timer = setTimeout(() => {
      output += `\nkilled after ${fileTimeoutMs / 1000} s: a test hangs or a handle stays open\n`
      child.kill('SIGKILL')
    }, fileTimeoutMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0)
      const passed = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0)
      const failed = code === 0 && total > 0 ? total - passed : Math.max(1, total - passed)
      resolve({ file, passed, failed, output, ms: performance.now() - started })
    })
  })
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') || (long && name.endsWith('.long.ts')))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort()
  .map((name) => join(root, name))

let passed = 0
let failed = 0
const again: string[] = []

async function run(file: string, isSecondTime: boolean): Promise<void> {
  const result = await runFile(file)
  const hasFailed = result.failed > 0
  const isFlaky = isSecondTime && !hasFailed
  const state = hasFailed ? 'FAIL ' : isFlaky ? 'FLAKY' : 'ok   '
  const seconds = (result.ms / 1000).toFixed(1)
  console.log(`${state} ${relative(root, file)} (${result.passed} passed, ${seconds} s)`)
  const told = hasFailed ? result.output : result.output.match(/^seed .*$/gm)?.join('\n')
  if (told) console.log(told)
  if (hasFailed && !isSecondTime && mayRunAgain(file)) again.push(file)
  else {
    passed += result.passed
    failed += result.failed
  }
}

const queue = [...files]
await Promise.all(
  Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) await run(file, false)
  }),
)
for (const file of again) await run(file, true)
if (passed + failed === 0) failed = 1
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
