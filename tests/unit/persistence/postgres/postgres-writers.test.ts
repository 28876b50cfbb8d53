/** Several stores on one PostgreSQL database: what each may rely on, and who may open it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../../persistence/postgres/postgres-store.ts'
import { scrubStore } from '../../../../persistence/scrub.ts'
import { type Check, type Store, StoreDamage, type Version } from '../../../../persistence/store.ts'
import { StoreUnavailable, UnknownLayout } from '../../../../persistence/store-errors.ts'
import { ask, needing, newDatabase, type TestDatabase } from '../../../postgres/databases.ts'
import { rejection, runtime, text, untext } from '../fixtures.ts'

const testOf = needing(test)

const openOn = ({ url }: TestDatabase) => openPostgresStore({ url, runtime })

async function withStores(run: (stores: Store[], database: TestDatabase) => Promise<void>) {
  const database = await newDatabase()
  const stores = await Promise.all([openOn(database), openOn(database), openOn(database)])
  try {
    await run(stores, database)
  } finally {
    for (const store of stores) await store.close()
    await database.drop()
  }
}

async function put(store: Store, key: string, value = key): Promise<Version> {
  const result = await store.commit({ puts: [{ key, value: text(value) }] })
  if (!result.ok) throw new TypeError('a commit without checks found a conflict')
  return result.version
}

testOf('stores that open an empty database at once share one layout and one epoch', () =>
  withStores(async (stores) => {
    const epochs = await Promise.all(stores.map((store) => store.get('meta/epoch')))
    assert.ok(epochs.every((epoch) => epoch !== undefined))
    assert.is(new Set(epochs.map((epoch) => untext(epoch?.value ?? text('')))).size, 1)
  }),
)

testOf('of stores that write one key each round exactly one wins', () =>
  withStores(async (stores) => {
    let version: Version | undefined
    for (let round = 0; round < 15; round++) {
      const checks = [{ key: 'head', version }]
      const puts = [{ key: 'head', value: text(`${round}`) }]
      const writes = stores.map((store) => store.commit({ checks, puts }))
      const winners = (await Promise.all(writes)).filter(({ ok }) => ok)
      assert.is(winners.length, 1, `round ${round}`)
      version = (await stores[0]?.get('head'))?.version
    }
  }),
)

/** Two commits, each of which checks what the other writes: at most one may be. */
async function skew(stores: readonly Store[], checkOf: (key: string) => Promise<Check>) {
  let both = 0
  let none = 0
  for (let round = 0; round < 25; round++) {
    const keys = [`${round}/a`, `${round}/b`]
    const checks = await Promise.all(keys.map(checkOf))
    const results = await Promise.all(
      keys.map((key, at) =>
        stores[at]?.commit({
          checks: checks.filter((check) => check.key !== key),
          puts: [{ key, value: text('written') }],
        }),
      ),
    )
    const written = results.filter((result) => result?.ok).length
    both += written === 2 ? 1 : 0
    none += written === 0 ? 1 : 0
  }
  assert.is(both, 0, 'two that exclude each other came')
  assert.ok(none < 25)
}

testOf('two stores cannot each write what the other saw absent', () =>
  withStores((stores) => skew(stores, async (key) => ({ key, version: undefined }))),
)

testOf('two stores cannot each write what the other saw at a version', () =>
  withStores((stores) =>
    skew(stores, async (key) => ({ key, version: await put(stores[2] as Store, key) })),
  ),
)

testOf('checks for absence leave nothing behind', () =>
  withStores(async ([store, other]) => {
    const absent = (key: string) => ({ checks: [{ key, version: undefined }] })
    assert.ok((await store?.commit(absent('a')))?.ok)
    assert.ok((await store?.commit({ ...absent('a'), deletes: ['a'] }))?.ok)
    assert.is(await other?.get('a'), undefined)
    await put(other as Store, 'a')
    assert.equal(await store?.commit(absent('a')), { ok: false, conflict: 'a' })
  }),
)

testOf('many stores that lock each other in turn all come through', () =>
  withStores(async (stores) => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const key of keys) await put(stores[0] as Store, key, '0')
    let written = 0
    const work = async (store: Store, turn: number) => {
      for (let round = 0; round < 12; round++) {
        const order = turn % 2 === 0 ? keys : keys.toReversed()
        const found = await store.getMany(order)
        const checks = order.map((key, at) => ({ key, version: found[at]?.version }))
        const puts = order.slice(round % 4).map((key) => ({ key, value: text(`${turn}`) }))
        if ((await store.commit({ checks, puts })).ok) written += 1
      }
    }
    await Promise.all(stores.map(work))
    assert.ok(written >= 12, `${written}`)
  }),
)

testOf('a damaged record is told of, kept out of ranges that go, and replaced by a write', () =>
  withStores(async ([store], database) => {
    if (store === undefined) return
    for (const key of ['outbox/a', 'outbox/b', 'outbox/c']) await put(store, key)
    const kv = 'UPDATE scriptorium.kv SET'
    await ask(database.url, `${kv} value = set_byte(value, 17, 0) WHERE key = 'outbox/a'`)
    await ask(database.url, `${kv} version = substr(version, 2) WHERE key = 'outbox/b'`)
    assert.instance(await rejection(store.get('outbox/a')), StoreDamage)
    const found: string[] = []
    for await (const { key, problem } of scrubStore(store)) found.push(`${key} ${problem}`)
    assert.equal(found.slice(0, 2), ['outbox/a damaged', 'outbox/b damaged'])
    assert.is(await store.deleteRange({ gte: 'outbox/', lt: 'outbox0' }), 1)
    await put(store, 'outbox/a', 'new')
    assert.is(untext((await store.get('outbox/a'))?.value ?? text('')), 'new')
  }),
)

testOf('a database of a newer layout is opened by nobody older', async () => {
  const database = await newDatabase()
  await (await openOn(database)).close()
  await ask(database.url, 'UPDATE scriptorium.layout SET version = 99')
  const refused = await rejection(openOn(database))
  assert.instance(refused, UnknownLayout)
  assert.match(String(refused), /layout 99.*run a newer version/)
  await database.drop()
})

testOf(
  'a database belongs to one key; a key that was made up takes no data that was there',
  async () => {
    const database = await newDatabase()
    const store = await openOn(database)
    const [ours, others] = [text('ours'), text('others')]
    assert.is(await store.belongsTo(ours, false), 'yes', 'an empty one is taken')
    assert.is(await store.belongsTo(ours, false), 'yes')
    assert.is(await store.belongsTo(others, true), 'other key')
    await put(store, 'doc/a')
    assert.is(await store.belongsTo(ours, false), 'yes')
    await ask(database.url, 'UPDATE scriptorium.layout SET key_check = NULL')
    assert.is(await store.belongsTo(others, false), 'unknown')
    assert.is(await store.belongsTo(others, true), 'yes')
    assert.is(await store.belongsTo(ours, true), 'other key')
    await store.close()
    await database.drop()
  },
)

testOf('a store whose epoch an operator took away has another one', async () => {
  const database = await newDatabase()
  const epochOf = async () => {
    const store = await openOn(database)
    const epoch = untext((await store.get('meta/epoch'))?.value ?? text(''))
    await store.close()
    return epoch
  }
  const before = await epochOf()
  assert.is(await epochOf(), before)
  await ask(database.url, `DELETE FROM scriptorium.kv WHERE key = 'meta/epoch'`)
  const after = await epochOf()
  assert.match(after, /^[0-9a-z]{20}$/)
  assert.is.not(after, before)
  await database.drop()
})

testOf('of two who claim an empty database at once one gets it', () =>
  withStores(async (_, database) => {
    const stores = await Promise.all([openOn(database), openOn(database)])
    const answers = await Promise.all(
      stores.map((store, at) => store.belongsTo(text(`key ${at}`), false)),
    )
    assert.equal(answers.sort(), ['other key', 'yes'])
    for (const store of stores) await store.close()
  }),
)

testOf('more scans than connections are open at once, and commits go on', () =>
  withStores(async ([store]) => {
    if (store === undefined) return
    const puts = Array.from({ length: 300 }, (_, at) => ({ key: `k${at}`, value: text('x') }))
    await store.commit({ puts })
    const range = { gte: 'k', lt: 'l' }
    const scans = Array.from({ length: 12 }, () => store.scan(range)[Symbol.asyncIterator]())
    for (const scan of scans) assert.is((await scan.next()).done, false)
    await put(store, 'k300')
    for (const scan of scans) {
      let count = 1
      while ((await scan.next()).done !== true) count += 1
      assert.is(count, 300)
    }
  }),
)

testOf('a database that is not there is said to be so', async () => {
  const parts = { url: 'postgres://nobody@127.0.0.1:1/none', runtime, waitMs: 1, startWaitMs: 50 }
  assert.instance(await rejection(openPostgresStore(parts)), StoreUnavailable)
})

test.run()
