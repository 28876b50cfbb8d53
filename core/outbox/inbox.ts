/**
 * Somebody's inbox (extensions §13): entries that name it and the feeds of the documents it has a
 * part in, in one order, each filled with what one needs to act, under the role of that moment.
 * Entries are references: what was deleted since, or may not be read any more, is not in it.
 */
import { LRUCache } from 'lru-cache'
import {
  feedBehind,
  feedHeadKey,
  grantKey,
  inboxBehind,
  inboxKey,
  inboxOfDocument,
  inboxStateKey,
  indexRange,
  metaKey,
  muteKey,
  parseKey,
} from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import { entriesMax } from '../../schema/entries-max.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type EntryRecord, readRecord, readRecords, records } from '../records/records.ts'

/** From where on somebody hears of a document, as found once. */
const inboxBeginsKept = 20_000

/** Documents whose news one inbox has. */
export const inboxDocumentsMax = 2_000

/** Unread entries are counted as far as this. */
const inboxCountedMax = 1_000

export interface InboxEntry extends EntryRecord {
  readonly id: number
  /** It came to everybody in the document. */
  readonly isOfFeed: boolean
}

export interface InboxPage {
  readonly entries: readonly InboxEntry[]
  /** The last that was looked at. */
  readonly next: number
  /** Unread ones, as far as they are counted. */
  readonly unread: number
}

export interface InboxParts {
  readonly store: Store
  readonly runtime: Runtime
}

/** Whether it is to be shown to whoever asks. */
export type IsShown = (entry: InboxEntry) => Promise<boolean>

export class Inbox {
  readonly #parts: InboxParts
  /** Behind which entry of a document's feed somebody hears of it, by when it was let in. */
  readonly #begins = new LRUCache<string, number>(entriesMax(inboxBeginsKept))

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  /** From behind `after` on, and behind what was acknowledged; the oldest first. */
  async page(
    actor: ActorId,
    { after, limit }: { readonly after: number | undefined; readonly limit: number },
    isShown: IsShown,
  ): Promise<InboxPage> {
    const acked = await this.#acked(actor)
    const all = await this.#behind(actor, acked)
    const entries: InboxEntry[] = []
    let next = Math.max(after ?? 0, acked)
    let left = all.length
    for (const entry of all) {
      if (entry.id <= next) continue
      if (entries.length === limit) break
      next = entry.id
      if (await isShown(entry)) entries.push(entry)
      else left -= 1
    }
    return { entries, next, unread: left }
  }

  /** Answers how many are left. */
  async acknowledge(actor: ActorId, upTo: number): Promise<{ acked: number; unread: number }> {
    const { store } = this.#parts
    const head = (await readRecord(store, metaKey('last-entry'), records.lastEntry))?.record.id ?? 0
    const acked = Math.max(await this.#acked(actor), Math.min(upTo, head))
    const deletes: string[] = []
    for await (const { key, value } of store.scan(inboxBehind(actor, 0))) {
      const id = Number(parseKey(key)?.path.at(-1))
      if (id > acked) break
      deletes.push(...entryKeys(actor, id, records.entry.decode(value)))
    }
    const value = records.inboxState.encode({ acked })
    await store.commit({ puts: [{ key: inboxStateKey(actor), value }], deletes })
    return { acked, unread: (await this.#behind(actor, acked)).length }
  }

  async #acked(actor: ActorId): Promise<number> {
    const state = await readRecord(this.#parts.store, inboxStateKey(actor), records.inboxState)
    return state?.record.acked ?? 0
  }

  /** As many as are counted, the oldest first. */
  async #behind(actor: ActorId, from: number): Promise<InboxEntry[]> {
    const { store, runtime } = this.#parts
    const own = { list: inboxBehind(actor, from), isOfFeed: false }
    const feeds: List[] = []
    for (const { slug, behind } of await this.#feedsOf(actor, from)) {
      feeds.push({ list: feedBehind(slug, behind), isOfFeed: true })
    }
    const oldest = runtime.now() - limits.inboxEntryTtlMs
    const isAgent = actor.startsWith('ai:')
    const isHeard = (entry: InboxEntry) =>
      entry.at > oldest &&
      entry.actor !== actor &&
      !(isAgent && entry.peopleOnly) &&
      !(entry.isOfFeed && entry.named?.includes(actor))
    const heard: InboxEntry[] = []
    for await (const some of inOrder(store, [own, ...feeds])) {
      heard.push(...(await this.#unmuted(actor, some.filter(isHeard))))
      if (heard.length >= inboxCountedMax) break
    }
    return heard.slice(0, inboxCountedMax)
  }

  /** Those with something behind `from`, each from when the actor got its part in the document. */
  async #feedsOf(actor: ActorId, from: number) {
    const { store } = this.#parts
    const slugs = await this.documentsOf(actor)
    const heads = await readRecords(store, slugs.map(feedHeadKey), records.lastEntry)
    const fresh = slugs.flatMap((slug, index) => {
      const head = heads[index]?.record.id ?? 0
      return head > from ? [{ slug, head }] : []
    })
    const keys = fresh.map(({ slug }) => grantKey(slug, actor))
    const grants = await readRecords(store, keys, records.grant)
    const feeds: { readonly slug: Slug; readonly behind: number }[] = []
    for (const [index, { slug, head }] of fresh.entries()) {
      const at = grants[index]?.record.grantedAt
      if (at === undefined) continue
      const key = `${actor} ${slug} ${at}`
      const begin = this.#begins.get(key) ?? (await lastBefore(store, slug, { head, at }))
      this.#begins.set(key, begin)
      feeds.push({ slug, behind: Math.max(from, begin) })
    }
    return feeds
  }

  /** Mutes stop all but mentions. */
  async #unmuted(actor: ActorId, entries: readonly InboxEntry[]): Promise<InboxEntry[]> {
    const about = entries.flatMap(({ slug }) => (slug === undefined ? [] : [slug as Slug]))
    const slugs = [...new Set(about)]
    const found = await readRecords(
      this.#parts.store,
      slugs.map((slug) => muteKey(slug, actor)),
      records.mute,
    )
    const mutes = new Map(slugs.map((slug, index) => [slug as string, found[index]?.record]))
    return entries.filter(({ slug, thread, event }) => {
      const mute = slug === undefined ? undefined : mutes.get(slug)
      if (mute === undefined || event === 'mention') return true
      return !mute.all && !(thread !== undefined && mute.threads.includes(thread))
    })
  }

  /** Those that it has a grant on. */
  async documentsOf(actor: ActorId): Promise<Slug[]> {
    const slugs: Slug[] = []
    const range = { ...indexRange('grant-of', actor), limit: inboxDocumentsMax }
    for await (const { key } of this.#parts.store.scan(range)) {
      slugs.push((parseKey(key)?.path.at(-1) ?? '') as Slug)
    }
    return slugs
  }
}

/** The entry behind which those of a time begin: they come in the order of their time. */
async function lastBefore(
  store: Store,
  slug: Slug,
  { head, at }: { readonly head: number; readonly at: number },
): Promise<number> {
  let [low, high] = [0, head]
  for (let middle = 0; high > low; middle = (low + high) >> 1) {
    const next = await firstBehind(store, slug, middle)
    if (next !== undefined && next.at < at) low = next.id
    else high = middle
  }
  return low
}

async function firstBehind(store: Store, slug: Slug, id: number) {
  for await (const { key, value } of store.scan({ ...feedBehind(slug, id), limit: 1 })) {
    return { id: Number(parseKey(key)?.path.at(-1)), at: records.entry.decode(value).at }
  }
  return undefined
}

interface List {
  readonly list: Range
  readonly isOfFeed: boolean
}

/** Of each list, read together. */
const readAtOnce = 32

/**
 * The entries of several lists in one order, a part at a time: of none is more read than it takes
 * to know what comes first, however many lists there are and however long they are.
 */
async function* inOrder(store: Store, lists: readonly List[]): AsyncGenerator<InboxEntry[]> {
  let left = lists.map((list) => ({ ...list, read: [] as InboxEntry[], isAll: false }))
  while (left.length > 0) {
    for (const one of left) if (one.read.length === 0) await readOn(store, one)
    const open = left.filter(({ isAll }) => !isAll)
    // Nothing in front of this is still unread.
    const until = Math.min(...open.map(({ read }) => read.at(-1)?.id ?? 0))
    const due: InboxEntry[] = []
    for (const one of left) {
      const count = one.read.findIndex(({ id }) => id > until)
      due.push(...one.read.splice(0, count < 0 ? one.read.length : count))
    }
    left = left.filter(({ read, isAll }) => read.length > 0 || !isAll)
    yield due.sort((a, b) => a.id - b.id)
  }
}

async function readOn(
  store: Store,
  one: { list: Range; readonly isOfFeed: boolean; readonly read: InboxEntry[]; isAll: boolean },
): Promise<void> {
  if (one.isAll) return
  let last: string | undefined
  for await (const { key, value } of store.scan({ ...one.list, limit: readAtOnce })) {
    const id = Number(parseKey(key)?.path.at(-1))
    one.read.push({ ...records.entry.decode(value), id, isOfFeed: one.isOfFeed })
    last = key
  }
  one.isAll = one.read.length < readAtOnce
  if (last !== undefined) one.list = { ...one.list, gt: last }
}

/** The keys of one entry of an inbox: its own, and that by which its document finds it. */
export function entryKeys(actor: string, id: number, { slug }: Pick<EntryRecord, 'slug'>) {
  const key = inboxKey(actor, id)
  return slug === undefined ? [key] : [key, inboxOfDocument(slug as Slug, actor, id)]
}
