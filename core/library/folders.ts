/**
 * Folders of a library (interface §4.3, extensions §12): each in a container, alone of its name
 * beside its siblings, and found by that name. Whoever puts something into one rests on its door,
 * so that nothing comes into a folder that is gone: a door is closed before it is looked whether
 * the folder is empty, and open again where it was not. Who renames a folder holds up nobody at it.
 */
import { folderDoorKey, folderKey, indexKey, indexRange } from '../../persistence/keys.ts'
import type { Check, Commit, Range, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import {
  type AttachedRecords,
  assertNoAttachedConflict,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { type Folder, peopleRecords } from '../records/people-records.ts'
import { readRecord, type Versioned } from '../records/records.ts'
import { type LibraryPlace, placedIn, root } from './placement.ts'

/** Where a folder stands, or is to stand. */
type Parent = Pick<LibraryPlace, 'containerId' | 'parentFolderId'>

/** In the order of their names, as these are escaped. */
export const foldersIn = ({ containerId, parentFolderId = root }: Parent): Range =>
  indexRange('folder-in', containerId, parentFolderId)

const entryOf = ({ containerId, parentFolderId = root, name }: Parent & { name: string }): string =>
  indexKey('folder-in', containerId, parentFolderId, name)

export interface FoundFolder extends Versioned<Folder> {
  /** What whoever puts something into it rests on. */
  readonly door: Check
}

/** The folder as whoever comes now finds it; `undefined`: there is none. */
export async function folderById(store: Store, folderId: string): Promise<FoundFolder | undefined> {
  if (folderId === '') return undefined
  const key = folderDoorKey(folderId)
  for (;;) {
    const [found, door] = await Promise.all([
      readRecord(store, folderKey(folderId), peopleRecords.folder),
      readRecord(store, key, peopleRecords.folderDoor),
    ])
    if (found === undefined || door === undefined) return undefined
    const folder = { ...found, door: { key, version: door.version } }
    if (door.record.closed === undefined) return folder
    await settle(store, folder)
  }
}

/** That somebody was about to delete: it goes if it is empty, and else is open again. */
async function settle(store: Store, { record, version, door }: FoundFolder): Promise<void> {
  const key = folderKey(record.folderId)
  await store.commit({
    checks: [door, { key, version }],
    ...((await isEmpty(store, record))
      ? { deletes: [key, door.key, entryOf(record)] }
      : { puts: [doorPut(record, {})] }),
  })
}

const doorPut = ({ folderId }: Folder, door: { readonly closed?: true }) => ({
  key: folderDoorKey(folderId),
  value: peopleRecords.folderDoor.encode(door),
})

async function isEmpty(store: Store, { containerId, folderId }: Folder): Promise<boolean> {
  const inside = { containerId, parentFolderId: folderId }
  for (const range of [foldersIn(inside), placedIn(inside)]) {
    for await (const _ of store.scan({ ...range, limit: 1 })) return false
  }
  return true
}

/**
 * The folder and those around it, the outermost first, with the records that say so. Ends at the
 * deepest that a folder may stand: what is further out is left out.
 */
export async function pathTo(
  store: Store,
  folderId: string | undefined,
): Promise<{ readonly folders: readonly Folder[]; readonly checks: readonly Check[] }> {
  const folders: Folder[] = []
  const checks: Check[] = []
  for (let id = folderId; id !== undefined && folders.length <= limits.folderDepthMax; ) {
    const found = await folderById(store, id)
    if (found === undefined) throw new Refusal('INVALID_PARENT')
    folders.unshift(found.record)
    checks.push({ key: folderKey(id), version: found.version })
    // Only what is put right into a folder needs it to be open.
    if (id === folderId) checks.push(found.door)
    id = found.record.parentFolderId
  }
  return { folders, checks }
}

interface Making {
  readonly name: string
  readonly place: LibraryPlace
  /** What has to be so still when it is made. */
  readonly checks: readonly Check[]
  readonly folderId: string
  readonly now: number
}

/** One of this name that is there already, or the new one; `undefined`: something changed meanwhile. */
export async function makeFolder(
  store: Store,
  { name, place, checks, folderId, now }: Making,
  attached: AttachedRecords<Folder> = noAttachedRecords,
): Promise<{ readonly folder: Folder; readonly isNew: boolean } | undefined> {
  const known = await folderNamed(store, place, name)
  if (known !== undefined) return { folder: known, isNew: false }
  await requireRoom(store, place)
  const { folders } = await pathTo(store, place.parentFolderId)
  requireDepth(folders.length + 1)
  const folder: Folder = { folderId, name, ...place, createdAt: now }
  const result = await store.commit({
    checks: [...checks, { key: entryOf(folder), version: undefined }, ...attached.checks],
    puts: [...putsOf(folder), doorPut(folder, {}), ...attached.puts(folder)],
  })
  assertNoAttachedConflict(attached, result)
  return result.ok ? { folder, isNew: true } : undefined
}

const putsOf = (folder: Folder): NonNullable<Commit['puts']> => [
  { key: folderKey(folder.folderId), value: peopleRecords.folder.encode(folder) },
  { key: entryOf(folder), value: Buffer.from(folder.folderId) },
]

async function folderNamed(
  store: Store,
  parent: Parent,
  name: string,
): Promise<Folder | undefined> {
  const entry = await store.get(entryOf({ ...parent, name }))
  if (entry === undefined) return undefined
  return (await folderById(store, Buffer.from(entry.value).toString()))?.record
}

/** Refuses LIMIT_REACHED where as many stand there as may. */
async function requireRoom(store: Store, parent: Parent): Promise<void> {
  const max = limits.foldersPerFolder
  let count = 0
  for await (const _ of store.scan({ ...foldersIn(parent), limit: max })) {
    count += 1
  }
  if (count >= max) throw new Refusal('LIMIT_REACHED', { limit: 'folders', max })
}

function requireDepth(depth: number): void {
  const max = limits.folderDepthMax
  if (depth > max) throw new Refusal('LIMIT_REACHED', { limit: 'depth', max })
}

/** How deep folders stand in each other from this one on, of which there are so many at most. */
async function heightOf(store: Store, { containerId, folderId }: Folder): Promise<number> {
  const max = limits.foldersMovedMax
  let level = [folderId]
  let looked = 0
  for (let height = 1; ; height++) {
    const next: string[] = []
    for (const parentFolderId of level) {
      for await (const { value } of store.scan(foldersIn({ containerId, parentFolderId }))) {
        if (++looked > max) throw new Refusal('LIMIT_REACHED', { limit: 'folders', max })
        next.push(Buffer.from(value).toString())
      }
    }
    if (next.length === 0) return height
    level = next
  }
}

export interface FolderChanges {
  /** Has passed `folderName`. */
  readonly name?: string | undefined
  /** Null: the container's root. */
  readonly parentFolderId?: string | null | undefined
}

/**
 * The folder as it is then; `undefined`: something changed meanwhile. Refuses INVALID_PARENT for
 * one that is in another container, in itself or below; NAME_TAKEN where another has that name.
 */
export async function changeFolder(
  store: Store,
  { record: before, version, door }: FoundFolder,
  changes: FolderChanges,
  checks: readonly Check[],
): Promise<Folder | undefined> {
  const { parentFolderId: former, ...rest } = before
  const { name = before.name, parentFolderId: asked = former } = changes
  const parent = asked ?? undefined
  const changed: Folder = { ...rest, name, ...(parent !== undefined && { parentFolderId: parent }) }
  if (entryOf(changed) === entryOf(before)) return before
  const path = await pathTo(store, parent)
  const isInside = path.folders.some(({ folderId }) => folderId === before.folderId)
  const isElsewhere = path.folders.some(({ containerId }) => containerId !== before.containerId)
  if (isInside || isElsewhere) throw new Refusal('INVALID_PARENT')
  if (parent !== former) {
    requireDepth(path.folders.length + (await heightOf(store, before)))
    await requireRoom(store, changed)
  }
  const taken = await folderNamed(store, changed, name)
  if (taken !== undefined) throw new Refusal('NAME_TAKEN', { id: taken.folderId })
  const { ok } = await store.commit({
    checks: [
      ...checks,
      ...path.checks,
      door,
      { key: folderKey(before.folderId), version },
      { key: entryOf(changed), version: undefined },
    ],
    puts: putsOf(changed),
    deletes: [entryOf(before)],
  })
  return ok ? changed : undefined
}

/** Whether it is gone; not: something changed meanwhile. Refuses FOLDER_NOT_EMPTY. */
export async function deleteFolder(
  store: Store,
  { record, door }: FoundFolder,
  checks: readonly Check[],
): Promise<boolean> {
  const refusal = new Refusal('FOLDER_NOT_EMPTY')
  if (!(await isEmpty(store, record))) throw refusal
  const { ok } = await store.commit({
    checks: [...checks, door],
    puts: [doorPut(record, { closed: true })],
  })
  if (!ok) return false
  if ((await folderById(store, record.folderId)) !== undefined) throw refusal
  return true
}
