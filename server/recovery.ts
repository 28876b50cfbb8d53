/**
 * Recovers a damaged data directory into a new one: what its files still hold, then each document
 * by its own chains. One that is not whole stays out of service there, and the newest text that its
 * history still leads to is written beside the store. The damaged directory stays as it is.
 */
import { join } from 'node:path'
import { verifyAssets } from '../core/assets/verify.ts'
import { lastWholeRevision } from '../core/documents/history/last-whole.ts'
import { verifyDocument } from '../core/documents/verify.ts'
import {
  allDocSlugs,
  copyFile,
  copyFiles,
  dataPaths,
  documentsTouched,
  epochKey,
  type LevelStore,
  makeDirectory,
  newEpoch,
  openBlobStore,
  openLevelStore,
  putOutOfService,
  salvageFiles,
  scrubStore,
  writeFileDurably,
} from '../persistence/index.ts'
import type { Slug } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'

export interface DamagedDocument {
  readonly slug: Slug
  readonly problem: string
  /** Where the text of its last whole revision was written; undefined: there is none. */
  readonly taken?: { readonly revision: number; readonly path: string }
}

export interface Recovery {
  readonly mended: readonly string[]
  /** What is lost of the files, and what is wrong outside documents. */
  readonly lost: readonly string[]
  readonly damaged: readonly DamagedDocument[]
}

/**
 * `to` must be empty. Throws `StoreInUse` while a service runs on `from`, and `DamagedFile` where
 * nothing of the store can be told any more.
 */
export async function recover(from: string, to: string, runtime: Runtime): Promise<Recovery> {
  const [old, paths] = [dataPaths(from), dataPaths(to)]
  const files = await salvageFiles(old.store, paths.store)
  await copyFiles(old.blobs, paths.blobs)
  for (const name of ['key', 'purged'] as const) await copyFile(old[name], paths[name])
  const lost = [...files.lost]
  const damaged: DamagedDocument[] = []
  const store = await openLevelStore({ directory: paths.store, runtime })
  try {
    const last = files.lastVersion ?? 0
    if (store.lastVersion < last) lost.push(`the commits from ${store.lastVersion + 1} to ${last}`)
    // Clients may know more than there is now.
    if (lost.length > 0) await store.commit({ puts: [{ key: epochKey, value: newEpoch(runtime) }] })
    lost.push(...(await damageOutsideDocuments(store, paths.blobs, runtime)))
    for (const [slug, problem] of await damagedDocuments(store, files.slugs, runtime)) {
      damaged.push({ slug, problem, ...(await take(store, slug, join(to, 'recovered'))) })
    }
  } finally {
    await store.close()
  }
  const slugs = damaged.map(({ slug }) => slug)
  if (slugs.length > 0) await putOutOfService(paths.store, slugs)
  return { mended: files.mended, lost, damaged }
}

async function damageOutsideDocuments(
  store: LevelStore,
  blobDirectory: string,
  runtime: Runtime,
): Promise<string[]> {
  const found: string[] = []
  for await (const { key, problem, upTo } of scrubStore(store)) {
    if (upTo !== undefined) found.push(`keys from ${key} to ${upTo}: ${problem}`)
    else if (!key.startsWith('doc/')) found.push(`${key}: ${problem}`)
  }
  const blobs = await openBlobStore({ directory: blobDirectory, runtime })
  for await (const { what, problem } of verifyAssets(store, blobs)) {
    if (problem !== 'unreferenced') found.push(`${what}: ${problem}`)
  }
  return found
}

/** Those that do not fit together, and those that do without commits that are lost. */
async function damagedDocuments(
  store: LevelStore,
  inLostCommits: ReadonlySet<Slug>,
  runtime: Runtime,
): Promise<Map<Slug, string>> {
  const problems = new Map<Slug, string>()
  for (const slug of inLostCommits) problems.set(slug, 'some of its commits are lost')
  for (const span of store.quarantine) {
    for (const slug of await documentsTouched(store, span)) {
      problems.set(slug, 'some of its records are lost')
    }
  }
  for await (const slug of allDocSlugs(store)) {
    if (problems.has(slug)) continue
    const problem = await verifyDocument(store, slug, runtime)
    if (problem !== undefined) problems.set(slug, problem)
  }
  return problems
}

async function take(
  store: LevelStore,
  slug: Slug,
  directory: string,
): Promise<Pick<DamagedDocument, 'taken'>> {
  const last = await lastWholeRevision(store, slug)
  if (last === undefined) return {}
  const path = join(directory, `${slug}.md`)
  await makeDirectory(directory)
  await writeFileDurably(path, Buffer.from(last.text), { temporary: `${path}.new` })
  return { taken: { revision: last.revision, path } }
}
