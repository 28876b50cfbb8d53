/**
 * After a failover the store may have forgotten the newest entries of inboxes, and readers may hold
 * cursors behind them. The numbers go on far beyond any that was given, so that none is given
 * twice.
 */
import { metaKey } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import { readRecord, records } from '../records/records.ts'

const headKey = metaKey('last-entry')
/** More entries than are made between two looks at the store. */
const skipped = 1_000_000

export async function skippedEntries(
  store: Store,
): Promise<Required<Pick<Commit, 'checks' | 'puts'>>> {
  const head = await readRecord(store, headKey, records.lastEntry)
  if (head === undefined) return { checks: [], puts: [] }
  const value = records.lastEntry.encode({ id: head.record.id + skipped })
  return { checks: [{ key: headKey, version: head.version }], puts: [{ key: headKey, value }] }
}
