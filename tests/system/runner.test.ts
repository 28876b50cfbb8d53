/**
 * The runner of the tests: whatever a file does, it is that file that is told to have failed, and
 * those that share its process are counted as if it were not there.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Lane } from '../runner/lane.ts'

const directory = mkdtempSync(join(tmpdir(), 'runner-'))
/** A new process has time to start, however busy the machine. */
const parts = { env: process.env, fileTimeoutMs: 30_000 }
const lane = new Lane(parts)
test.after(async () => {
  await lane.end()
  rmSync(directory, { recursive: true })
})

let files = 0

/** A file with these lines, run in the process that all share. */
function ran(...lines: readonly string[]) {
  const file = join(directory, `${files++}.mjs`)
  writeFileSync(file, [`import { test } from '${import.meta.resolve('uvu')}'`, ...lines].join('\n'))
  return lane.run(file, true)
}

const passing = "test('is so', () => {}); test('too', () => {}); test.run()"

const hanging = 'a handle that stays open'

const failures: Readonly<Record<string, readonly [text: string, told: RegExp]>> = {
  'a test that fails': [
    "test('is not so', () => { throw new Error('no') }); test.run()",
    /is not so/,
  ],
  'a hook that throws': [
    "test.before(() => { throw 1 }); test('a', () => {}); test.run()",
    /a hook/,
  ],
  'a file that throws': ["throw new Error('at once')", /at once/],
  'a file without a test': ['export {}', /it ran no test/],
  'a forgotten run': ["test('is not so', () => {})", /it ran no test/],
  'an error that nobody catches': [
    "test('a', () => new Promise(() => setTimeout(() => { throw new Error('late') }))); test.run()",
    /late/,
  ],
  'an end of the process': ["test('a', () => process.exit(0)); test.run()", /the process ended: 0/],
  'a promise that nothing will settle': [
    "test('a', () => new Promise(() => {})); test.run()",
    /it waits for something/,
  ],
  [hanging]: [`setInterval(() => {}, 1_000); ${passing}`, /killed after 3 s/],
  'a variable that is set': [`process.env.LEFT = '1'; ${passing}`, /process\.env\.LEFT changed/],
  'a global name that is another': [
    `globalThis.fetch = 1; ${passing}`,
    /globalThis\.fetch changed/,
  ],
}

for (const [what, [text, told]] of Object.entries(failures)) {
  test(`${what} is a failure of that file alone`, async () => {
    if (what === hanging) parts.fileTimeoutMs = 3_000
    const failed = await ran(text)
    parts.fileTimeoutMs = 30_000
    assert.ok(failed.failed > 0, failed.output)
    assert.match(failed.output, told)
    const { passed, failed: none, output } = await ran(passing)
    assert.equal({ passed, none }, { passed: 2, none: 0 }, output)
  })
}

test('what is skipped is counted, and is no failure', async () => {
  const { passed, failed, skipped } = await ran("test.skip('not here', () => {}); test.run()")
  assert.equal({ passed, failed, skipped }, { passed: 0, failed: 0, skipped: 1 })
})

test('what went before it in its process is told with a failure', async () => {
  await ran(passing)
  const { output } = await ran("throw new Error('at once')")
  assert.match(output, new RegExp(`had run .*${files - 2}\\.mjs`))
})

test.run()
