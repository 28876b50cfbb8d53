/**
 * Copies all that a stopped service keeps from one engine into another. The target is marked until
 * everything in it was read back and compared, so that no service starts on a part; cut off, the
 * copy is run again and begins anew.
 */
import type { BlobStore } from './blob-store.ts'
import {
  type Content,
  contentOf,
  copyBlobs,
  copyRecords,
  countIntact,
  inService,
} from './copying.ts'
import { epochKey } from './epoch.ts'
import { formatKey, wholeFormat } from './format.ts'
import type { LevelStore } from './level-store.ts'
import type { Store } from './store.ts'

export interface CopySide {
  readonly store: Store | LevelStore
  readonly blobs: BlobStore
}

export interface CopyReport {
  readonly records: number
  readonly blobs: number
}

/** A copy has all of it, or fails: these are for an operator to read. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
}

/** What says that the copy is whole comes last. */
const atTheEnd = [formatKey, epochKey]

/** `to` was opened for a copy. Throws `CopyFailed`, and `StoreDamage` for what is damaged. */
export async function copyStore(from: CopySide, to: CopySide): Promise<CopyReport> {
  if ('quarantine' in from.store && from.store.quarantine.length > 0) {
    throw new CopyFailed('the source has quarantined keys: run `npm run recover -- FROM TO` first')
  }
  await removeOthers(from.blobs, to.blobs)
  await copyBlobs(from.blobs, to.blobs)
  await copyRecords(inService(from.store), to.store, atTheEnd)
  const report = await assertSame(from, to)
  const epoch = await from.store.get(epochKey)
  if (epoch === undefined) throw new CopyFailed('there is no epoch to copy')
  await to.store.commit({
    puts: [
      { key: epochKey, value: epoch.value },
      { key: formatKey, value: wholeFormat() },
    ],
  })
  return { ...report, records: report.records + atTheEnd.length }
}

/** Of a copy that was cut off, and whose source has changed since. */
async function removeOthers(from: BlobStore, to: BlobStore): Promise<void> {
  for await (const id of to.list()) if ((await from.open(id)) === undefined) await to.delete(id)
}

/** Reads both sides, every blob of the copy too. */
async function assertSame(from: CopySide, to: CopySide): Promise<CopyReport> {
  const sides = [from, to].map(({ store }) => contentOf(inService(store), atTheEnd))
  const [source, copy] = (await Promise.all(sides)) as [Content, Content]
  if (source.records !== copy.records || source.digest !== copy.digest) {
    throw new CopyFailed(
      'the copy differs from its source: make sure that no service runs on either',
    )
  }
  const blobs = await countIntact(to.blobs)
  let wanted = 0
  for await (const id of from.blobs.list()) {
    wanted += 1
    if ((await to.blobs.open(id)) === undefined) throw new CopyFailed(`blob ${id} is missing`)
  }
  if (wanted !== blobs)
    throw new CopyFailed(`there are ${blobs} blobs, and ${wanted} in the source`)
  return { records: source.records, blobs }
}
