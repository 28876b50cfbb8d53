/**
 * The history of documents as it is read (interface §4.11, extensions §12): who did what when, what
 * the text was and whose, and what became of it since. Everything is read from the store, as far as
 * it is durable; nothing is kept but hashes, which never change.
 */
import { LRUCache } from 'lru-cache'
import { docHistory, docRecord } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { titleIn } from '../../../schema/markdown/title.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import {
  type Former,
  formerText,
  rebuildText,
  rowOf,
  rowsBetween,
  rowsIn,
} from '../../commit/history-text.ts'
import { recordOf } from '../../commit/participant.ts'
import { timed } from '../../runtime/steady-runtime.ts'
import { applyChange } from '../../text/text-change.ts'
import { diffWords, type Rewritten } from '../../text/word-diff.ts'
import type { RevisionName } from '../model/revision-names.ts'
import { contentHashOf, liveEtagOf } from '../views/content-hash.ts'
import type { AuthorRun } from '../views/document-view.ts'
import { type ChangedRange, differences, type TextDifference } from './comparisons.ts'
import { formerAuthors } from './former-authors.ts'
import { byAuthor, soleAuthor, WhoChanged } from './who-changed.ts'

/** Hashes of texts of revisions that are kept. */
const historyHashesMax = 20_000

/** What one page of the history reads of its rows, about; a whole row is always read. */
const historyPageBytes = 8 * 1024 * 1024

/** A revision, with the hashes of the text before and after where it wrote any. */
export interface HistoryEntry {
  readonly row: HistoryRow
  readonly name: string | undefined
  readonly before?: string
  readonly after?: string
}

export interface HistoryPage {
  /** The newest first. */
  readonly entries: readonly HistoryEntry[]
  /** The page goes on before this revision. */
  readonly next: number | undefined
}

export interface PageWish {
  /** The newest there is. */
  readonly newest: number
  /** Revisions older than this one; all unless given. */
  readonly before?: number | undefined
  readonly limit: number
  readonly hashes: boolean
}

export interface FormerRevision {
  readonly row: HistoryRow
  readonly title: string
  readonly markdown: string
  readonly contentHash: string
  readonly liveEtag: string
  readonly authorship: readonly AuthorRun[] | undefined
  /** From which stored text it was put together. */
  readonly former: Former
}

export class History {
  readonly #store: Store
  readonly #runtime: Runtime
  readonly #differences = differences()
  readonly #hashes = new LRUCache<string, string>({ max: historyHashesMax })

  constructor(store: Store, runtime: Runtime) {
    this.#store = store
    this.#runtime = runtime
  }

  /** Shorter than asked for where the rows are large. */
  async page(slug: Slug, { newest, before, limit, hashes }: PageWish): Promise<HistoryPage> {
    const top = Math.min(newest, (before ?? newest + 1) - 1)
    if (top < 1) return { entries: [], next: undefined }
    const span = { gte: docHistory(slug, 1), lte: docHistory(slug, top) }
    const range = { slug, ...span, reverse: true, limit }
    const rows: HistoryRow[] = []
    let read = 0
    for await (const { row, bytes } of rowsIn(this.#store, range)) {
      rows.push(row)
      read += bytes
      if (read >= historyPageBytes) break
    }
    const lowest = rows.at(-1)?.revision ?? 1
    const names = await this.#names(slug, { from: lowest, to: top })
    const told = hashes ? await this.#hashesOf(slug, rows) : new Map<number, Hashes>()
    const entries = rows.map((row) => ({
      row,
      name: names.get(row.revision),
      ...told.get(row.revision),
    }))
    return { entries, next: lowest > 1 ? lowest : undefined }
  }

  /** Undefined: there is no such revision. */
  async at(
    slug: Slug,
    revision: number,
    { authors }: { readonly authors: boolean },
  ): Promise<FormerRevision | undefined> {
    const stored = await this.#store.get(docHistory(slug, revision))
    const former = await formerText(this.#store, slug, revision)
    if (stored === undefined || former === undefined) return undefined
    const { text: markdown } = former
    const contentHash = this.#hash(slug, revision, () => markdown)
    const authorship = authors ? await formerAuthors(this.#store, slug, revision) : undefined
    const row = await rowOf(this.#store, slug, stored.value)
    const liveEtag = liveEtagOf(contentHash)
    return { row, title: titleIn(markdown), markdown, contentHash, liveEtag, authorship, former }
  }

  /** By words. Refuses NOT_FOUND. `tell` is told of the work, which is none where it is kept. */
  diff(
    slug: Slug,
    { from, to }: { readonly from: number; readonly to: number },
    tell: (ms: number) => void = () => {},
  ): Promise<TextDifference> {
    return this.#differences.get(`${slug}/${from}/${to}`, () =>
      this.#compare(slug, { from, to }, tell),
    )
  }

  async #compare(
    slug: Slug,
    { from, to }: { readonly from: number; readonly to: number },
    tell: (ms: number) => void,
  ): Promise<TextDifference> {
    const [old, next] = await Promise.all([
      rebuildText(this.#store, slug, from),
      rebuildText(this.#store, slug, to),
    ])
    if (old === undefined || next === undefined) throw new Refusal('NOT_FOUND')
    const regions = timed(this.#runtime, tell, () => diffWords(old, next))
    const who = await this.#whoChanged(slug, { base: from, until: to, length: old.length }, tell)
    const stretches = stretchesOf(regions, who)
    return { old, next, stretches }
  }

  /** Undefined: too much happened to be told by whom, or it is asked backwards. */
  async #whoChanged(
    slug: Slug,
    { base, until, length }: { readonly base: number; readonly until: number; length: number },
    tell: (ms: number) => void,
  ): Promise<WhoChanged | undefined> {
    if (until < base || until - base > limits.historyLookedThroughMax) return undefined
    const who = new WhoChanged(length)
    for await (const row of rowsBetween(this.#store, slug, { base, until })) {
      timed(this.#runtime, tell, () => who.follow(row))
    }
    return who
  }

  async #names(
    slug: Slug,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<Map<number, string>> {
    const names = new Map<number, string>()
    const range = { gte: docRecord(slug, 'name', [from]), lte: docRecord(slug, 'name', [to]) }
    for await (const { key, value } of this.#store.scan(range)) {
      const revision = key.split('/').at(-1) ?? ''
      names.set(Number(revision), recordOf<RevisionName>({ path: [revision], value }).name)
    }
    return names
  }

  /** Of the texts before and after each row that wrote any; `rows` descend without a gap. */
  async #hashesOf(slug: Slug, rows: readonly HistoryRow[]): Promise<ReadonlyMap<number, Hashes>> {
    const ascending = rows.toReversed()
    const first = (ascending[0]?.revision ?? 1) - 1
    const textAt = async (revision: number) =>
      (await rebuildText(this.#store, slug, revision)) ?? ''
    const isKnown = [first, ...ascending.map(({ revision }) => revision)].every(
      (revision) => revision === 0 || this.#hashes.has(`${slug}/${revision}`),
    )
    let text = isKnown ? '' : await textAt(Math.max(1, first))
    let before = first === 0 ? undefined : this.#hash(slug, first, () => text)
    const found = new Map<number, Hashes>()
    for (const { revision, splices, event } of ascending) {
      if (!isKnown && revision > 1) text = applyChange(text, splices)
      const after = this.#hash(slug, revision, () => text)
      if (splices.length > 0 || event === 'create') {
        found.set(revision, { ...(before !== undefined && { before }), after })
      }
      before = after
    }
    return found
  }

  #hash(slug: Slug, revision: number, text: () => string): string {
    const key = `${slug}/${revision}`
    const known = this.#hashes.get(key)
    if (known !== undefined) return known
    const hash = contentHashOf(text())
    this.#hashes.set(key, hash)
    return hash
  }
}

/** Cut where the author changes. Who changed a part of a word is named on both sides of it. */
function stretchesOf(
  regions: readonly Rewritten[],
  who: WhoChanged | undefined,
): readonly ChangedRange[] {
  const [gone, came] = [who?.takenOut() ?? [], who?.putIn() ?? []]
  return regions.flatMap(({ from, to, nextFrom, nextTo }) => {
    const [old, next] = [
      { from, to },
      { from: nextFrom, to: nextTo },
    ]
    const deleted = byAuthor(old, gone, soleAuthor(next, came))
    const inserted = byAuthor(next, came, soleAuthor(old, gone))
    return [
      ...deleted.map((part) => ({ kind: 'delete' as const, ...part })),
      ...inserted.map((part) => ({ kind: 'insert' as const, ...part })),
    ]
  })
}

interface Hashes {
  readonly before?: string
  readonly after: string
}
