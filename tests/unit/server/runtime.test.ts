/** What the runtime keeps the process alive for: what is due soon, and nothing due later. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const runtime = fileURLToPath(new URL('../../../server/runtime.ts', import.meta.url))

/** What a process says before it ends by itself. */
function said(ms: number): string {
  const program = `import { systemRuntime } from ${JSON.stringify(runtime)}
    systemRuntime.after(${ms}, () => console.log('called'))`
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program]
  return execFileSync(process.execPath, options, { encoding: 'utf8' }).trim()
}

test('what is due in a few milliseconds is done before the process ends', () => {
  assert.is(said(4), 'called')
})

test('what is due later keeps nobody waiting', () => {
  assert.is(said(60_000), '')
})

test.run()
