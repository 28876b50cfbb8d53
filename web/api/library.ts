/** The lists of one's documents (extensions §7, §12), in pages, and in folders. */
import type { Success } from '../../schema/wire/api.ts'
import { call } from './http.ts'

/** `everywhere`: one's own, in whatever folder. */
export type ListName = 'mine' | 'everywhere' | 'shared' | 'archived'

export interface ListedDocument {
  readonly slug: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** When it was made; milliseconds since the epoch. */
  readonly createdAt?: number
  /** Who made the last change, where the list says so. */
  readonly by?: { readonly actor: string; readonly name: string }
  /** What this person may do there. */
  readonly role: string
}

export interface Folder {
  readonly id: string
  readonly name: string
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[]
  readonly folders: readonly Folder[]
  /** From the root to the folder that is listed. */
  readonly path: readonly Folder[]
  /** What the next page is asked by; `undefined`: this is the last. */
  readonly next: string | undefined
}

type Library = Success<'GET /workspace/library'>

interface Page extends Pick<Library, 'pageInfo'>, Partial<Pick<Library, 'path'>> {
  readonly nodes: readonly Node[]
}

/** Its role is said of what is shared; what lies in one's own library is one's own. */
type Node = Library['nodes'][number] & { readonly your_role?: string }

const pageSize = 50

interface PageAsked {
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** Of one's own alone; `undefined`: what stands in none. */
  readonly folder?: string | undefined
}

/** A page of one list. */
export async function documentPage(
  list: ListName,
  { after, folder }: PageAsked,
): Promise<DocumentPage> {
  const from = list === 'shared' ? 'GET /workspace/shared' : 'GET /workspace/library'
  const page: Page = await call(from, ['nodes', 'pageInfo'], {
    query: {
      limit: pageSize,
      cursor: after,
      parent: folder,
      archived: list === 'archived' || undefined,
      nested: list === 'everywhere' || undefined,
    },
  })
  const { nodes, pageInfo, path = [] } = page
  return {
    documents: nodes.filter(({ kind }) => kind === 'doc').map(shown),
    folders: nodes.filter(({ kind }) => kind === 'folder'),
    path,
    next: pageInfo.nextCursor ?? undefined,
  }
}

function shown(node: Node): ListedDocument {
  const { id, name, apiUrl, updated_at, created_at, updated_by, your_role = 'owner' } = node
  return {
    slug: apiUrl?.split('/').at(-1) ?? id,
    title: name,
    at: Date.parse(updated_at),
    ...(created_at !== undefined && { createdAt: Date.parse(created_at) }),
    ...(updated_by && { by: { actor: updated_by.actor_id, name: updated_by.name } }),
    role: your_role,
  }
}

/** In one's own library. */
export const inFolder = (folder: string) => ({ kind: 'personal', parentFolderId: folder })
