/**
 * The key layout: distinct, ordered as promised, closed against what users send, and readable back.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as keys from '../../../persistence/keys.ts'
import type { RawRecord } from '../../../persistence/level-scan.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { Quarantine, textOfKey } from '../../../persistence/quarantine.ts'
import type { Range } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import { runtime, text } from './fixtures.ts'

const slug = '0123456789abcdefghij' as Slug
const other = '0123456789abcdefghik' as Slug
const seed = 11
const runs = 1000

test('the layout is the one that stores are written in', () => {
  assert.equal(
    [
      keys.docHead(slug),
      keys.docSnapshot(slug),
      keys.docLog(slug, 12),
      keys.docView(slug),
      keys.docRecord(slug, 'client', [4_294_967_295]),
      keys.docRecord(slug, 'exception', [1, 2]),
      keys.docRecord(slug, 'ledger', [3]),
      keys.docRecord(slug, 'move', [4]),
      keys.docRecord(slug, 'tombstone', ['bid_0123456789abcdef']),
      keys.docHistory(slug, 7),
      keys.docText(slug, 7),
    ],
    [
      'head',
      'snap',
      'log/000000000012',
      'view',
      'client/004294967295',
      'exception/000000000001/000000000002',
      'ledger/000000000003',
      'move/000000000004',
      'tombstone/bid_0123456789abcdef',
      'history/000000000007',
      'text/000000000007',
    ].map((rest) => `doc/${slug}/${rest}`),
  )
  assert.is(keys.tokenBySha256('a'.repeat(64)), `token/${'a'.repeat(64)}`)
  assert.is(keys.handleKey('ann'), 'handle/ann')
  assert.match(keys.idempotencyKey('human:ann', '../x'), /^idempotency\/human%3Aann\/[0-9a-f]{64}$/)
})

test('numbers order as numbers, and out of range is a bug', () => {
  fc.assert(
    fc.property(fc.nat(1e11), fc.nat(1e11), (a, b) => {
      assert.is(Math.sign(a - b), Math.sign(compare(keys.docLog(slug, a), keys.docLog(slug, b))))
    }),
    { seed, numRuns: runs },
  )
  for (const number of [-1, 0.5, 1e12, Number.NaN]) {
    assert.throws(() => keys.docLog(slug, number), TypeError)
  }
  assert.throws(() => keys.docHead('../etc' as Slug), TypeError)
  assert.throws(() => keys.tokenBySha256('secret'), TypeError)
})

test('no outside text leaves its segment, and different texts have different keys', () => {
  const outside = fc.string({ unit: fc.constantFrom('/', '%', 'a', '.', '\u0000', '語', '2F') })
  fc.assert(
    fc.property(outside, outside, (a, b) => {
      fc.pre(a !== '' && b !== '')
      const key = keys.indexKey('by-name', a, b)
      assert.is(key.split('/').length, 4)
      assert.equal(keys.parseKey(key), { kind: 'index', path: ['by-name', a, b] })
      assert.is(a === b, keys.idempotencyKey('i', a) === keys.idempotencyKey('i', b))
      assert.is(a === b, keys.idempotencyKey(a, 'k') === keys.idempotencyKey(b, 'k'))
    }),
    { seed, numRuns: runs },
  )
  console.log(`\nseed ${seed} key segments: ${runs} runs`)
})

test('parseKey names what a key is, or that it is none', () => {
  assert.equal(keys.parseKey(keys.docLog(slug, 12)), {
    kind: 'doc',
    slug,
    section: 'log',
    path: ['000000000012'],
  })
  assert.equal(keys.parseKey(keys.docHead(slug)), { kind: 'doc', slug, section: 'head', path: [] })
  assert.equal(keys.parseKey(keys.metaKey('epoch')), { kind: 'meta', path: ['epoch'] })
  for (const key of [
    'doc',
    'doc/',
    'doc/x/head',
    `doc/${slug}`,
    `doc/${slug}/x`,
    'x/y',
    'meta//a',
  ]) {
    assert.is(keys.parseKey(key), undefined, key)
  }
})

test('ranges hold one document, one section, one index, and no neighbour', async () => {
  const store = await openMemoryStore({ runtime })
  const inside = [
    keys.docRecord(slug, 'client', [1]),
    keys.docHead(slug),
    keys.docLog(slug, 9),
    keys.docLog(slug, 10),
  ]
  const outside = [keys.docLog(other, 1), keys.indexKey('x', 'a', 1), keys.indexKey('xy', 'a', 1)]
  await store.commit({ puts: [...inside, ...outside].map((key) => ({ key, value: text('') })) })
  const found = async (range: object) => {
    const keysFound: string[] = []
    for await (const { key } of store.scan(range)) keysFound.push(key)
    return keysFound
  }
  assert.equal(await found(keys.docRange(slug)), inside)
  assert.equal(await found(keys.docSectionRange(slug, 'log')), inside.slice(2))
  assert.equal(await found(keys.docLogFrom(slug, 10)), inside.slice(3))
  assert.equal(await found(keys.indexRange('x')), [keys.indexKey('x', 'a', 1)])
  assert.equal(await found(keys.kindRange('meta')), [keys.metaKey('epoch'), keys.metaKey('format')])
})

test('all documents are found by leaps, also past keys of no layout', async () => {
  const store = await openMemoryStore({ runtime })
  const wanted = [keys.docLog(slug, 1), keys.docHead(slug), keys.docHead(other)]
  const odd = ['doc/', 'doc//x', 'doc/!', 'doc/zz/x', 'doc0', 'doc']
  await store.commit({ puts: [...wanted, ...odd].map((key) => ({ key, value: text('') })) })
  const found: Slug[] = []
  for await (const each of keys.allDocSlugs(store)) found.push(each)
  assert.equal(found, [slug, other])
})

test('all documents are found past keys out of service whose last one is no text', async () => {
  const store = await openMemoryStore({ runtime })
  await store.commit({ puts: [keys.docHead(other)].map((key) => ({ key, value: text('') })) })
  const { gte } = keys.docRange(slug)
  const span = {
    from: Buffer.from(gte),
    to: Buffer.concat([Buffer.from(gte), Buffer.from([0xff])]),
  }
  const quarantine = new Quarantine([span])
  const scanRaw = async function* (range: Range): AsyncGenerator<RawRecord> {
    const [met] = quarantine.within(range)
    if (met === undefined) yield* store.scanRaw(range)
    else yield { key: textOfKey(met.from), damaged: true, upTo: Buffer.from(met.to).toString() }
  }
  const found: Slug[] = []
  for await (const each of keys.allDocSlugs({ ...store, scanRaw })) found.push(each)
  assert.equal(found, [other])
})

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

test.run()
