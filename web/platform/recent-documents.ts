/** The documents that were opened in this browser, newest first; kept on this device alone. */
import { readItem, writeItem } from './device-storage.ts'

export interface RecentDocument {
  readonly slug: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Whoever opened it owned it. */
  readonly isOwn?: boolean
  /** The account, not a guest's, that opened it: others at this device are not shown it. */
  readonly of?: string
}

const key = 'recent-documents'
const keptMax = 50

export function recentDocuments(): readonly RecentDocument[] {
  try {
    const found: unknown = JSON.parse(readItem(key) ?? '[]')
    return Array.isArray(found) ? found.filter(isRecent) : []
  } catch {
    return []
  }
}

/** What `actor`, or nobody, may see of them. */
export const recentFor = (actor: string | undefined): readonly RecentDocument[] =>
  recentDocuments().filter(({ of }) => of === undefined || of === actor)

/** Those of them that a guest's session alone makes one's own. */
export const ownRecent = (): readonly RecentDocument[] =>
  recentDocuments().filter(({ isOwn, of }) => isOwn === true && of === undefined)

export function rememberDocument(document: RecentDocument): void {
  const others = recentDocuments().filter(({ slug }) => slug !== document.slug)
  write([document, ...others].slice(0, keptMax))
}

export function forgetDocument(slug: string): void {
  write(recentDocuments().filter((document) => document.slug !== slug))
}

/** Whoever was here is not any more: a guest's links stay, an account's go with it. */
export function disownDocuments(): void {
  const kept = recentDocuments().filter(({ of }) => of === undefined)
  write(kept.map(({ slug, title, at }) => ({ slug, title, at })))
}

/** A browser that keeps nothing shows no list. */
function write(documents: readonly RecentDocument[]): void {
  writeItem(key, JSON.stringify(documents))
}

function isRecent(value: unknown): value is RecentDocument {
  const { slug, title, at } = (value ?? {}) as Partial<RecentDocument>
  return typeof slug === 'string' && typeof title === 'string' && typeof at === 'number'
}

/** It goes by another title now; where it stands in the list it stays. */
export const renameRecent = (slug: string, title: string): void =>
  write(recentDocuments().map((one) => (one.slug === slug ? { ...one, title } : one)))
