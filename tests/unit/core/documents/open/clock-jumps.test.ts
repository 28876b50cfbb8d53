/**
 * The clock is set back an hour or forward a day while things run that end after a time (interface
 * §4.5, extensions §4): nothing ends early, nothing is done twice, nothing lives for ever.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { outcomeRecords } from '../../../../../core/commit/kept-outcomes.ts'
import type { CreateRequest, Documents, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { Idempotency, idempotencyTtlMs } from '../../../../../core/documents/front/idempotency.ts'
import {
  RevisionWindow,
  revisionIdleMs,
} from '../../../../../core/documents/open/revision-window.ts'
import { openPeople, unusedTokenSweepEveryMs } from '../../../../../core/people.ts'
import {
  clockDriftMaxMs,
  clockJumpTrustedAfterMs,
  steadyRuntime,
} from '../../../../../core/runtime/steady-runtime.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'

const hour = 3_600_000
const day = 24 * hour
const jumps = [-hour, day]

const writer: Writer = { actor: 'ai:one' as ActorId, authMethod: 'token' }

async function world() {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { error: unknown }) => {
    throw error
  }
  const documents = openDocuments({ store, runtime, onTrouble })
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const slug = newSlug(runtime)
  const made: CreateRequest = {
    markdown: 'one\n',
    linkAccess,
    slug,
    writer,
    puts: [],
    replay: null,
  }
  await documents.create(made)
  return { runtime, store, documents, slug }
}

const keyed = (documents: Documents, slug: Slug, key = 'key') =>
  documents.patch(slug, {
    edits: [{ before: null, new_string: ' more' }],
    baseRevision: 1,
    writer,
    dryRun: false,
    idempotency: { identity: 'one', key, fingerprint: 'same' },
  })

for (const jump of jumps) {
  test(`a key has one effect though the clock is set by ${jump / hour} h`, async () => {
    const { runtime, documents, slug } = await world()
    const first = await keyed(documents, slug)
    runtime.setClock(jump)
    assert.is((await keyed(documents, slug)).revision, first.revision)
    await runtime.pass(hour)
    assert.is((await keyed(documents, slug)).revision, first.revision, 'after a sweep')
    runtime.setClock(-jump)
    assert.is((await keyed(documents, slug)).revision, first.revision, 'set right again')
    await documents.close()
  })

  test(`a clock set by ${jump / hour} h is followed when it stays so`, () => {
    const runtime = new SimulatedRuntime({ started: 0 })
    const steady = steadyRuntime(runtime)
    runtime.setClock(jump)
    assert.is(steady.now(), 0)
    void runtime.pass(clockJumpTrustedAfterMs - 1)
    assert.is(steady.now(), clockJumpTrustedAfterMs - 1)
    void runtime.pass(1)
    assert.is(steady.now(), clockJumpTrustedAfterMs + jump)
  })

  test(`an unused token does not end though the clock is set by ${jump / hour} h`, async () => {
    const runtime = new SimulatedRuntime()
    const store = await openMemoryStore({ runtime })
    const troubles: unknown[] = []
    const onTrouble = (error: unknown) => void troubles.push(error)
    const people = openPeople({ store, runtime, secretKey: Buffer.alloc(32, 3), onTrouble })
    const slug = newSlug(runtime)
    const asked = { slug, credential: undefined, displayName: undefined }
    const { puts, replay } = people.links.prepareCreation(asked).founding(undefined)
    await store.commit({ puts })
    const share = await people.access.authenticate(people.links.creatorAccess(replay).shareToken)
    if (share?.kind !== 'token') throw new Error('a share token is a token')
    const minted = await people.links.mintPersonal({ ...share, follows: false }, '10.0.0.1')
    runtime.setClock(jump)
    await runtime.pass(unusedTokenSweepEveryMs)
    assert.ok(await people.access.authenticate(minted))
    assert.equal(troubles, [])
    people.close()
  })

  test(`a revision ends in its time though the clock is set by ${jump / hour} h`, async () => {
    const runtime = new SimulatedRuntime()
    let sealed = 0
    const window = new RevisionWindow(runtime, () => {
      sealed++
    })
    window.touch([writer.actor])
    runtime.setClock(jump)
    await runtime.pass(revisionIdleMs - 1)
    assert.is(sealed, 0)
    await runtime.pass(1)
    assert.is(sealed, 1)
    assert.is(runtime.waiting, 0)
  })
}

test('small differences are followed at once', () => {
  const runtime = new SimulatedRuntime({ started: 0 })
  const steady = steadyRuntime(runtime)
  for (let minute = 1; minute <= 10; minute++) {
    runtime.setClock(clockDriftMaxMs)
    assert.is(steady.now(), minute * clockDriftMaxMs)
  }
})

test('an outcome that is written anew while the old one is swept stays', async () => {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const idempotency = new Idempotency(store, runtime)
  const record = (key: string) =>
    outcomeRecords(
      {
        claim: { identity: 'one', key, fingerprint: 'same' },
        expiresAt: runtime.now() + idempotencyTtlMs,
        check: { key: '', version: undefined },
      },
      { slug: newSlug(runtime), revision: 1, answer: {} },
    )
  const count = 1_200
  await store.commit({ puts: Array.from({ length: count }, (_, at) => record(`key ${at}`)).flat() })
  await runtime.pass(day)
  const { commit } = store
  let isFirst = true
  store.commit = async (asked) => {
    if (isFirst) {
      isFirst = false
      await commit.call(store, { puts: record('key 7') })
    }
    return commit.call(store, asked)
  }
  assert.is(await idempotency.sweep(), count - 1)
  await settled()
  const kept = await store.get(record('key 7')[0]?.key ?? '')
  assert.ok(kept !== undefined)
  assert.is(await idempotency.sweep(), 0)
})

test.run()
