/**
 * A process that is killed while it commits loses nothing it acknowledged. LONG=1 kills ten times
 * as often.
 */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore } from '../../../persistence/level-store.ts'
import { Chance } from '../../chance.ts'
import { startChild } from '../../child.ts'
import { runtime, scratchDirectory } from '../../unit/persistence/fixtures.ts'

const kills = process.env['LONG'] === undefined ? 3 : 50
const seed = 7
const child = fileURLToPath(new URL('crash-child.ts', import.meta.url))

/**
 * Runs the child until it acknowledged `count` commits, kills it, and gives all it acknowledged.
 */
async function acknowledgedBeforeKill(args: readonly string[], count: number): Promise<number[]> {
  const process_ = startChild({ file: child, args, env: process.env })
  process_.stderr.pipe(process.stderr, { end: false })
  const closed = once(process_, 'close')
  const acknowledged: number[] = []
  for await (const line of createInterface({ input: process_.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === count) process_.kill('SIGKILL')
  }
  const [, signal] = await closed
  assert.is(signal, 'SIGKILL')
  return acknowledged
}

test('kill -9 while committing: every acknowledged record is there', async () => {
  const chance = new Chance(seed)
  const directory = await scratchDirectory()
  const acknowledged = new Set<number>()
  let first = 0
  for (let kill = 0; kill < kills; kill++) {
    const writers = kill % 2 === 0 ? 1 : 30
    const args = [directory, String(first), String(writers)]
    for (const number of await acknowledgedBeforeKill(args, 50 + chance.below(1500))) {
      acknowledged.add(number)
    }
    const store = await openLevelStore({ directory, runtime })
    const present = new Set<number>()
    for await (const { key, value } of store.scan({ gte: 'record/', lt: 'record0' })) {
      const number = Number(key.slice('record/'.length))
      present.add(number)
      assert.is(value.length, `${number} `.length * (1 + (number % 2000)))
    }
    for (const number of acknowledged) assert.ok(present.has(number), `${number} is lost`)
    first = Math.max(...present) + 1
    await store.close()
  }
  assert.ok(acknowledged.size > kills * 50)
  console.log(`\nseed ${seed} kills: ${kills}, acknowledged ${acknowledged.size}, lost 0`)
  await rm(directory, { recursive: true })
})

test.run()
