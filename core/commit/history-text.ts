/**
 * The text of any revision, rebuilt from the nearest stored whole text at or before it and the
 * splices of the rows between. Rows are dense: a missing one is damage, never a wrong text.
 */
import { docHistory, docText } from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { applyChange, compose, type TextChange } from '../text/text-change.ts'
import { DocumentDamage, intact } from './damage.ts'
import { type HistoryRow, type OpenedRow, openHistoryRow } from './history-row.ts'

/** Undefined when there is no such revision, or it is not durable yet. */
export async function rebuildText(
  store: Store,
  slug: Slug,
  revision: number,
): Promise<string | undefined> {
  return (await formerText(store, slug, revision))?.text
}

interface Between {
  readonly base: number
  readonly until: number
}

/** From the text of revision `base` to that of `until`, from the history rows between. */
export async function changeBetween(
  store: Store,
  slug: Slug,
  between: Between,
): Promise<TextChange> {
  const changes: TextChange[] = []
  for await (const { splices } of rowsBetween(store, slug, between)) changes.push(splices)
  return compose(changes)
}

/** The rows behind `base` up to `until`; each is there. */
export async function* rowsBetween(
  store: Store,
  slug: Slug,
  { base, until }: Between,
): AsyncGenerator<HistoryRow> {
  let next = base + 1
  if (until < next) return
  const rows = { slug, gte: docHistory(slug, next), lte: docHistory(slug, until) }
  for await (const { row } of rowsIn(store, rows)) {
    intact(slug, row.revision === next, `the history row of revision ${next} is missing`)
    yield row
    next++
  }
  intact(slug, next === until + 1, `the history row of revision ${next} is missing`)
}

/** Rows as they come, with the size of what is read and put together for them. */
export async function* rowsIn(
  store: Store,
  { slug, ...range }: Range & { readonly slug: Slug },
): AsyncGenerator<{ readonly row: HistoryRow; readonly bytes: number }> {
  const originals = new Originals(store, slug)
  for await (const { value } of store.scan(range)) {
    const opened = openHistoryRow(value)
    const row = opened.row(await originals.textOf(opened))
    const copied = opened.original === undefined ? 0 : insertedChars(row)
    yield { row, bytes: value.length + copied }
  }
}

const insertedChars = ({ splices }: HistoryRow): number =>
  splices.reduce((sum, { insert }) => sum + insert.length, 0)

/** One row, with what it copies. */
export async function rowOf(store: Store, slug: Slug, value: Uint8Array): Promise<HistoryRow> {
  const opened = openHistoryRow(value)
  return opened.row(await new Originals(store, slug).textOf(opened))
}

/** The texts that rows copy from. The last is kept: reverts of one revision follow each other. */
class Originals {
  readonly #store: Store
  readonly #slug: Slug
  #last: { readonly revision: number; readonly text: string } | undefined

  constructor(store: Store, slug: Slug) {
    this.#store = store
    this.#slug = slug
  }

  /** Empty where the row copies nothing. Throws `DocumentDamage` where the text is missing. */
  async textOf({ revision, original }: OpenedRow): Promise<string> {
    if (original === undefined) return ''
    if (this.#last?.revision === original) return this.#last.text
    const stored = await this.#store.get(docText(this.#slug, original))
    const missing = `the text of revision ${original}, which revision ${revision} copies, is missing`
    intact(this.#slug, stored !== undefined, missing)
    const text = Buffer.from(stored.value).toString()
    this.#last = { revision: original, text }
    return text
  }
}

/** A revision, and how a text that is stored whole became its text. */
export interface Former {
  readonly revision: number
  readonly text: string
  readonly original: number
  /** From the original's text to this one's. */
  readonly change: TextChange
}

/** Undefined when there is no such revision. */
export async function formerText(
  store: Store,
  slug: Slug,
  revision: number,
): Promise<Former | undefined> {
  if (!Number.isSafeInteger(revision) || revision < 1) return undefined
  if ((await store.get(docHistory(slug, revision))) === undefined) return undefined
  const texts = { gte: docText(slug, 0), lte: docText(slug, revision), reverse: true, limit: 1 }
  for await (const { key, value } of store.scan(texts)) {
    const original = Number(key.split('/').at(-1))
    const change = await changeBetween(store, slug, { base: original, until: revision })
    const text = applyChange(Buffer.from(value).toString(), change)
    return { revision, text, original, change }
  }
  throw new DocumentDamage(slug, `no whole text at or before revision ${revision}`)
}
