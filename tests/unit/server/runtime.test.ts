/**
 * What the runtime keeps the process alive for: what is due soon, and nothing due later; and whom
 * turns of long work leave time.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../server/runtime.ts'

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

/** Milliseconds between one turn and the next. */
async function gaps(count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let turn = 0; turn <= count; turn++) {
    await new Promise<void>((resolve) => systemRuntime.inTurn(resolve))
    times.push(performance.now())
  }
  return times.slice(1).map((time, index) => time - (times[index] as number))
}

test('turns follow at once while nobody else works, and rest between while somebody does', async () => {
  const alone = await gaps(100)
  assert.ok(Math.min(...alone) < 0.5, 'nobody is waited for')
  let isOver = false
  const work = () => {
    const until = performance.now() + 0.3
    while (performance.now() < until);
    if (!isOver) setImmediate(work)
  }
  setImmediate(work)
  // It is known by the first turn that finds it.
  await gaps(3)
  const beside = await gaps(20)
  isOver = true
  const all = beside.reduce((sum, gap) => sum + gap, 0)
  assert.ok(all >= 20 * 0.9, `${all} ms for twenty`)
})

test('turns rest for a while after somebody worked live', async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  await gaps(3)
  assert.ok(Math.min(...(await gaps(50))) < 0.5, 'nobody works')
  systemRuntime.isLive()
  const all = (await gaps(20)).reduce((sum, gap) => sum + gap, 0)
  assert.ok(all >= 20 * 0.9, `${all} ms for twenty`)
})

test.run()
