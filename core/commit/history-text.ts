/**
 * The text of any revision, rebuilt from the nearest stored whole text at or before it and the
 * splices of the rows between. Rows are dense: a missing one is damage, never a wrong text.
 */
import { docHistory, docText } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { applyChange, composed, type TextChange } from '../text/text-change.ts'
import { intact } from './damage.ts'
import { decodeHistoryRow } from './history-row.ts'

/** Undefined when there is no such revision (or it is not durable yet). */
export async function rebuildText(
  store: Store,
  slug: Slug,
  revision: number,
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
  return applyChange(
    base.text,
    await changeBetween(store, slug, { base: base.revision, until: revision }),
  )
}

/** From the text of revision `base` to that of `until`, from the history rows between. */
export async function changeBetween(
  store: Store,
  slug: Slug,
  { base, until }: { readonly base: number; readonly until: number },
): Promise<TextChange> {
  let change: TextChange = []
  let next = base + 1
  const rows = { gte: docHistory(slug, next), lte: docHistory(slug, until) }
  for await (const { value } of store.scan(rows)) {
    const row = decodeHistoryRow(value)
    intact(slug, row.revision === next, `the history row of revision ${next} is missing`)
    change = composed(change, row.splices)
    next++
  }
  intact(slug, next === until + 1, `the history row of revision ${next} is missing`)
  return change
}
