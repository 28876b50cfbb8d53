/** What a host that was lost leaves behind: nothing that is shown, held or written later. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HostClient, hostCallsMax } from '../../../../../core/documents/host/host-client.ts'
import type {
  FromHost,
  SessionBroadcast,
  ToHost,
} from '../../../../../core/documents/host/messages.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import type { KeyedValue, Range, Store } from '../../../../../persistence/store.ts'
import { newSlug } from '../../../../../schema/ids.ts'
import { observing, silentPeer } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'

const value = Uint8Array.of(1)

async function scene(wrap: (store: UnrulyStore) => Store = (store) => store) {
  const runtime = new SimulatedRuntime()
  const store = new UnrulyStore(await openMemoryStore({ runtime }))
  const posted: ToHost[] = []
  const client = new HostClient({
    name: 'small-0',
    store: wrap(store),
    runtime,
    post: (messages) => void posted.push(...messages),
    onTrouble: () => assert.unreachable('there is no trouble'),
    onGone: () => undefined,
    onGrown: () => undefined,
  })
  return { runtime, store, posted, client, slug: newSlug(runtime) }
}

const committing = (id: number, key: string, session = 0): FromHost => {
  const change = { revision: 2, event: 'edit', actors: [] }
  const told: SessionBroadcast = {
    kind: 'event',
    sessions: [session],
    event: { name: 'onChange', data: [change] },
  }
  const commit = { puts: [{ key, value }] }
  return { kind: 'store', id, op: 'commit', commit, shown: session === 0 ? [] : [told] }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code,
  )

test('a commit of a host that was declared lost is not written', async () => {
  const { client, store } = await scene()
  await client.lost(new Error('gone'))
  client.receive([committing(1, 'late')])
  await settled()
  assert.is(await store.get('late'), undefined)
})

test('a commit under way is written and shown to nobody; who waits is refused after it', async () => {
  const { client, store, slug, posted } = await scene()
  const changes: unknown[] = []
  const peer = { ...silentPeer, onChange: (change: unknown) => void changes.push(change) }
  const connected = client.connect(slug, observing, peer)
  await settled()
  const asked = posted[0]
  if (asked?.kind !== 'connect') throw new Error('no connect')
  const current = { revision: 1, readOnly: false, commentsDisabled: false }
  client.receive([{ kind: 'answer', id: asked.id, answer: { stateVector: value, current } }])
  await connected
  let refused: string | undefined
  void codeOf(client.call('settled', { slug } as never)).then((code) => {
    refused = code
  })
  const release = store.holdCommits()
  client.receive([committing(1, 'under-way', asked.session)])
  const lost = client.lost(new Error('gone'))
  await settled()
  assert.is(refused, undefined, 'what the commit does is not known yet')
  release()
  await lost
  await settled()
  assert.is(refused, 'UNAVAILABLE')
  assert.ok((await store.get('under-way')) !== undefined)
  assert.equal(changes, [])
  assert.is(await codeOf(client.call('settled', { slug } as never)), 'UNAVAILABLE')
})

test('a scan that a lost host began is ended', async () => {
  let ended = 0
  async function* records(): AsyncIterable<KeyedValue> {
    try {
      for (;;) yield { key: 'k', value: new Uint8Array(300_000), version: 1 } as never
    } finally {
      ended++
    }
  }
  const wrap = (store: UnrulyStore): Store =>
    Object.assign(Object.create(store), { scan: (_: Range) => records() })
  const { client, posted } = await scene(wrap)
  client.receive([
    { kind: 'store', id: 1, op: 'scan', scan: 1, range: { gte: 'a', lt: 'z' } } as never,
  ])
  await settled()
  assert.is(posted[0]?.kind, 'stored')
  await client.lost(new Error('gone'))
  assert.is(ended, 1)
})

test('100 sessions that come and go while the host is silent leave nothing behind', async () => {
  const { client, slug, posted } = await scene()
  const sessions = Array.from({ length: 100 }, () =>
    codeOf(client.connect(slug, observing, silentPeer)),
  )
  await settled()
  assert.is(posted.length, 100)
  assert.ok(client.isAsked)
  await client.lost(new Error('gone'))
  assert.equal(new Set(await Promise.all(sessions)), new Set(['UNAVAILABLE']))
  assert.not(client.isAsked)
})

test('more calls than a host may owe are refused at once', async () => {
  const { client, slug } = await scene()
  const asked = Array.from({ length: hostCallsMax }, () =>
    codeOf(client.call('settled', { slug } as never)),
  )
  assert.is(await codeOf(client.call('settled', { slug } as never)), 'UNAVAILABLE')
  await client.lost(new Error('gone'))
  await Promise.all(asked)
})

test.run()
