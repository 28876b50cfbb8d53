/**
 * Copies everything the service keeps into a fresh directory while it serves. To restore, stop the
 * service and put that directory in the place of its data directory; nothing needs converting. The
 * copy has an epoch of its own, as every new store has, so that clients that know more than it does
 * notice a restore. Record versions start anew in the copy: they mean something to running commits
 * only. Keys that are out of service are so in the copy too, for nobody can tell what they held.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Runtime } from '../schema/runtime.ts'
import { compareBlobs } from './blob-references.ts'
import { type BlobStore, openBlobStore } from './blob-store.ts'
import {
  type Content,
  contentOf,
  copyBlobs,
  copyRecords,
  countIntact,
  inService,
} from './copying.ts'
import { dataPaths } from './data-directory.ts'
import { copyFile, makeDirectory, syncDirectory } from './durable-file.ts'
import { epochKey } from './epoch.ts'
import { writeQuarantine } from './level-files/quarantine-file.ts'
import { type LevelStore, openLevelStore } from './level-store.ts'
import { type Store, StoreDamage } from './store.ts'

export interface BackupSource {
  readonly store: Store | LevelStore
  readonly blobs: BlobStore
  /** The service's key file; need not exist. */
  readonly keyFile: string
  /** The list of documents deleted for good; need not exist. */
  readonly purgedFile?: string
}

export interface BackupReport {
  readonly records: number
  readonly blobs: number
  readonly withKey: boolean
  /** Spans of keys that were out of service, whose records it does not have. */
  readonly outOfService: number
}

/** The directory is not empty: a backup never mixes with what is there. */
export class BackupRefused extends Error {
  constructor(directory: string) {
    super(`${directory} is not empty`)
    this.name = 'BackupRefused'
  }
}

/**
 * Writes and verifies a backup. Throws `BackupRefused` on a directory with anything in it, and
 * `StoreDamage` when a record or blob of the source is damaged and nobody has noticed yet: it has
 * all that is in service, or it fails.
 */
export async function backup(
  source: BackupSource,
  directory: string,
  runtime: Runtime,
): Promise<BackupReport> {
  await makeDirectory(directory)
  if ((await readdir(directory)).length > 0) throw new BackupRefused(directory)
  const paths = dataPaths(directory)
  const blobs = await openBlobStore({ directory: paths.blobs, runtime })
  // Twice: blobs that are deleted later are caught before the snapshot is taken, and blobs that the
  // snapshot has and the first pass had not seen yet are caught after.
  await copyBlobs(source.blobs, blobs)
  const written = await copyInto(paths.store, source.store, runtime)
  await copyBlobs(source.blobs, blobs)
  const spans = 'quarantine' in source.store ? source.store.quarantine : []
  if (spans.length > 0) await writeQuarantine(paths.store, spans)
  const copied = { directory: paths.store, blobs, written, isWhole: spans.length === 0 }
  const intact = await verifyCopy(copied, runtime)
  const withKey = await copyFile(source.keyFile, paths.key)
  if (source.purgedFile !== undefined) await copyFile(source.purgedFile, paths.purged)
  await syncDirectory(directory)
  await syncDirectory(join(directory, '..'))
  const { records } = written
  return { records, blobs: intact, withKey, outOfService: spans.length }
}

/** Throws where a record refers to one that is not there. */
async function requireAll(store: Store, blobs: BlobStore): Promise<void> {
  for await (const { id, problem } of compareBlobs(store, blobs)) {
    if (problem === 'missing') throw new StoreDamage(`blob ${id}`, 'it is missing')
  }
}

async function copyInto(directory: string, from: Store, runtime: Runtime): Promise<Content> {
  const snapshot = inService(from)
  const to = await openLevelStore({ directory, runtime })
  try {
    return await copyRecords(snapshot, to, [epochKey])
  } finally {
    await to.close()
  }
}

interface Copy {
  readonly directory: string
  readonly blobs: BlobStore
  readonly written: Content
  /** No keys are out of service, so that it can be told which blobs there have to be. */
  readonly isWhole: boolean
}

/** Opens the copy anew, which verifies its files, and reads everything back; how many blobs. */
async function verifyCopy(
  { directory, blobs, written, isWhole }: Copy,
  runtime: Runtime,
): Promise<number> {
  const copy = await openLevelStore({ directory, runtime })
  try {
    const { digest } = await contentOf(inService(copy), [epochKey])
    if (digest !== written.digest) throw new Error(`${directory} differs from its source`)
    if (isWhole) await requireAll(copy, blobs)
    return await countIntact(blobs)
  } finally {
    await copy.close()
  }
}
