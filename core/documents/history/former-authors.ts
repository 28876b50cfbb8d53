/**
 * Who wrote each character of an earlier revision, from the nearest stored authors at or before it
 * and the rows between: what a row puts in is its only actor's, but where its credits say another.
 */
import { docRecord } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { type ActorId, type Slug, unattributed } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import { rebuildText, rowsBetween } from '../../commit/history-text.ts'
import { Spans } from '../../text/spans.ts'
import { decodeAuthors } from '../open/author-keeping.ts'
import type { AuthorRun } from '../views/document-view.ts'

export async function formerAuthors(
  store: Store,
  slug: Slug,
  revision: number,
): Promise<readonly AuthorRun[]> {
  const { base, authors } = await nearestAuthors(store, slug, revision)
  for await (const row of rowsBetween(store, slug, { base, until: revision })) {
    follow(authors, row)
  }
  const runs: AuthorRun[] = []
  let at = 0
  for (const { length, value } of authors) {
    const author = value as ActorId
    const last = runs.at(-1)
    if (last?.author === author) runs[runs.length - 1] = { ...last, to: at + length }
    else runs.push({ from: at, to: at + length, author })
    at += length
  }
  return runs
}

/** The authors of a text, as the row's revision leaves them. */
export function follow(authors: Spans<string>, row: HistoryRow): void {
  const writer = soleActor(row)
  for (const { at, remove, insert } of row.splices.toReversed()) {
    authors.splice(at, remove, [{ length: insert.length, value: writer }])
  }
  for (const { from, to, author } of row.credits ?? []) authors.paint(from, to, author)
}

/** Who a row's splices are by, where nothing else is said. */
export const soleActor = ({ actors }: HistoryRow): ActorId =>
  (actors.length === 1 ? actors[0] : undefined) ?? unattributed

interface KeptAuthors {
  readonly base: number
  readonly authors: Spans<string>
}

async function nearestAuthors(store: Store, slug: Slug, revision: number): Promise<KeptAuthors> {
  const range = {
    gte: docRecord(slug, 'authors', [0]),
    lte: docRecord(slug, 'authors', [revision]),
    reverse: true,
    limit: 1,
  }
  for await (const { key, value } of store.scan(range)) {
    return { base: Number(key.split('/').at(-1)), authors: new Spans(decodeAuthors(value)) }
  }
  // Of histories from before authors were kept: not all of a long one is read.
  const base = Math.max(1, revision - limits.historyLookedThroughMax)
  const text = (await rebuildText(store, slug, base)) ?? ''
  const first = base === 1 ? await firstActor(store, slug) : unattributed
  return { base, authors: new Spans([{ length: text.length, value: first }]) }
}

async function firstActor(store: Store, slug: Slug): Promise<string> {
  for await (const row of rowsBetween(store, slug, { base: 0, until: 1 })) return soleActor(row)
  return unattributed
}
