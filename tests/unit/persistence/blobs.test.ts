/** The store of blobs: named by their content, whole or not there, verified piece by piece. */
import { type FileHandle, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentBytes, pieceBytes } from '../../../persistence/blob-pieces.ts'
import { openBlobStore } from '../../../persistence/blob-store.ts'
import { StoreDamage } from '../../../persistence/store.ts'
import { blobSuite, listed } from './blob-suite.ts'
import { blobText, putBlob, rejection, runtime, scratchDirectory, text } from './fixtures.ts'

async function opened() {
  const directory = await scratchDirectory()
  const blobs = await openBlobStore({ directory, runtime })
  const fileOf = (id: string) => join(directory, id.slice(0, 2), id)
  return { directory, blobs, fileOf, end: () => rm(directory, { recursive: true }) }
}

blobSuite('blobs in files', opened)

test('the size of a file says that of its content, or that it is none', () => {
  for (const size of [0, 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes, 1_000_003]) {
    const file = size + 32 * Math.ceil(size / pieceBytes)
    assert.is(contentBytes(file), size)
  }
  for (const file of [1, 32, pieceBytes + 33, pieceBytes + 64]) {
    assert.is(contentBytes(file), undefined, `${file}`)
  }
})

test('what is not published is not there, nor after a crash; deleting twice is no change', async () => {
  const { directory, blobs, end } = await opened()
  const half = await blobs.create()
  await half.add(text('half'))
  const { id } = await half.finish()
  assert.is(await blobText(blobs, id), undefined)
  assert.equal(await listed(blobs), [])
  assert.is((await readdir(directory)).length, 1)
  const again = await openBlobStore({ directory, runtime })
  assert.equal(await readdir(directory), [])
  const whole = await putBlob(again, text('whole'))
  assert.equal(await listed(again), [whole])
  await again.delete(whole)
  await again.delete(whole)
  assert.equal(await listed(again), [])
  await end()
})

/** What is told to be on the disk from now on: files by their first bytes, directories by name. */
async function synced(directory: string) {
  const handle = await open(directory)
  const shared: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = shared
  const order: string[] = []
  shared.sync = async function (this: FileHandle) {
    await sync.call(this)
    const isFolder = (await this.stat()).isDirectory()
    order.push(isFolder ? 'folder' : 'file')
  }
  return {
    order,
    end: () => {
      shared.sync = sync
    },
  }
}

test('it is on the disk before it is found: its bytes, then its name, then its folder', async () => {
  const { directory, blobs, end } = await opened()
  const disk = await synced(directory)
  const fresh = await blobs.create()
  await fresh.add(text('whole'))
  const { id } = await fresh.finish()
  assert.equal(disk.order, ['file'])
  assert.is(await blobs.open(id), undefined)
  await fresh.publish()
  assert.ok(disk.order.filter((one) => one === 'folder').length >= 2, disk.order.join())
  assert.is(await blobText(blobs, id), 'whole')
  disk.end()
  await end()
})

test('damaged, short and swapped files are never served', async () => {
  const { blobs, fileOf, end } = await opened()
  const content = Buffer.alloc(3 * pieceBytes, 'x')
  const id = await putBlob(blobs, content)
  const other = await putBlob(blobs, text('other'))
  const whole = await readFile(fileOf(id))
  const damaged = async (bytes: Uint8Array) => {
    await writeFile(fileOf(id), bytes)
    return rejection(blobText(blobs, id))
  }
  const flipped = Buffer.from(whole)
  flipped[2 * pieceBytes] = 0
  assert.instance(await damaged(flipped), StoreDamage)
  const blob = await blobs.open(id)
  const first = await blob?.read(0, content.length).next()
  assert.is(first?.value?.length, pieceBytes, 'what is whole of it is served up to there')
  assert.instance(await damaged(whole.subarray(0, whole.length - 1)), StoreDamage)
  assert.instance(await damaged(await readFile(fileOf(other))), StoreDamage)
  assert.instance(await damaged(Buffer.alloc(0)), StoreDamage)
  await putBlob(blobs, content)
  assert.is((await blobText(blobs, id))?.length, content.length, 'putting it again mends it')
  await end()
})

test.run()
