/**
 * The contract holds on several nodes behind a proxy that picks at random: the acceptance tests
 * run once more, each service in them being nodes on one PostgreSQL. LONG=1 runs all of them that
 * do not look at a LevelDB, on three nodes.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { needing } from '../../postgres/databases.ts'

const isLong = process.env['LONG'] !== undefined
const root = fileURLToPath(new URL('../../..', import.meta.url))
const few = ['changes', 'edits', 'replay']
const many = [
  ...few,
  ...['accounts', 'conflict-bodies', 'edit-shapes', 'empty-bodies', 'freshness', 'identify'],
  ...['offsets', 'people', 'read', 'stale-edits', 'structure'],
]

needing(test)('the acceptance tests pass on several nodes', async () => {
  const files = (isLong ? many : few).map((name) => `system/acceptance/${name}.test`)
  const also = isLong ? ['system/kill-webhooks', 'system/kill-discussion', 'system/crowd'] : []
  const run = ['--import', 'tsx', 'tests/runner/run.ts', ...files, ...also]
  const child = spawn(process.execPath, run, {
    cwd: root,
    env: { ...process.env, TEST_NODES: isLong ? '3' : '2' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.is(code, 0, output)
  const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(output.slice(-200)) ?? []
  assert.ok(Number(passed) > 80 && failed === '0', output.slice(-500))
})

test.run()
