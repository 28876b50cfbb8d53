/**
 * Whether what is uploaded to documents is whole (for scrub): each blob is what it was, each that a
 * record names is there and known to be referred to, and each document's totals are right. Names
 * what is wrong; changes nothing.
 */
import type { BlobId } from '../../persistence/blob-pieces.ts'
import { compareBlobs } from '../../persistence/blob-references.ts'
import type { BlobStore } from '../../persistence/blob-store.ts'
import {
  assetsKey,
  blobReference,
  blobReferences,
  kindRange,
  parseKey,
} from '../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { type AssetTotals, readRecord, records } from '../records/records.ts'
import { noTotals } from './totals.ts'

export interface AssetProblem {
  readonly what: string
  readonly problem: string
}

/** Where the store cannot tell, the last one says so. */
export async function* verifyAssets(store: Store, blobs: BlobStore): AsyncGenerator<AssetProblem> {
  try {
    yield* wrongTotals(store)
    for await (const { id, problem } of compareBlobs(store, blobs)) {
      yield { what: await named(store, id), problem }
    }
    for await (const id of blobs.list()) {
      const problem = await damageOf(blobs, id)
      if (problem !== undefined) yield { what: await named(store, id), problem }
    }
  } catch (error) {
    if (!(error instanceof StoreDamage)) throw error
    yield { what: 'blobs', problem: `cannot all be verified: ${error.message}` }
  }
}

/** With the documents that have it. */
async function named(store: Store, id: string): Promise<string> {
  const holders: string[] = []
  for await (const { key } of store.scan({ ...blobReferences(id), limit: 20 })) {
    const [, , slug = '', record = ''] = parseKey(key)?.path ?? []
    holders.push(`${record} of document ${slug}`)
  }
  return holders.length === 0 ? `blob ${id}` : `blob ${id} (${holders.join(', ')})`
}

async function damageOf(blobs: BlobStore, id: BlobId): Promise<string | undefined> {
  try {
    const blob = await blobs.open(id)
    if (blob !== undefined) for await (const _ of blob.read(0, blob.size));
    return undefined
  } catch (error) {
    if (error instanceof StoreDamage) return error.message
    throw error
  }
}

/** What one record counts for, and which blobs it has. */
interface Counted {
  readonly id: string
  readonly blobs: readonly string[]
  readonly totals: Partial<AssetTotals>
}

const countedKinds = {
  image: (value: Uint8Array): Counted => {
    const { id, blob, size } = records.image.decode(value)
    return { id, blobs: [blob], totals: { images: 1, imageBytes: size } }
  },
  artifact: (value: Uint8Array): Counted => {
    const { id, blob, size, poster } = records.artifact.decode(value)
    const blobs = poster === undefined ? [blob] : [blob, poster.blob]
    const totals = { artifacts: 1, artifactBytes: size, posterBytes: poster?.size ?? 0 }
    return { id, blobs, totals }
  },
  feedback: (value: Uint8Array): Counted => {
    const { id } = records.feedback.decode(value)
    return { id, blobs: [], totals: { reports: 1 } }
  },
  'feedback-image': (value: Uint8Array): Counted => {
    const { id, blob, size } = records.feedbackImage.decode(value)
    return { id, blobs: [blob], totals: { reportImageBytes: size } }
  },
} as const

/** Of each document that has any, kind by kind, in order. */
async function* wrongTotals(store: Store): AsyncGenerator<AssetProblem> {
  for (const kind of ['image', 'artifact', 'feedback', 'feedback-image'] as const) {
    let of: { readonly slug: Slug; readonly totals: Record<string, number> } | undefined
    for await (const { key, value } of store.scan(kindRange(kind))) {
      const slug = (parseKey(key)?.path[0] ?? '') as Slug
      if (of?.slug !== slug) {
        if (of !== undefined) yield* wrongIn(store, of)
        of = { slug, totals: {} }
      }
      const { id, blobs, totals } = countedKinds[kind](value)
      for (const [name, more] of Object.entries(totals)) {
        of.totals[name] = (of.totals[name] ?? 0) + more
      }
      for (const blob of blobs) {
        if ((await store.get(blobReference(blob, slug, id))) !== undefined) continue
        yield { what: `${id} of document ${slug}`, problem: `blob ${blob} is not kept for it` }
      }
    }
    if (of !== undefined) yield* wrongIn(store, of)
  }
}

async function* wrongIn(
  store: Store,
  { slug, totals }: { readonly slug: Slug; readonly totals: Readonly<Record<string, number>> },
): AsyncGenerator<AssetProblem> {
  const stored = await readRecord(store, assetsKey(slug), records.assetTotals)
  const problem = difference(stored?.record ?? noTotals, totals)
  if (problem !== undefined) yield { what: `document ${slug}`, problem }
}

function difference(stored: AssetTotals, counted: Partial<AssetTotals>): string | undefined {
  for (const [name, value] of Object.entries(counted)) {
    const was = stored[name as keyof AssetTotals]
    if (was !== value) return `${name} are ${value}, and ${was} were counted`
  }
  return undefined
}
