/**
 * Notes of when something was used last. They lie beside what is used, so that no use touches a
 * record that somebody's rights rest on, and are written now and then only.
 */
import type { Check, Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { readRecord, readRecords, records } from './records.ts'

/** Notes a use unless one was noted of late; none when what is used (`check`) is gone. */
export async function noteUse(
  { store, runtime }: { readonly store: Store; readonly runtime: Runtime },
  key: string,
  { everyMs, check }: { readonly everyMs: number; readonly check: Check },
): Promise<void> {
  const now = runtime.now()
  const found = await readRecord(store, key, records.use)
  if (found !== undefined && now - found.record.usedAt < everyMs) return
  await store.commit({
    checks: [check],
    puts: [{ key, value: records.use.encode({ usedAt: now }) }],
  })
}

/** In the order of `keys`; null: never. */
export async function lastUses(store: Store, keys: readonly string[]): Promise<(number | null)[]> {
  const found = await readRecords(store, keys, records.use)
  return found.map((use) => use?.record.usedAt ?? null)
}
