/** The documents that were opened in this browser, newest first; kept on this device alone. */
import { readItem, writeItem } from '../platform/device-storage.ts'

export interface RecentDocument {
  readonly slug: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Whoever opened it owned it. */
  readonly isOwn?: boolean
}

const key = 'recent-documents'
const keptMax = 20

export function recentDocuments(): readonly RecentDocument[] {
  try {
    const found: unknown = JSON.parse(readItem(key) ?? '[]')
    return Array.isArray(found) ? found.filter(isRecent) : []
  } catch {
    return []
  }
}

export function rememberDocument(document: RecentDocument): void {
  const others = recentDocuments().filter(({ slug }) => slug !== document.slug)
  write([document, ...others].slice(0, keptMax))
}

export function forgetDocument(slug: string): void {
  write(recentDocuments().filter((document) => document.slug !== slug))
}

/** Whoever was here is not any more. */
export function disownDocuments(): void {
  write(recentDocuments().map(({ slug, title, at }) => ({ slug, title, at })))
}

/** A browser that keeps nothing shows no list. */
function write(documents: readonly RecentDocument[]): void {
  writeItem(key, JSON.stringify(documents))
}

function isRecent(value: unknown): value is RecentDocument {
  const { slug, title, at } = (value ?? {}) as Partial<RecentDocument>
  return typeof slug === 'string' && typeof title === 'string' && typeof at === 'number'
}
