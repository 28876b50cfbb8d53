/**
 * What scrub says of documents over their life (extensions §1): archived ones are whole, those that
 * are being deleted need not be, and names of revisions are records that are counted like others.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { verifyDocument } from '../../../../../core/documents/verify.ts'
import { docRecord, docSnapshot } from '../../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { scrubStore } from '../../../../../persistence/scrub.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../../../server/runtime.ts'

const writer: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }

async function archived() {
  const store = await openMemoryStore({ runtime })
  const documents = openDocuments({ store, runtime, onTrouble: () => undefined })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({ markdown: 'one\n', linkAccess, slug, writer, puts: [], replay: null })
  await documents.past.name(slug, 1, { name: 'First', permission: undefined })
  await documents.changeLife(slug, 'archive', { writer })
  await documents.close()
  const problem = () => verifyDocument(store, slug, runtime)
  const unknown = async () => {
    const found: string[] = []
    for await (const { key } of scrubStore(store)) found.push(key)
    return found
  }
  return { store, slug, problem, unknown }
}

test('an archived document is whole, and all its keys are known', async () => {
  const { problem, unknown } = await archived()
  assert.is(await problem(), undefined)
  assert.equal(await unknown(), [])
})

test('a name of a revision that vanished is noticed', async () => {
  const { store, slug, problem } = await archived()
  await store.commit({ deletes: [docRecord(slug, 'name', [1])] })
  assert.match(String(await problem()), /record of .* is missing/)
})

test('of what is being deleted anything may be gone', async () => {
  const { store, slug, problem, unknown } = await archived()
  const documents = openDocuments({ store, runtime, onTrouble: () => undefined })
  await documents.retire(slug)
  await documents.close()
  await store.commit({ deletes: [docSnapshot(slug), docRecord(slug, 'name', [1])] })
  assert.is(await problem(), undefined)
  assert.equal(await unknown(), [])
})

test.run()
