/**
 * The documents of a container in pages, the newest placed first (extensions §7): what a list shows
 * comes from the documents' heads, so that none is opened for it.
 */
import { docHead } from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { DocumentFacts } from '../commit/facts.ts'
import { decodeHead, factsOf } from '../commit/head.ts'

/** A document as a list shows it. */
export interface ListedDocument {
  readonly slug: Slug
  /** Absent: its head was written before titles were. */
  readonly title: string | undefined
  readonly updatedAt: number
  readonly updatedBy: ActorId | undefined
  readonly facts: DocumentFacts
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[]
  /** What the next page goes on behind; `undefined`: this was the last. */
  readonly next: string | undefined
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
    const head = decodeHead(slug, stored.value)
    const { title, changedBy, changedAt } = head
    const facts = factsOf(slug, head)
    return [{ slug, title, updatedAt: changedAt, updatedBy: changedBy, facts }]
  })
}

/** Whether a list of these shows it; what is being purged is in none. */
export const isShown = ({ facts }: ListedDocument, archived: boolean): boolean =>
  facts.life.state === (archived ? 'archived' : 'active')

/** So many are looked at for one page that it may have fewer. */
export async function documentsIn(
  store: Store,
  /** Of one place, or of a container with all its folders. */
  places: Range,
  { limit, after, archived }: PageRequest,
): Promise<DocumentPage> {
  const entries = await entriesIn(store, places, after)
  const looked = entries.slice(0, limits.listedEntriesMax)
  const documents: ListedDocument[] = []
  for (let from = 0; from < looked.length; from += limit) {
    const some = looked.slice(from, from + limit)
    const slugs = some.map(({ slug }) => slug)
    for (const one of await listed(store, slugs)) {
      if (!isShown(one, archived)) continue
      documents.push(one)
      if (documents.length < limit) continue
      const index = looked.findIndex(({ slug }) => slug === one.slug)
      return { documents, next: index + 1 < entries.length ? looked[index]?.at : undefined }
    }
  }
  return { documents, next: looked.length < entries.length ? looked.at(-1)?.at : undefined }
}

/** For a place in a list that is none. */
export const noCursor = () =>
  new Refusal('INVALID_REQUEST', {
    issues: [{ path: '?cursor', message: 'is not a cursor of this list' }],
  })

interface IndexEntry {
  readonly slug: Slug
  /** Where it stands in the order of the index. */
  readonly at: string
}

/** Those behind `after`, one more than a page looks at. */
async function entriesIn(
  store: Store,
  { gte = '', lt = '' }: Range,
  after: string | undefined,
): Promise<IndexEntry[]> {
  const end = after === undefined ? lt : `${gte}${after}`
  const range = { gte, lt: end, reverse: true, limit: limits.listedEntriesMax + 1 }
  const entries: IndexEntry[] = []
  for await (const { key } of store.scan(range)) {
    entries.push({ slug: (key.split('/').at(-1) ?? '') as Slug, at: key.slice(gte.length) })
  }
  return entries
}
