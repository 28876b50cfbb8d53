/** A node that was declared dead, and its leases: it holds nothing that it did not take anew. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Leases, NotJoined } from '../../../../core/nodes/leases.ts'
import { Membership } from '../../../../core/nodes/membership.ts'
import { openMemoryStore } from '../../../../persistence/index.ts'
import { documentLease, nodeKey } from '../../../../persistence/keys.ts'
import type { Store } from '../../../../persistence/store.ts'
import { wrappedStore } from '../../../../persistence/wrapped-store.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import { SimulatedRuntime } from '../../../simulated-runtime.ts'
import { becomes } from '../../../waiting.ts'

const lease = documentLease('00000000000000000000' as Slug)

function signal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}

/** `fenced` resolves when the node notices that it was declared dead; it joins after `goOn`. */
async function nodeOn(store: Store, runtime: SimulatedRuntime) {
  const [fenced, hasFenced] = signal()
  const [joining, goOn] = signal()
  const membership: Membership = new Membership({
    store,
    runtime,
    machine: 'm',
    publish: () => ({ hints: 0, used: {} }),
    onBeat: () => Promise.resolve(),
    onRefreshed: () => {},
    onFenced: () => {
      leases.clear()
      hasFenced()
      return joining
    },
    onNodeDead: () => {},
    onTrouble(error) {
      throw error
    },
  })
  const leases = new Leases({ store, membership })
  await membership.start()
  return { membership, leases, fenced, goOn }
}

test('a node that was declared dead takes nothing until it has joined again', async () => {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const { membership, leases, fenced, goOn } = await nodeOn(store, runtime)
  const { id } = membership
  await leases.take(lease)
  await store.commit({ checks: [], deletes: [nodeKey(id)] })
  await runtime.pass(limits.nodeHeartbeatMs)
  await fenced
  assert.not.ok(leases.has(lease))
  const refused = await leases.take(lease).catch((error: unknown) => error)
  assert.instance(refused, NotJoined)
  goOn()
  await becomes(async () => membership.isJoined)
  assert.is.not(membership.id, id)
  assert.not.ok(leases.has(lease))
  await leases.take(lease)
  assert.ok(leases.has(lease))
  await membership.leave()
  await store.close()
})

test('what a node was taking while it was declared dead is not its own', async () => {
  const runtime = new SimulatedRuntime()
  const memory = await openMemoryStore({ runtime })
  const [written, hasWritten] = signal()
  const [answering, answer] = signal()
  const store = wrappedStore(memory, {
    async commit(commit) {
      const result = await memory.commit(commit)
      if (commit.puts?.some(({ key }) => key === lease)) {
        hasWritten()
        await answering
      }
      return result
    },
  })
  const { membership, leases, fenced, goOn } = await nodeOn(store, runtime)
  const { id } = membership
  const taken = leases.take(lease).catch((error: unknown) => error)
  await written
  await memory.commit({ checks: [], deletes: [nodeKey(id)] })
  await runtime.pass(limits.nodeHeartbeatMs)
  await fenced
  answer()
  assert.instance(await taken, NotJoined)
  assert.not.ok(leases.has(lease))
  goOn()
  await becomes(async () => membership.isJoined)
  assert.not.ok(leases.has(lease))
  await membership.leave()
  await memory.close()
})

test.run()
