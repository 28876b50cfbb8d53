/** Architecture, several nodes: after a failover of the database the store has another epoch. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { skippedEntries } from '../../../core/outbox/skipped-entries.ts'
import { records } from '../../../core/records/records.ts'
import { currentEpoch } from '../../../persistence/epoch.ts'
import { metaKey } from '../../../persistence/keys.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'

test('the first look at a timeline keeps the epoch, and another timeline renews it once', async () => {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  let timeline = '00000001'
  Object.assign(store, { timeline: async () => timeline })
  const look = () => currentEpoch(store, runtime, skippedEntries)
  const first = await look()
  assert.is(await look(), first)
  timeline = '00000002'
  const [one, other] = await Promise.all([look(), look()])
  assert.is(one, other, 'two nodes that look at once agree')
  assert.is.not(one, first)
  assert.is(await look(), one)
  await store.close()
})

test('§13 numbers of inbox entries that may have been given are not given again', async () => {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const key = metaKey('last-entry')
  await store.commit({ puts: [{ key, value: records.lastEntry.encode({ id: 41 }) }] })
  let timeline = '00000001'
  Object.assign(store, { timeline: async () => timeline })
  await currentEpoch(store, runtime, skippedEntries)
  timeline = '00000002'
  await currentEpoch(store, runtime, skippedEntries)
  const stored = await store.get(key)
  assert.ok(stored && records.lastEntry.decode(stored.value).id > 1_000_000)
  await store.close()
})

test.run()
