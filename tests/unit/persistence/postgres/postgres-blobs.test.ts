/** Blobs in PostgreSQL: the suite, and what damage of a row does. */
import { readdir, rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pieceBytes } from '../../../../persistence/blob-pieces.ts'
import { openPostgresStore } from '../../../../persistence/postgres/postgres-store.ts'
import { StoreDamage } from '../../../../persistence/store.ts'
import { ask, hasPostgres, needing, newDatabase } from '../../../postgres/databases.ts'
import { blobSuite } from '../blob-suite.ts'
import { blobText, putBlob, rejection, runtime, scratchDirectory, text } from '../fixtures.ts'

async function opened() {
  const [directory, database] = await Promise.all([scratchDirectory(), newDatabase()])
  const store = await openPostgresStore({ url: database.url, runtime })
  const blobs = await store.openBlobs(directory)
  const end = async () => {
    await store.close()
    await database.drop()
    await rm(directory, { recursive: true })
  }
  return { blobs, store, directory, end, ask: (sql: string) => ask(database.url, sql) }
}

blobSuite('blobs in PostgreSQL', opened, hasPostgres)

const testOf = needing(test)

testOf(
  'damaged, missing and exchanged pieces are never served; putting it again mends it',
  async () => {
    const { blobs, end, ask } = await opened()
    const content = Buffer.concat(['a', 'b', 'c'].map((one) => Buffer.alloc(pieceBytes, one)))
    const id = await putBlob(blobs, content)
    const rows = `scriptorium.blob_pieces SET`
    const harms = [
      `UPDATE ${rows} bytes = set_byte(bytes, 5, 0) WHERE at = 1`,
      `UPDATE ${rows} bytes = substr(bytes, 2) WHERE at = 2`,
      'DELETE FROM scriptorium.blob_pieces WHERE at = 1',
      'DELETE FROM scriptorium.blob_pieces WHERE at = 2',
      `UPDATE ${rows} bytes = (SELECT bytes FROM scriptorium.blob_pieces WHERE at = 0) WHERE at = 2`,
      'UPDATE scriptorium.blobs SET size = size + 1',
      'UPDATE scriptorium.blobs SET hashes = set_byte(hashes, 40, 0)',
    ]
    for (const harm of harms) {
      await ask(harm)
      assert.instance(await rejection(blobText(blobs, id)), StoreDamage, harm)
      assert.is(await putBlob(blobs, content), id)
      assert.is((await blobText(blobs, id))?.length, content.length, harm)
    }
    await end()
  },
)

testOf(
  'nothing of a blob stays on this machine once it is published, or after a crash',
  async () => {
    const { blobs, store, directory, end } = await opened()
    await putBlob(blobs, text('published'))
    assert.equal(await readdir(directory), [])
    await (await blobs.create()).add(text('half'))
    assert.is((await readdir(directory)).length, 1)
    await store.openBlobs(directory)
    assert.equal(await readdir(directory), [])
    await end()
  },
)

test.run()
