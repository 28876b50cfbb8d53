/**
 * The documents of a container in pages, the newest placed first (extensions §7): what a list shows
 * comes from the documents' heads, so that none is opened for it.
 */
import { docHead } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Life } from '../commit/facts.ts'
import { decodeHead } from '../commit/head.ts'
import { placedIn } from './placement.ts'

/** A document as a list shows it. */
export interface ListedDocument {
  readonly slug: Slug
  /** Absent: its head was written before titles were. */
  readonly title: string | undefined
  readonly updatedAt: number
  readonly updatedBy: ActorId | undefined
  readonly life: Life
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[]
  /** What the next page goes on behind; null: this was the last. */
  readonly next: string | null
}

export interface PageRequest {
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: string | undefined
  readonly archived: boolean
}

/** In the order of `slugs`, without those that are gone. */
export async function listed(store: Store, slugs: readonly Slug[]): Promise<ListedDocument[]> {
  const heads = await store.getMany(slugs.map(docHead))
  return slugs.flatMap((slug, index) => {
    const stored = heads[index]
    if (stored === undefined) return []
    const { title, changedBy, changedAt, life } = decodeHead(slug, stored.value)
    return [{ slug, title, updatedAt: changedAt, updatedBy: changedBy, life }]
  })
}

/** Whether a list of these shows it; what is being purged is in none. */
export const isShown = ({ life }: ListedDocument, archived: boolean): boolean =>
  life.state === (archived ? 'archived' : 'active')

/** `after` is a cursor of this container, or one of the caller's own making that finds nothing. */
export async function documentsIn(
  store: Store,
  container: { readonly containerId: string; readonly parentFolderId?: string | undefined },
  { limit, after, archived }: PageRequest,
): Promise<DocumentPage> {
  const { gte = '', lt = '' } = placedIn(container.containerId, container.parentFolderId)
  const end = after === undefined ? lt : `${gte}${after}`
  const range = { gte, lt: end, reverse: true, limit: limits.listedEntriesMax + 1 }
  const entries: { slug: Slug; at: string }[] = []
  for await (const { key } of store.scan(range)) {
    entries.push({ slug: (key.split('/').at(-1) ?? '') as Slug, at: key.slice(gte.length) })
  }
  const documents: ListedDocument[] = []
  const looked = entries.slice(0, limits.listedEntriesMax)
  for (let from = 0; from < looked.length; from += limit) {
    const some = looked.slice(from, from + limit)
    for (const one of await listed(
      store,
      some.map(({ slug }) => slug),
    )) {
      if (!isShown(one, archived)) continue
      documents.push(one)
      if (documents.length < limit) continue
      const index = entries.findIndex(({ slug }) => slug === one.slug)
      const isLast = index === entries.length - 1
      return { documents, next: isLast ? null : (entries[index]?.at ?? null) }
    }
  }
  const isAll = entries.length <= limits.listedEntriesMax
  return { documents, next: isAll ? null : (looked.at(-1)?.at ?? null) }
}
