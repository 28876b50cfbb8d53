/**
 * The text of any revision, rebuilt from the nearest stored whole text at or before it and the
 * splices of the rows between. Rows are dense: a missing one is damage, never a wrong text.
 */
import { docHistory, docText } from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { finish } from '../../schema/steps.ts'
import { applyChange, composing, type TextChange } from '../text/text-change.ts'
import type { Turns } from '../turns/turns.ts'
import { intact } from './damage.ts'
import { decodeHistoryRow, type HistoryRow } from './history-row.ts'

/**
 * Undefined when there is no such revision (or it is not durable yet). With `turns` it lets others
 * have theirs.
 */
export async function rebuildText(
  store: Store,
  slug: Slug,
  { revision, turns }: { readonly revision: number; readonly turns?: Turns | undefined },
): Promise<string | undefined> {
  if (!Number.isSafeInteger(revision) || revision < 1) return undefined
  if ((await store.get(docHistory(slug, revision))) === undefined) return undefined
  let base: { revision: number; text: string } | undefined
  const texts = { gte: docText(slug, 0), lte: docText(slug, revision), reverse: true, limit: 1 }
  for await (const { key, value } of store.scan(texts)) {
    base = {
      revision: Number(key.split('/').at(-1)),
      text: Buffer.from(value).toString(),
    }
  }
  intact(slug, base !== undefined, `no whole text at or before revision ${revision}`)
  const between = { base: base.revision, until: revision }
  return applyChange(base.text, await changeBetween(store, slug, { ...between, turns }))
}

interface Between {
  readonly base: number
  readonly until: number
  readonly turns?: Turns | undefined
}

/** From the text of revision `base` to that of `until`, from the history rows between. */
export async function changeBetween(
  store: Store,
  slug: Slug,
  between: Between,
): Promise<TextChange> {
  const changes: TextChange[] = []
  for await (const { splices } of rowsBetween(store, slug, between)) changes.push(splices)
  const { turns } = between
  return turns === undefined ? finish(composing(changes)) : turns.take(composing(changes))
}

/** The rows behind `base` up to `until`; each is there. */
export async function* rowsBetween(
  store: Store,
  slug: Slug,
  { base, until, turns }: Between,
): AsyncGenerator<HistoryRow> {
  let next = base + 1
  if (until < next) return
  const rows = { gte: docHistory(slug, next), lte: docHistory(slug, until) }
  for await (const { row } of rowsIn(store, rows, turns)) {
    intact(slug, row.revision === next, `the history row of revision ${next} is missing`)
    yield row
    next++
  }
  intact(slug, next === until + 1, `the history row of revision ${next} is missing`)
}

/** Rows as they come, with their size. */
export async function* rowsIn(
  store: Store,
  range: Range,
  turns: Turns | undefined,
): AsyncGenerator<{ readonly row: HistoryRow; readonly bytes: number }> {
  for await (const { value } of store.scan(range)) {
    yield { row: decodeHistoryRow(value), bytes: value.length }
    if (turns?.isOver) await turns.next()
  }
}
