/**
 * Takes notices out of the outbox: into the inboxes of those they name, into the feed of their
 * document for everybody else, and to whatever else is made of them. All of it has one order, by
 * numbers that the commit gives which takes the notices out, so a crash loses none and doubles
 * none. One batch at a time.
 */
import {
  docHead,
  feedBehind,
  feedHeadKey,
  feedKey,
  inboxBehind,
  inboxKey,
  kindRange,
  metaKey,
  parseKey,
  purgeKey,
} from '../../persistence/keys.ts'
import type { Commit, KeyedValue, Range, Store, Version } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type EntryRecord, type NoticeRecord, readRecord, records } from '../records/records.ts'
import { entryKeys } from './inbox.ts'
import { InboxRoom } from './inbox-room.ts'

const inboxJoinedMax = 20_000

/** Acts of one actor in one thread within so long are one entry. */
const inboxJoinedMs = 60_000

/** What else the commit that takes a notice out stores; `take` gives the next number. */
export type AlsoMade = (notice: NoticeRecord, take: () => number) => Promise<ExtraWrites>

export interface ExtraWrites extends Pick<Commit, 'puts' | 'deletes'> {
  /** Told when it is on disk. */
  onStored?(version: Version): void
}

export interface DeliveryParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly alsoMade?: AlsoMade | undefined
  readonly onTrouble: (error: unknown) => void
}

/** Notices that are looked at together. */
const noticesAtOnce = 100

/** Of a feed's entry. */
const namedMax = 200

/** Of one list, for each entry that may be added to it. */
const forgottenPerNotice = 4

/** An entry that a further act may still join. */
interface Recent {
  readonly id: number
  readonly at: number
  readonly count: number
}

const headKey = metaKey('last-entry')

export class InboxDelivery {
  readonly #parts: DeliveryParts
  readonly #stopWatching: () => void
  readonly #room: InboxRoom
  /** By whom and what they are about, the oldest first. */
  readonly #recent = new Map<string, Recent>()
  #running: Promise<void> | undefined
  #isAsked = false
  #isClosed = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#room = new InboxRoom(parts.store)
    this.#stopWatching = parts.store.watch('outbox/', () => this.ask())
    this.ask()
  }

  /** There may be something to deliver. */
  ask(): void {
    this.#isAsked = true
    if (this.#running !== undefined || this.#isClosed) return
    this.#running = this.#run()
      .catch(this.#parts.onTrouble)
      .finally(() => {
        this.#running = undefined
        if (this.#isAsked) this.ask()
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopWatching()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      const waiting: KeyedValue[] = []
      const range = { ...kindRange('outbox'), limit: noticesAtOnce }
      for await (const found of this.#parts.store.scan(range)) waiting.push(found)
      if (waiting.length === noticesAtOnce) this.#isAsked = true
      if (waiting.length > 0) await this.#deliver(waiting)
    }
  }

  /** All of them in one commit: a disk that is slow is waited for once. */
  async #deliver(waiting: readonly KeyedValue[]): Promise<void> {
    const { store } = this.#parts
    const notices = waiting.map(({ value }) => records.notice.decode(value))
    notices.sort((a, b) => a.at - b.at)
    const head = await readRecord(store, headKey, records.lastEntry)
    const batch = new Batch(head?.record.id ?? 0, notices.length)
    const slugs = await this.#standing(notices)
    for (const notice of notices) {
      const { slug } = notice
      if (slug !== undefined && !slugs.has(slug as Slug)) continue
      await this.#enter(notice, batch)
      const more = await this.#parts.alsoMade?.(notice, () => batch.take())
      for (const { key, value } of more?.puts ?? []) batch.put(key, value)
      for (const key of more?.deletes ?? []) batch.delete(key)
      if (more?.onStored !== undefined) batch.onStored.push(more.onStored)
    }
    if (batch.isEmpty) {
      await store.commit({ deletes: waiting.map(({ key }) => key) })
      return
    }
    const checks = [
      ...waiting.map(({ key, version }) => ({ key, version })),
      { key: headKey, version: head?.version as Version | undefined },
      ...[...slugs].map((slug) => ({ key: purgeKey(slug), version: undefined })),
    ]
    batch.put(headKey, records.lastEntry.encode({ id: batch.last }))
    const deletes = [...batch.deletes, ...waiting.map(({ key }) => key)]
    const result = await store.commit({ checks, puts: batch.puts, deletes })
    if (!result.ok) {
      // Somebody else delivers too, or has.
      this.#recent.clear()
      this.#room.forget()
      this.#isAsked = true
      return
    }
    for (const told of batch.onStored) told(result.version)
  }

  async #enter(notice: NoticeRecord, batch: Batch): Promise<void> {
    for (const { actor, events } of notice.to) {
      if (events.length === 0) continue
      await this.#forgetOld(inboxBehind(actor, 0), notice, batch)
      if (notice.peopleOnly && actor.startsWith('ai:')) continue
      if (!batch.actors.has(actor)) await this.#makeRoom(actor, batch)
      batch.actors.add(actor)
      for (const event of events) {
        const entry = this.#entryOf(notice, event, `${actor} ${event}`, batch)
        const id = batch.take()
        this.#room.added(actor)
        const [key = '', ...found] = entryKeys(actor, id, entry)
        batch.put(key, records.entry.encode(entry))
        for (const index of found) batch.put(index, new Uint8Array())
        this.#join(notice, `${actor} ${event}`, { id, at: notice.at, count: entry.count })
      }
    }
    if (notice.toAll === undefined) return
    const slug = notice.slug as Slug
    await this.#forgetOld(feedBehind(slug, 0), notice, batch)
    batch.fed.add(slug)
    this.#feed(notice, notice.toAll, batch)
  }

  async #makeRoom(actor: string, batch: Batch): Promise<void> {
    const folding = await this.#room.make(actor)
    if (folding === undefined) return
    for (const gone of folding.gone) {
      for (const key of entryKeys(actor, gone.id, gone)) batch.delete(key)
    }
    for (const { id, ...entry } of folding.kept) {
      batch.put(inboxKey(actor, id), records.entry.encode(entry))
    }
    // What is counted elsewhere now is joined no more.
    this.read(actor, batch.last)
  }

  /** The documents that notices are of and that are there. */
  async #standing(notices: readonly NoticeRecord[]): Promise<ReadonlySet<Slug>> {
    const standing = new Set<Slug>()
    for (const slug of new Set(notices.map((notice) => notice.slug as Slug | undefined))) {
      if (slug !== undefined && (await this.#isThere(slug))) standing.add(slug)
    }
    return standing
  }

  /** Nobody hears of a document that is deleted, or about to be. */
  async #isThere(slug: Slug): Promise<boolean> {
    const { store } = this.#parts
    if ((await store.get(purgeKey(slug))) !== undefined) return false
    return (await store.get(docHead(slug))) !== undefined
  }

  /** A few of those whose time is over, each time one is added: none outlives that for long. */
  async #forgetOld(range: Range, { at }: NoticeRecord, batch: Batch): Promise<void> {
    if (!batch.looksAt(range)) return
    for await (const { key, value } of this.#parts.store.scan({
      ...range,
      limit: forgottenPerNotice * batch.notices,
    })) {
      const entry = records.entry.decode(value)
      if (entry.at > at - limits.inboxEntryTtlMs) return
      const { kind, path: [actor = '', id] = [] } = parseKey(key) ?? {}
      const keys = kind === 'inbox' ? entryKeys(actor, Number(id), entry) : [key]
      for (const one of keys) batch.delete(one)
    }
  }

  #feed(notice: NoticeRecord, event: string, batch: Batch): void {
    const slug = notice.slug as Slug
    const named = notice.to.slice(0, namedMax).map(({ actor }) => actor)
    const entry = { ...this.#entryOf(notice, event, 'feed', batch), named }
    const id = batch.take()
    batch.put(feedKey(slug, id), records.entry.encode(entry))
    batch.put(feedHeadKey(slug), records.lastEntry.encode({ id }))
    this.#join(notice, 'feed', { id, at: notice.at, count: entry.count })
  }

  /** With those of the same actor in the same thread that nobody has read yet it is one. */
  #entryOf(notice: NoticeRecord, event: string, to: string, batch: Batch): EntryRecord {
    const { at, slug, actor, thread, comment, peopleOnly } = notice
    const before = this.#recent.get(joinKey(notice, to))
    const isJoined = before !== undefined && at - before.at < inboxJoinedMs
    if (isJoined && to === 'feed') batch.delete(feedKey(slug as Slug, before.id))
    if (isJoined && to !== 'feed') {
      const whose = to.slice(0, to.lastIndexOf(' '))
      for (const key of entryKeys(whose, before.id, notice)) batch.delete(key)
    }
    return {
      event,
      at,
      actor,
      ...(slug !== undefined && { slug }),
      ...(thread !== undefined && { thread }),
      ...(comment !== undefined && { comment }),
      count: (isJoined ? before.count : 0) + 1,
      ...(peopleOnly && { peopleOnly }),
    }
  }

  #join(notice: NoticeRecord, to: string, recent: Recent): void {
    const key = joinKey(notice, to)
    this.#recent.delete(key)
    this.#recent.set(key, recent)
    for (const [oldest, { at }] of this.#recent) {
      const isOver = notice.at - at >= inboxJoinedMs
      if (!isOver && this.#recent.size <= inboxJoinedMax) break
      this.#recent.delete(oldest)
    }
  }

  /** What was read up to there is joined no more. */
  read(actor: string, upTo: number): void {
    for (const [key, { id }] of this.#recent) {
      if (id <= upTo && key.startsWith(`${actor} `)) this.#recent.delete(key)
    }
  }
}

const joinKey = ({ slug = '', actor, thread = '' }: NoticeRecord, to: string): string =>
  `${to} ${slug} ${thread} ${actor}`

class Batch {
  readonly actors = new Set<string>()
  /** Documents whose feeds have more. */
  readonly fed = new Set<Slug>()
  readonly onStored: ((version: Version) => void)[] = []
  readonly #puts = new Map<string, Uint8Array>()
  readonly #deletes = new Set<string>()
  readonly #lookedAt = new Set<string>()
  readonly notices: number
  last: number

  constructor(last: number, notices: number) {
    this.last = last
    this.notices = notices
  }

  get isEmpty(): boolean {
    return this.#puts.size === 0
  }

  get puts() {
    return [...this.#puts].map(([key, value]) => ({ key, value }))
  }

  get deletes(): readonly string[] {
    return [...this.#deletes]
  }

  /** True the first time. */
  looksAt({ gt = '' }: Range): boolean {
    const isNew = !this.#lookedAt.has(gt)
    this.#lookedAt.add(gt)
    return isNew
  }

  take(): number {
    this.last += 1
    return this.last
  }

  put(key: string, value: Uint8Array): void {
    this.#puts.set(key, value)
  }

  /** Of what this batch itself has put, nothing is left. */
  delete(key: string): void {
    if (!this.#puts.delete(key)) this.#deletes.add(key)
  }
}
