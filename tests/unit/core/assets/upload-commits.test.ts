/** Commits of uploads: what is stored with them, and what becomes of a conflict. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commitUpload } from '../../../../core/assets/commits.ts'
import { AttachedConflict } from '../../../../core/commit/attached-records.ts'
import { encodeHead } from '../../../../core/commit/head.ts'
import { docHead } from '../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../persistence/memory-store.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { SimulatedRuntime } from '../../../simulated-runtime.ts'

const slug = '0123456789abcdefghij' as Slug
const value = new Uint8Array([1])

async function storeWithDocument() {
  const store = await openMemoryStore({ runtime: new SimulatedRuntime() })
  const head = encodeHead({
    ...{ format: 1, revision: 1, seq: 0, chain: '', snapshotSeq: 0, snapshotHash: '' },
    ...{ textRevision: 1, tally: { count: 0, hash: '0'.repeat(16) }, createdAt: 0, changedAt: 0 },
    ...{ linkAccess: { mode: 'restricted', role: 'viewer' }, readOnly: false },
    ...{ commentsDisabled: false, life: { state: 'active' } },
  })
  await store.commit({ puts: [{ key: docHead(slug), value: head }] })
  return store
}

test('what is attached is stored with the upload, or nothing of both', async () => {
  const store = await storeWithDocument()
  const upload = (made: string) =>
    commitUpload(
      store,
      {
        slug,
        permission: undefined,
        attached: {
          checks: [{ key: 'outcome', version: undefined }],
          puts: (of: string) => [{ key: 'outcome', value: new TextEncoder().encode(of) }],
        },
      },
      async (plan) => {
        plan.put([{ key: made, value }])
        return made
      },
    )
  assert.is(await upload('first'), 'first')
  const second = await upload('second').then(
    () => undefined,
    (error: unknown) => error,
  )
  // Whoever retries under the same key asks for the outcome again, and gets the first one's.
  assert.instance(second, AttachedConflict)
  assert.is(await store.get('second'), undefined)
  assert.is(new TextDecoder().decode((await store.get('outcome'))?.value), 'first')
  await store.close()
})

test.run()
