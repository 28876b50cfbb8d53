/**
 * Where a document stands in a library (interface §2.8): one record by document, written in the
 * commit of whatever placed it, and an entry by container that only finds it. A placed document
 * belongs to the owner of the container's workspace, so ownership and placement change together.
 */
import { indexKey, indexRange, placementKey } from '../../persistence/keys.ts'
import type { Check, Commit, Range, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { type Placement, peopleRecords } from '../records/people-records.ts'
import { readRecord, type Versioned } from '../records/records.ts'

/** A place that a document can be put. */
export type Place = Omit<Placement, 'placedAt'>

/** What to write, and what must hold meanwhile, for a document to be elsewhere. */
export interface Placing {
  readonly checks: readonly Check[]
  readonly puts: NonNullable<Commit['puts']>
  readonly deletes: readonly string[]
}

const root = '-'

/** Of the container's root, or of a folder in it. */
export const placedIn = (containerId: string, parentFolderId?: string): Range =>
  indexRange('placed', containerId, parentFolderId ?? root)

/** The newest last; what was placed in the same second by slug. */
const entryKey = (slug: Slug, { containerId, parentFolderId, placedAt }: Placement): string =>
  indexKey('placed', containerId, parentFolderId ?? root, Math.floor(placedAt / 1000), slug)

export const placementOf = (store: Store, slug: Slug): Promise<Versioned<Placement> | undefined> =>
  readRecord(store, placementKey(slug), peopleRecords.placement)

/** Puts a document there that is nowhere yet. */
export function placingNew(
  slug: Slug,
  place: Place,
  placedAt: number,
): NonNullable<Commit['puts']> {
  const placement = { ...place, placedAt }
  return [
    { key: placementKey(slug), value: peopleRecords.placement.encode(placement) },
    { key: entryKey(slug, placement), value: new Uint8Array() },
  ]
}

/** Puts a document there, wherever it is; `found` is its placement now. */
export function placingAgain(
  slug: Slug,
  found: Versioned<Placement> | undefined,
  { place, now }: { readonly place: Place; readonly now: number },
): Placing {
  const puts = placingNew(slug, place, now)
  const written = new Set(puts.map(({ key }) => key))
  const { checks, deletes } = unplacing(slug, found)
  return { checks, puts, deletes: deletes.filter((key) => !written.has(key)) }
}

/** Takes a document out of all libraries. */
export function unplacing(slug: Slug, found: Versioned<Placement> | undefined): Placing {
  const checks = [{ key: placementKey(slug), version: found?.version }]
  if (found === undefined) return { checks, puts: [], deletes: [] }
  return { checks, puts: [], deletes: [placementKey(slug), entryKey(slug, found.record)] }
}
