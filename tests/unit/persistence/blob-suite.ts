/** What every store of blobs keeps to, as one suite. Knows no engine. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type BlobId, pieceBytes } from '../../../persistence/blob-pieces.ts'
import { compareBlobs } from '../../../persistence/blob-references.ts'
import type { BlobStore } from '../../../persistence/blob-store.ts'
import { blobReference } from '../../../persistence/keys.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import type { Slug } from '../../../schema/ids.ts'
import { Chance } from '../../chance.ts'
import { needing } from '../../postgres/databases.ts'
import { blobText, putBlob, rejection, runtime, text } from './fixtures.ts'

export interface OpenedBlobs {
  readonly blobs: BlobStore
  end(): Promise<void>
}

export async function listed(blobs: BlobStore): Promise<string[]> {
  const ids: string[] = []
  for await (const id of blobs.list()) ids.push(id)
  return ids
}

export function blobSuite(name: string, opened: () => Promise<OpenedBlobs>, isThere = true): void {
  const all = suite(name)
  const test = needing(all, isThere)

  test('a blob of any size is what was put, by any part of it', async () => {
    const { blobs, end } = await opened()
    const chance = new Chance(3)
    for (const size of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 5 * pieceBytes + 77]) {
      const content = Buffer.from(chance.bytes(size))
      const id = await putBlob(blobs, content)
      assert.is(id, await putBlob(blobs, content), 'the same content is the same blob')
      const blob = await blobs.open(id)
      assert.is(blob?.size, size)
      for (let round = 0; round < 20; round++) {
        const from = chance.below(size + 1)
        const to = from + chance.below(size + 1 - from)
        const pieces: Uint8Array[] = []
        for await (const piece of blob?.read(from, to) ?? []) pieces.push(piece)
        assert.ok(Buffer.concat(pieces).equals(content.subarray(from, to)), `${from} to ${to}`)
      }
    }
    assert.is((await listed(blobs)).length, 6)
    await end()
  })

  test('what is not published is not there; deleting twice is no change', async () => {
    const { blobs, end } = await opened()
    const half = await blobs.create()
    await half.add(text('half'))
    const { id } = await half.finish()
    assert.is(await blobText(blobs, id), undefined)
    assert.equal(await listed(blobs), [])
    await half.discard()
    const whole = await putBlob(blobs, text('whole'))
    assert.equal(await listed(blobs), [whole])
    await blobs.delete(whole)
    await blobs.delete(whole)
    assert.equal(await listed(blobs), [])
    assert.is(await blobText(blobs, whole), undefined)
    await end()
  })

  test('a name that is no id is a bug', async () => {
    const { blobs, end } = await opened()
    for (const id of [
      '',
      '.',
      '..',
      '../a',
      `${'a'.repeat(63)}/`,
      'A'.repeat(64),
      'a'.repeat(65),
    ]) {
      assert.instance(await rejection(blobs.open(id as BlobId)), TypeError, id)
      assert.instance(await rejection(blobs.delete(id as BlobId)), TypeError, id)
    }
    await end()
  })

  test('the same content published by many at once is one blob', async () => {
    const { blobs, end } = await opened()
    const content = Buffer.alloc(2 * pieceBytes + 3, 'same')
    const ids = await Promise.all(Array.from({ length: 6 }, () => putBlob(blobs, content)))
    assert.equal(await listed(blobs), [...new Set(ids)])
    assert.is((await blobText(blobs, ids[0] as BlobId))?.length, content.length)
    await end()
  })

  test('blobs without a reference and references without a blob are found', async () => {
    const { blobs, end } = await opened()
    const store = await openMemoryStore({ runtime })
    const chance = new Chance(5)
    const slug = '0123456789abcdefghij' as Slug
    const wrong: unknown[] = []
    for (let at = 0; at < 60; at++) {
      const id = await putBlob(blobs, text(`blob ${at}`))
      const references = chance.below(3)
      const puts = Array.from({ length: references }, (_, n) => ({
        key: blobReference(id, slug, `img_${n}`),
        value: text(''),
      }))
      await store.commit({ puts })
      const isGone = chance.below(3) === 0
      if (isGone) await blobs.delete(id)
      if (isGone && references > 0) wrong.push({ id, problem: 'missing' })
      if (!isGone && references === 0) wrong.push({ id, problem: 'unreferenced' })
    }
    const found: { id: string }[] = []
    for await (const finding of compareBlobs(store, blobs)) found.push(finding)
    const byId = (one: unknown) => (one as { id: string }).id
    assert.equal(
      found,
      wrong.sort((a, b) => (byId(a) < byId(b) ? -1 : 1)),
    )
    assert.ok(found.length > 10)
    await store.close()
    await end()
  })

  all.run()
}
