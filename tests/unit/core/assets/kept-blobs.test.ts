/** Blobs in one PostgreSQL that several nodes keep and release at the same time. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Images } from '../../../../core/assets/images.ts'
import { KeptBlobs } from '../../../../core/assets/kept-blobs.ts'
import { encodeHead } from '../../../../core/commit/head.ts'
import type { ImageRecord } from '../../../../core/records/records.ts'
import { ConcurrencyLimit } from '../../../../core/turns/concurrency-limit.ts'
import { compareBlobs } from '../../../../persistence/blob-references.ts'
import type { BlobStore } from '../../../../persistence/blob-store.ts'
import { docHead } from '../../../../persistence/keys.ts'
import { openPostgresStore } from '../../../../persistence/postgres/postgres-store.ts'
import type { Store } from '../../../../persistence/store.ts'
import type { ActorId, Slug } from '../../../../schema/ids.ts'
import { Chance } from '../../../chance.ts'
import { png, pngChunk } from '../../../pictures.ts'
import { needing, newDatabase } from '../../../postgres/databases.ts'
import { runtime, scratchDirectory } from '../../persistence/fixtures.ts'

const testOf = needing(test)
const slug = '0123456789abcdefghij' as Slug

/** What happens at a node before it does something; once each. */
interface Before {
  delete?: (() => Promise<unknown>) | undefined
  commit?: (() => Promise<unknown>) | undefined
}

class Node {
  readonly before: Before = {}
  readonly blobs: BlobStore
  readonly kept: KeptBlobs
  readonly #images: Images

  constructor(store: Store, blobs: BlobStore) {
    const first = async (what: keyof Before) => {
      const work = this.before[what]
      this.before[what] = undefined
      await work?.()
    }
    this.blobs = blobs
    const hooked = hookedOn(store, 'commit', () => first('commit'))
    this.kept = new KeptBlobs(
      hooked,
      hookedOn(blobs, 'delete', () => first('delete')),
    )
    const writing = new ConcurrencyLimit(runtime, 4)
    this.#images = new Images({ store: hooked, runtime, blobs: this.kept, writing })
  }

  async add(picture: Uint8Array): Promise<ImageRecord> {
    const file = await this.blobs.scratch()
    await file.add(picture)
    const actor = 'human:1' as ActorId
    try {
      const image = { type: 'image/png', file, actor, permission: undefined } as const
      return await this.#images.add(slug, image)
    } finally {
      await file.discard()
    }
  }

  delete({ id }: ImageRecord): Promise<void> {
    return this.#images.delete(slug, id, undefined)
  }

  async bytes(image: ImageRecord): Promise<number> {
    let bytes = 0
    for await (const piece of (await this.#images.open(image)).read(0, image.size)) {
      bytes += piece.length
    }
    return bytes
  }
}

function hookedOn<T extends object>(target: T, method: keyof T, first: () => Promise<void>): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== method) return value.bind(target)
      return async (...args: unknown[]) => {
        await first()
        return value.apply(target, args)
      }
    },
  })
}

/** Two nodes on one database that has one document. */
async function twoNodes(work: (one: Node, other: Node, store: Store) => Promise<void>) {
  const database = await newDatabase()
  const opened = await Promise.all(
    [0, 1].map(async () => {
      const directory = await scratchDirectory()
      const store = await openPostgresStore({ url: database.url, runtime })
      return { directory, store, node: new Node(store, await store.openBlobs(directory)) }
    }),
  )
  const [one, other] = opened
  if (one === undefined || other === undefined) throw new TypeError('two nodes')
  const head = encodeHead({
    ...{ format: 1, revision: 1, seq: 0, chain: '', snapshotSeq: 0, snapshotHash: '' },
    ...{
      textRevision: 1,
      tally: { count: 0, hash: '0'.repeat(16) },
      createdAt: 0,
      changedAt: 0,
      linkAccess: { mode: 'restricted', role: 'viewer' },
    },
    ...{ readOnly: false, commentsDisabled: false, life: { state: 'active' } },
  })
  try {
    await one.store.commit({ puts: [{ key: docHead(slug), value: head }] })
    await work(one.node, other.node, one.store)
  } finally {
    for (const { store, directory } of opened) {
      await store.close()
      await rm(directory, { recursive: true })
    }
    await database.drop()
  }
}

async function problems(store: Store, { blobs }: Node): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const finding of compareBlobs(store, blobs)) found.push(finding)
  return found
}

testOf('a blob that another node keeps while this one deletes it stays', () =>
  twoNodes(async (one, other, store) => {
    const image = await one.add(png())
    let again: ImageRecord | undefined
    one.before.delete = async () => {
      again = await other.add(png())
    }
    await one.delete(image)
    assert.is(again?.blob, image.blob)
    assert.is(again && (await other.bytes(again)), image.size)
    assert.equal(await problems(store, one), [])
    assert.is(one.before.delete, undefined, 'it was about to be deleted')
  }),
)

testOf(
  'a blob that another node sweeps before the record that names it is there all the same',
  () =>
    twoNodes(async (one, other, store) => {
      let swept = 0
      one.before.commit = async () => {
        swept = await other.kept.sweep()
      }
      const image = await one.add(png())
      assert.is(swept, 1)
      assert.is(await one.bytes(image), image.size)
      assert.equal(await problems(store, one), [])
    }),
)

testOf('no blob is missing, and none is left over, whatever two nodes keep and release', () =>
  twoNodes(async (one, other, store) => {
    const chance = new Chance(1)
    const pictures = [png(), png(pngChunk('prVt', chance.bytes(200_000)))]
    let deleted = 0
    const work = async (node: Node, of: Chance) => {
      for (let round = 0; round < 20; round++) {
        const image = await node.add(of.pick(pictures) ?? png())
        assert.is(await node.bytes(image), image.size)
        await node.delete(image)
        deleted += 1
        if (of.below(8) === 0) await node.kept.sweep()
      }
    }
    await Promise.all([one, other, one, other].map((node, at) => work(node, new Chance(at))))
    assert.is(deleted, 80)
    assert.equal(await problems(store, one), [])
    const image = await other.add(png())
    assert.is(await one.bytes(image), image.size)
  }),
)

test.run()
