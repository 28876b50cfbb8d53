/** Extensions §13: an inbox that nobody reads stays bounded, and one who floods it gives way. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inboxEntriesMax } from '../../../core/outbox/inbox-room.ts'
import { openOutbox } from '../../../core/outbox/outbox.ts'
import { type NoticeRecord, records } from '../../../core/records/records.ts'
import { docHead, inboxBehind, kindRange, outboxKey, parseKey } from '../../../persistence/keys.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import { testRuntime } from '../../unit/core/documents/model/tree-desk.ts'
import { becomes } from '../../waiting.ts'

const slug = 'adocumentofitsown000' as Slug
const me = 'human:me' as ActorId
const max = inboxEntriesMax

async function scene() {
  const runtime = testRuntime()
  const store = await openMemoryStore({ runtime })
  await store.commit({ puts: [{ key: docHead(slug), value: new Uint8Array([1]) }] })
  const onTrouble = (error: unknown) => {
    throw error
  }
  const outbox = openOutbox({ store, runtime, onTrouble })
  let said = 0
  /** Each in a thread of its own, and delivered. */
  const mention = async (writers: readonly string[]) => {
    const puts = writers.map((actor) => {
      said += 1
      const to = [{ actor: me, events: ['mention'] }]
      const notice: NoticeRecord = { at: said, slug, actor, thread: `thr_${said}`, to }
      return { key: outboxKey(`n${said}`), value: records.notice.encode(notice) }
    })
    await store.commit({ puts })
    await becomes(async () => (await count(kindRange('outbox'))) === 0)
  }
  const count = async (range: ReturnType<typeof kindRange>) => {
    let found = 0
    for await (const _one of store.scan(range)) found += 1
    return found
  }
  const entries = async () => {
    const found = []
    for await (const { key, value } of store.scan(inboxBehind(me, 0))) {
      found.push({ ...records.entry.decode(value), id: Number(parseKey(key)?.path.at(-1)) })
    }
    return found
  }
  const indexed = () => count({ gt: `index/inbox-of/${slug}/`, lt: `index/inbox-of/${slug}0` })
  return { mention, entries, indexed, outbox, store, said: () => said }
}

const many = (writer: string, count: number) => Array.from({ length: count }, () => writer)

test('a flood is told by the count of its latest; what others said stays as it is', async () => {
  const { mention, entries, indexed, outbox, store } = await scene()
  await mention(['ai:first', 'human:ann', 'human:ann'])
  const flood = max * 2
  for (let left = flood; left > 0; left -= 500) {
    await mention(many('ai:flood', Math.min(left, 500)))
    assert.ok((await entries()).length <= max)
  }
  await mention(['human:late'])
  const kept = await entries()
  const of = (writer: string) => kept.filter(({ actor }) => actor === writer)
  assert.equal([of('ai:first').length, of('human:ann').length, of('human:late').length], [1, 2, 1])
  assert.ok(of('human:ann').every(({ count }) => count === 1))
  assert.is(
    of('ai:flood').reduce((sum, { count }) => sum + count, 0),
    flood,
    'each is told of, by an entry or in the count of one',
  )
  assert.is(await indexed(), kept.length)
  await outbox.close()
  await store.close()
})

test('a hundred who flood have a share each; of writers without end the oldest are counted', async () => {
  const { mention, entries, indexed, outbox, store, said } = await scene()
  await mention(['human:ann'])
  const hundred = Array.from({ length: 100 }, (_, n) => `ai:w${n}`)
  for (let n = 0; n < (max * 1.5) / 100; n++) await mention(hundred)
  const kept = await entries()
  assert.ok(kept.length <= max)
  assert.is(kept[0]?.actor, 'human:ann')
  for (let n = 0; n < (max * 2) / 500; n++) {
    await mention(Array.from({ length: 500 }, (_, each) => `ai:x${n}-${each}`))
  }
  const left = await entries()
  assert.ok(left.length <= max)
  assert.is(await indexed(), left.length)
  const acts = left.reduce((sum, { count, earlier = 0 }) => sum + count + earlier, 0)
  assert.is(acts, said(), 'each is told of, by an entry or in what one says of others')
  await outbox.close()
  await store.close()
})

test('of very many writers the one who floods gives way before the others', async () => {
  const { mention, entries, outbox, store } = await scene()
  const writers = Array.from({ length: max - 500 }, (_, n) => `human:w${n}`)
  for (let n = 0; n < writers.length; n += 500) await mention(writers.slice(n, n + 500))
  await mention(many('ai:flood', 400))
  const kept = await entries()
  const first = kept.findIndex(({ actor }) => actor === 'human:w0')
  const flood = kept.filter(({ actor }) => actor === 'ai:flood')
  assert.ok(flood.length < 400, `${flood.length}`)
  assert.is(
    flood.reduce((sum, { count }) => sum + count, 0),
    400,
  )
  const lost = kept.reduce((sum, { earlier = 0 }) => sum + earlier, 0)
  assert.is(kept.length - flood.length + lost, writers.length)
  assert.ok(first === 0 || lost > 0)
  await outbox.close()
  await store.close()
})

test.run()
