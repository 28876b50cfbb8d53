/**
 * Where a document stands in a library (interface §2.8): one record by document, written in the
 * commit of whatever placed it, and an entry by container that only finds it. A placed document
 * belongs to the owner of the container's workspace, so ownership and placement change together.
 */
import { indexKey, indexRange, placementKey } from '../../persistence/keys.ts'
import type { Commit, Range, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { type Placement, peopleRecords } from '../records/people-records.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { readRecord, type Versioned } from '../records/records.ts'

/** A place that a document can be put. */
export type LibraryPlace = Omit<Placement, 'placedAt'>

/** In place of a folder. */
export const root = '-'

/** Of the container's root, or of a folder in it. */
export const placedIn = ({
  containerId,
  parentFolderId = root,
}: Pick<LibraryPlace, 'containerId' | 'parentFolderId'>): Range =>
  indexRange('placed', containerId, parentFolderId)

/** Of a container, in whatever folder. */
export const placedAnywhereIn = (containerId: string): Range => indexRange('placed', containerId)

/** The newest last; what was placed in the same second by slug. */
const entryKey = (slug: Slug, { containerId, parentFolderId, placedAt }: Placement): string =>
  indexKey('placed', containerId, parentFolderId ?? root, Math.floor(placedAt / 1000), slug)

export const placementOf = (store: Store, slug: Slug): Promise<Versioned<Placement> | undefined> =>
  readRecord(store, placementKey(slug), peopleRecords.placement)

/** Puts a document there that is nowhere yet. */
export function placingNew(
  slug: Slug,
  place: LibraryPlace,
  placedAt: number,
): NonNullable<Commit['puts']> {
  const placement = { ...place, placedAt }
  return [
    { key: placementKey(slug), value: peopleRecords.placement.encode(placement) },
    { key: entryKey(slug, placement), value: new Uint8Array() },
  ]
}

/** Has the document stand there from now on, wherever it stood. */
export async function planPlacing(
  plan: RecordPlan,
  slug: Slug,
  { place, now }: { readonly place: LibraryPlace; readonly now: number },
): Promise<void> {
  const found = await plan.read(placementKey(slug), peopleRecords.placement)
  if (found !== undefined) plan.delete(entryKey(slug, found))
  plan.put(placingNew(slug, place, now))
}

/** Has it stand there unless it has a place. */
export async function planFirstPlacing(
  plan: RecordPlan,
  slug: Slug,
  { place, now }: { readonly place: LibraryPlace; readonly now: number },
): Promise<void> {
  const found = await plan.read(placementKey(slug), peopleRecords.placement)
  if (found === undefined) plan.put(placingNew(slug, place, now))
}

/** Takes it out of the account's containers; elsewhere it stays. */
export async function planRemoving(plan: RecordPlan, slug: Slug, accountId: string): Promise<void> {
  const found = await plan.read(placementKey(slug), peopleRecords.placement)
  if (found?.accountId === accountId) plan.delete(...placeKeys(slug, found))
}

export const isSamePlace = (one: LibraryPlace, other: LibraryPlace): boolean =>
  one.containerId === other.containerId && one.parentFolderId === other.parentFolderId

/** All that is stored of a document's place, to be deleted with it. */
export const placeKeys = (slug: Slug, placement: Placement): readonly string[] => [
  placementKey(slug),
  entryKey(slug, placement),
]
