/** The newest text that a document's history still leads to, whatever else of it is damaged. */
import { docHistory, docSectionRange, docText } from '../../../persistence/keys.ts'
import { type KeyedValue, type Range, type Store, StoreDamage } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import { type OpenedRow, openHistoryRow } from '../../commit/history-row.ts'
import { applyChange, compose, type TextChange } from '../../text/text-change.ts'

export interface WholeRevision {
  readonly revision: number
  readonly text: string
}

/** From the newest whole text that is kept on, up to the first row missing. Undefined: none. */
export async function lastWholeRevision(
  store: Store,
  slug: Slug,
): Promise<WholeRevision | undefined> {
  const kept = { ...docSectionRange(slug, 'text'), reverse: true, limit: 1 }
  for await (const { key, value } of upToDamage(store, kept)) {
    let revision = Number(key.slice(key.lastIndexOf('/') + 1))
    const changes: TextChange[] = []
    const rows = { ...docSectionRange(slug, 'history'), gte: docHistory(slug, revision + 1) }
    for await (const { value: row } of upToDamage(store, rows)) {
      const opened = openHistoryRow(row)
      const original = await originalOf(store, slug, opened)
      if (opened.revision !== revision + 1 || original === undefined) break
      const { revision: next, splices } = opened.row(original)
      changes.push(splices)
      revision = next
    }
    return { revision, text: applyChange(Buffer.from(value).toString(), compose(changes)) }
  }
  return undefined
}

/** Undefined where it is missing or damaged. */
async function originalOf(
  store: Store,
  slug: Slug,
  { original }: OpenedRow,
): Promise<string | undefined> {
  if (original === undefined) return ''
  try {
    const stored = await store.get(docText(slug, original))
    return stored && Buffer.from(stored.value).toString()
  } catch (error) {
    if (error instanceof StoreDamage) return undefined
    throw error
  }
}

async function* upToDamage(store: Store, range: Range): AsyncGenerator<KeyedValue> {
  try {
    for await (const record of store.scanRaw(range)) {
      if ('damaged' in record) return
      yield record
    }
  } catch (error) {
    if (!(error instanceof StoreDamage)) throw error
  }
}
