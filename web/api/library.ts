/** The lists of one's documents (extensions §7, §12), in pages. */
import { call } from './http.ts'

export type ListName = 'mine' | 'shared' | 'archived'

export interface ListedDocument {
  readonly slug: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who made the last change, where the list says so. */
  readonly by?: { readonly actor: string; readonly name: string }
  /** What this person may do there. */
  readonly role: string
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[]
  /** What the next page is asked by; `undefined`: this is the last. */
  readonly next: string | undefined
}

interface Node {
  readonly id: string
  readonly kind: 'folder' | 'doc'
  readonly name: string
  readonly apiUrl?: string
  readonly updated_at: string
  readonly updated_by?: { readonly actor_id: string; readonly name: string } | null
  /** Of what is shared; what lies in one's own library is one's own. */
  readonly your_role?: string
}

interface Page {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly nextCursor: string | null }
}

const pageSize = 50

/** A page of one list; `after` is `next` of the page before. */
export async function documentPage(list: ListName, after?: string): Promise<DocumentPage> {
  const query = new URLSearchParams({ limit: String(pageSize) })
  if (after !== undefined) query.set('cursor', after)
  if (list === 'archived') query.set('archived', 'true')
  const path = list === 'shared' ? '/workspace/shared' : '/workspace/library'
  const { nodes, pageInfo } = await call<Page>(`${path}?${query}`)
  return {
    documents: nodes.flatMap((node) => (node.kind === 'doc' ? [shown(node)] : [])),
    next: pageInfo.nextCursor ?? undefined,
  }
}

function shown(node: Node): ListedDocument {
  const { id, name, apiUrl, updated_at, updated_by, your_role = 'owner' } = node
  return {
    slug: apiUrl?.split('/').at(-1) ?? id,
    title: name,
    at: Date.parse(updated_at),
    ...(updated_by && { by: { actor: updated_by.actor_id, name: updated_by.name } }),
    role: your_role,
  }
}
