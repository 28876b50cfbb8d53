/** Documents of one of several nodes, when the node loses a document's lease. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DocumentDamage } from '../../../../../core/commit/damage.ts'
import type { Hosts } from '../../../../../core/documents/front/hosts.ts'
import { LeasedHosts } from '../../../../../core/documents/front/leased-hosts.ts'
import { Leases } from '../../../../../core/nodes/leases.ts'
import { openMemoryStore } from '../../../../../persistence/index.ts'
import { documentLease } from '../../../../../persistence/keys.ts'
import { Refusal } from '../../../../../schema/errors.ts'
import type { Slug } from '../../../../../schema/ids.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'

const slug = '00000000000000000000' as Slug
const damage = new DocumentDamage(slug, 'the log does not end where the head says')

/** What a call answers whose document looks damaged; `isLost`: the lease is lost meanwhile. */
async function answerOf(isLost: boolean): Promise<unknown> {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const membership = { id: 'node_a', isJoined: true, find: () => Promise.resolve(undefined) }
  const leases = new Leases({ store, membership })
  const use: Hosts['use'] = () => {
    if (isLost) leases.clear()
    return Promise.reject(damage)
  }
  const hosts = new LeasedHosts({
    hosts: { use } as Hosts,
    leases,
    runtime,
    remote: () => {
      throw new TypeError('no other node holds it')
    },
    onTrouble: () => assert.unreachable(),
  })
  try {
    const failed = await hosts.use(slug, async () => undefined).catch((error: unknown) => error)
    assert.is(leases.has(documentLease(slug)), !isLost)
    return failed
  } finally {
    await store.close()
  }
}

test('a document that looks damaged because another node was writing is unavailable', async () => {
  const failed = await answerOf(true)
  assert.instance(failed, Refusal)
  assert.is((failed as Refusal).code, 'UNAVAILABLE')
})

test('a document that is damaged is said to be', async () => {
  assert.is(await answerOf(false), damage)
})

test.run()
