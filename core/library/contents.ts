/**
 * What stands right in a folder or in a container's root, page by page (extensions §7, §12): the
 * folders by their names, then the documents, the newest placed first.
 */
import type { Store } from '../../persistence/store.ts'
import type { Folder } from '../records/people-records.ts'
import { folderById, foldersIn, pathTo } from './folders.ts'
import { documentsIn, type ListedDocument, noCursor, type PageRequest } from './lists.ts'
import { type LibraryPlace, placedAnywhereIn, placedIn } from './placement.ts'

export interface Contents {
  /** From the container's root to the folder that is listed. */
  readonly path: readonly Folder[]
  readonly folders: readonly Folder[]
  readonly documents: readonly ListedDocument[]
  /** What the next page goes on behind; `undefined`: this was the last. */
  readonly next: string | undefined
}

/** Cursors: behind a folder, by its entry; at the first document. Others are behind a document. */
const behindFolder = 'folder:'
const firstDocument = 'documents'

/** Behind a document: when it was placed, and its id; the folder in front where all are listed. */
const isPlace = /^(?:folder:.+|documents|(?:[^/]+\/)?\d{12}\/[^/]+)$/s

export interface ContentsRequest extends PageRequest {
  /** The documents of all folders of the container, in place of one folder's contents. */
  readonly nested: boolean
}

/** Archived documents are listed without folders. */
export async function contentsOf(
  store: Store,
  where: Pick<LibraryPlace, 'containerId' | 'parentFolderId'>,
  { limit, after, archived, nested }: ContentsRequest,
): Promise<Contents> {
  if (after !== undefined && !isPlace.test(after)) throw noCursor()
  const { folders: path } = await pathTo(store, where.parentFolderId)
  if (nested || archived) {
    const places = placedAnywhereIn(where.containerId)
    return { path, folders: [], ...(await documentsIn(store, places, { limit, after, archived })) }
  }
  const isAmongFolders = after === undefined || after.startsWith(behindFolder)
  const entry = isAmongFolders ? after?.slice(behindFolder.length) : undefined
  const first = isAmongFolders ? await folderPage(store, where, { limit, after: entry }) : nothing
  const { folders } = first
  if (first.next !== undefined) {
    return { path, folders, documents: [], next: behindFolder + first.next }
  }
  const room = limit - folders.length
  if (room === 0) return { path, folders, documents: [], next: firstDocument }
  const behind = isAmongFolders || after === firstDocument ? undefined : after
  const page = { limit: room, after: behind, archived }
  const rest = await documentsIn(store, placedIn(where), page)
  return { path, folders, ...rest }
}

interface FolderPage {
  readonly folders: readonly Folder[]
  /** The entry of the last, where there are more. */
  readonly next: string | undefined
}

const nothing: FolderPage = { folders: [], next: undefined }

async function folderPage(
  store: Store,
  where: Pick<LibraryPlace, 'containerId' | 'parentFolderId'>,
  { limit, after }: Pick<PageRequest, 'limit' | 'after'>,
): Promise<FolderPage> {
  const { gte = '', lt = '' } = foldersIn(where)
  const behind = after === undefined ? {} : { gt: `${gte}${after}` }
  const folders: Folder[] = []
  let last: string | undefined
  for await (const { key, value } of store.scan({ gte, lt, ...behind, limit: limit + 1 })) {
    if (folders.length === limit) return { folders, next: last }
    last = key.slice(gte.length)
    const found = await folderById(store, Buffer.from(value).toString())
    if (found !== undefined) folders.push(found.record)
  }
  return { folders, next: undefined }
}
